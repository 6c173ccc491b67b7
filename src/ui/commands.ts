/** Registers commands. Reports each failure once, and logs bugs with their place. */
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
   * @param run Receives the clicked row, and all rows if several are selected. Other arguments are dropped,
   * since any
   * extension can pass them; the command then asks, as from the palette.
   */
  register(id: CommandId, run: (clicked: unknown, selected: unknown) => Promise<void> | void): void {
    this.#registered.push(
      // Returns nothing, since any extension could read the result.
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
