/** The system's clipboard as VS Code gives it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { Clipboard } from './clipboard.ts';
import { showWarning } from './messages.ts';
import { settings } from './settings.ts';

/** @param memory Shared by all windows: keeps when the clipboard has to be cleared. */
export function createClipboard(memory: Memento, clock: Clock): Clipboard {
  return new Clipboard({
    system: vscode.env.clipboard,
    memory,
    clock,
    clearMillis: settings.clipboardClearMillis,
    isFocused: () => vscode.window.state.focused,
    tellWithheld: () =>
      void showWarning(l10n.t("Couldn't clear the clipboard. Copy something else to replace the token.")),
    tellNotNoted: () =>
      void showWarning(
        l10n.t("Couldn't save when to clear the clipboard. If this window closes before then, the token stays there."),
      ),
  });
}
