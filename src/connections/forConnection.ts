/** Commands that work on one connection, which their titles and their failures name. */
import * as l10n from '@vscode/l10n';
import type { CommandId } from '../manifest.ts';
import type { CommandHandler, CommandRegistry } from '../ui/commandRegistry.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { pickConnection } from './pickConnection.ts';

/**
 * @param title Of the command, with the connection's name.
 * @param clicked The row that the command was run on, if any. @param selected All selected rows.
 */
export type ConnectionCommand = (
  connection: Connection,
  title: string,
  clicked: unknown,
  selected: unknown,
) => Promise<void> | void;

/** The user picks the connection, where the command wasn't run on one. @param isFit As for `pickConnection`. */
export function forConnection(
  store: ConnectionStore,
  title: string,
  run: ConnectionCommand,
  isFit?: (connection: Connection) => boolean,
): CommandHandler {
  return async (clicked, selected, concerns) => {
    const connection = await pickConnection(store, clicked, title, isFit);
    if (connection !== undefined) {
      concerns(connection);
      await run(connection, l10n.t('{0}: {1}', title, connection.name), clicked, selected);
    }
  };
}

/** @returns registers such a command. */
export function handleForConnection(commands: CommandRegistry, store: ConnectionStore) {
  return (id: CommandId, title: string, run: ConnectionCommand, isFit?: (connection: Connection) => boolean): void =>
    commands.handle(id, forConnection(store, title, run, isFit));
}
