/** Notifications in answer to an action of the user, with a way on. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { ServiceFailure, isCancelledMutation, toServiceFailure } from '../service/failure/failure.ts';
import { inLabel } from './foreignText.ts';
import { handleOf } from './handles.ts';
import type { Log } from './log.ts';
import { showError, showInformation } from './messages.ts';

export class Notices {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reports a failure with remedies, without waiting. Cancelled requests are silent unless they may have acted. */
  failure(thrown: ServiceFailure, connection?: { readonly id: string; readonly name: string }): void {
    const cutoff = isCancelledMutation(thrown);
    if (thrown.kind === 'cancelled' && !cutoff) {
      return;
    }
    const failure = cutoff && thrown.next === undefined ? outcomeUnknown(thrown) : thrown;
    this.#log.failure(failure);
    const signIn = l10n.t('Sign In…');
    const copy = l10n.t('Copy Details for a Report');
    const show = l10n.t('Show Log');
    const edit = l10n.t('Edit Connection…');
    const runOnRemote = l10n.t('Run on the Remote…');
    const actions = failure.mayBeReachedFromRemote
      ? [runOnRemote, copy]
      : failure.kind === 'readOnly'
        ? [edit]
        : failure.kind === 'signedOut'
          ? [signIn, copy]
          : [copy, show];
    const offerRemedies = async (): Promise<void> => {
      const chosen = await showError(failure.advice, ...actions);
      if (chosen === signIn || chosen === edit) {
        const command = chosen === signIn ? COMMANDS.connectionSignIn : COMMANDS.connectionEdit;
        await executeFor(connection, command);
      } else if (chosen === runOnRemote) {
        await openRemoteSetting();
      } else if (chosen === copy) {
        await vscode.commands.executeCommand(
          COMMANDS.failureCopyDetails,
          handleOf({ failure, connectionId: connection?.id }),
        );
      } else if (chosen === show) {
        this.#log.show();
      }
    };
    offerRemedies().catch((reason: unknown) => this.#log.bug('notice', reason));
  }

  /** Reports what an action of the user threw. @param where For the log, if it is a bug of ours. */
  thrown(where: string, thrown: unknown): void {
    if (thrown instanceof ServiceFailure) {
      this.failure(thrown);
    } else {
      this.#log.bug(where, thrown);
      this.failure(toServiceFailure(thrown).with({ next: l10n.t('Try again. The log shows where it happened.') }));
    }
  }

  /** Says that a connection is signed out, and offers to sign in. */
  offerSignIn(text: string, connection: { readonly id: string }): void {
    const signIn = l10n.t('Sign In…');
    void showInformation(text, signIn).then((chosen) =>
      chosen === signIn ? executeFor(connection, COMMANDS.connectionSignIn) : undefined,
    );
  }

  /** A short confirmation, for results that are visible anyway. */
  done(text: string): void {
    vscode.window.setStatusBarMessage(`$(check) ${inLabel(text)}`, 4_000);
  }
}

/** Opens the setting that has extensions run on the remote machine, where this one must be installed too. */
export async function openRemoteSetting(): Promise<void> {
  const key = 'remote.extensionKind';
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key, edit: true } });
}

function executeFor(connection: { readonly id: string } | undefined, command: string): Thenable<unknown> {
  return vscode.commands.executeCommand(command, connection && handleOf({ connectionId: connection.id }));
}

function outcomeUnknown(failure: ServiceFailure): ServiceFailure {
  return failure
    .because(l10n.t('The result is unknown'))
    .with({ next: l10n.t('Refresh in a moment and check before you try again.') });
}
