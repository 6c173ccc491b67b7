/** Runs commands, and reports each failure once. */
import type { CommandId } from '../manifest.ts';
import { subjectOf } from './rowHandles.ts';
import type { NamedConnection, Notices } from './notices.ts';

/** @param concerns To be called with the connection that it is for. A failure names that one, and is mended there. */
export type CommandHandler = (
  clicked: unknown,
  selected: unknown,
  concerns: (connection: NamedConnection) => void,
) => Promise<void> | void;

export class CommandRegistry {
  readonly #notices: Notices;
  readonly #handlers = new Map<CommandId, CommandHandler>();

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  /** @param handler Receives the clicked row, and all rows if several are selected. */
  handle(id: CommandId, handler: CommandHandler): void {
    this.#handlers.set(id, handler);
  }

  /**
   * Runs a command. Arguments other than our handles are dropped, since any extension can pass them;
   * the command then asks, as from the palette.
   */
  async run(id: CommandId, clicked: unknown, selected: unknown): Promise<void> {
    let concerned: NamedConnection | undefined;
    try {
      const handler = this.#handlers.get(id);
      if (handler === undefined) {
        throw new TypeError('a command without a handler');
      }
      await handler(
        subjectOf(clicked),
        Array.isArray(selected) ? selected.flatMap((one) => subjectOf(one) ?? []) : undefined,
        (connection) => (concerned = connection),
      );
    } catch (thrown) {
      this.#notices.thrown(id, thrown, concerned, () => this.run(id, clicked, selected));
    }
  }
}
