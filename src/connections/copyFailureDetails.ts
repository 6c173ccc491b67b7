/** "Copy Details for a Report": of a failure in the tree, on a page or in a notification. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { failureReport } from '../service/failure/failureReport.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import type { Notices } from '../ui/notices.ts';
import { isConnectionRef } from './pickConnection.ts';
import type { ConnectionParts } from './servicePool.ts';
import { placeInReport } from './extensionPlace.ts';

interface CopyDetailsParts extends ConnectionParts {
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

/** @param version Of the extension. */
export function registerCopyFailureDetails(commands: CommandRegistry, parts: CopyDetailsParts, version: string): void {
  const { store, services, clipboard, notices } = parts;
  commands.handle(COMMANDS.failureCopyDetails, async (clicked) => {
    if (!isAboutFailure(clicked)) {
      return;
    }
    const connection = isConnectionRef(clicked) ? store.get(clicked.connectionId) : undefined;
    const report = failureReport(clicked.failure, {
      extension: version,
      vscode: vscode.version,
      place: placeInReport(vscode.env.uiKind === vscode.UIKind.Web, vscode.env.appName),
      release: connection && services.get(connection).server.release,
    });
    await clipboard.copy(report);
    notices.done(l10n.t('Copied'));
  });
}

function isAboutFailure(clicked: unknown): clicked is { readonly failure: ServiceFailure } {
  return (
    typeof clicked === 'object' && clicked !== null && 'failure' in clicked && clicked.failure instanceof ServiceFailure
  );
}
