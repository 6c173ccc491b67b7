/** Notifications: only in answer to something a person did, one at a time, with a way on. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { COMMANDS } from '../manifest.ts';
import type { ServiceFailure } from '../service/failure.ts';
import { failureReport } from '../service/failureReport.ts';
import type { Log } from './log.ts';

export class Notices {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Tells a failure and offers what helps; waits for no answer. A cancelled request is no news to who cancelled it. */
  failure(failure: ServiceFailure, connection?: Connection): void {
    if (failure.kind === 'cancelled') {
      return;
    }
    this.#log.failure(failure);
    const when = Date.now();
    const signIn = vscode.l10n.t('Sign In…');
    const copy = vscode.l10n.t('Copy Details');
    const show = vscode.l10n.t('Show Log');
    const actions = failure.kind === 'signedOut' ? [signIn, copy] : [copy, show];
    void vscode.window.showErrorMessage(failure.advice, ...actions).then(async (chosen) => {
      if (chosen === signIn) {
        await vscode.commands.executeCommand(COMMANDS.connectionSignIn, connection?.id);
      } else if (chosen === copy) {
        await vscode.env.clipboard.writeText(failureReport(failure, { connection: connection?.name, when }));
      } else if (chosen === show) {
        this.#log.show();
      }
    });
  }

  /** A short word in the status bar: for what went well and can be seen anyway. */
  done(text: string): void {
    vscode.window.setStatusBarMessage(`$(check) ${text}`, 4_000);
  }
}
