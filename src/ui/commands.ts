/** Registers commands so that a failure is told once, in one way, and a bug is logged where it happened. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../manifest.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { subjectOf } from './handles.ts';
import type { Log } from './log.ts';
import type { Notices } from './notices.ts';

export class Commands implements vscode.Disposable {
  readonly #notices: Notices;
  readonly #log: Log;
  readonly #registered: vscode.Disposable[] = [];

  constructor(notices: Notices, log: Log) {
    this.#notices = notices;
    this.#log = log;
  }

  /**
   * @param run Gets the row that was clicked and, when several are selected, all of them. What is none of ours never gets there: any
   * extension may run a command with arguments that it made up, which then is as good as one from the palette and asks.
   */
  register(id: CommandId, run: (clicked: unknown, selected: unknown) => Promise<void> | void): void {
    this.#registered.push(
      // The result is always void: what a command returns, any extension could read.
      vscode.commands.registerCommand(id, async (clicked: unknown, selected: unknown): Promise<void> => {
        try {
          await run(
            subjectOf(clicked),
            Array.isArray(selected) ? selected.flatMap((one) => subjectOf(one) ?? []) : undefined,
          );
        } catch (thrown) {
          if (thrown instanceof ServiceFailure) {
            this.#notices.failure(thrown);
          } else {
            this.#log.bug(id, thrown);
            this.#notices.failure(
              toServiceFailure(thrown).with({ next: l10n.t('Try again. The log shows where it happened.') }),
            );
          }
        }
      }),
    );
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registered).dispose();
  }
}
