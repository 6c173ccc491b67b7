/** The commands for connections. */
import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import {
  confirmRemoveConnection,
  confirmRemoveUnreadable,
  confirmSignOut,
  type TrackedTruncations,
} from './connectionQuestions.ts';
import type { Notices } from '../ui/notices.ts';
import type { UnfinishedConnection } from './connectionDraft.ts';
import type { Connection } from './connection.ts';
import { addConnection, editConnection, signInToConnection } from './connectionFlows.ts';
import { forConnection, handleForConnection } from './forConnection.ts';
import { isConnectionRef, switchConnection } from './pickConnection.ts';
import { removeConnection } from './removal.ts';
import type { ConnectionParts } from './servicePool.ts';
import { testConnection } from './testConnection.ts';

interface ConnectionCommandParts extends ConnectionParts {
  readonly notices: Notices;
  readonly clipboard: Clipboard;
  /** Returns the known truncations on its server. */
  readonly truncationsThere: (connectionId: string) => Promise<TrackedTruncations>;
  /** Counts the created tokens that the user hasn't copied. */
  readonly uncopiedTokens: (connectionId: string) => number;
  /** Deletes everything else that is stored for a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
  /** Loads its rows again, if they were loaded. */
  readonly reloadRows: (connectionId: string) => Promise<void>;
  /** Selects its row. */
  readonly showRow: (connectionId: string) => Promise<void>;
}

export function registerConnectionCommands(commands: CommandRegistry, parts: ConnectionCommandParts): void {
  const { store, credentials, notices } = parts;
  const unfinished: UnfinishedConnection = { draft: undefined };
  const handle = handleForConnection(commands, store);

  commands.handle(COMMANDS.connectionAdd, async () => {
    const added = await addConnection(parts, unfinished);
    if (added !== undefined) {
      await parts.showRow(added);
    }
  });

  handle(COMMANDS.connectionEdit, l10n.t('Edit Connection'), (connection, title) =>
    editConnection(parts, connection, title),
  );
  handle(COMMANDS.connectionSignIn, l10n.t('Sign In'), (connection) => signInToConnection(parts, connection));
  // Also of one that isn't signed in: it may have headers, or a token that couldn't be deleted.
  handle(COMMANDS.connectionSignOut, l10n.t('Sign Out'), async (connection) => {
    if (await confirmSignOut(connection, parts.uncopiedTokens(connection.id))) {
      await credentials.signOut(connection);
      notices.done(l10n.t('Signed out of "{0}"', connection.name));
    }
  });
  handle(COMMANDS.connectionTest, l10n.t('Test Connection'), async (connection) => {
    if (await testConnection(parts, connection)) {
      await parts.reloadRows(connection.id);
    }
  });

  const remove = forConnection(store, l10n.t('Remove Connection'), (connection) => askAndRemove(parts, connection));
  commands.handle(COMMANDS.connectionRemove, (clicked, selected, concerns) =>
    isConnectionRef(clicked) && store.unreadable().includes(clicked.connectionId)
      ? askAndRemoveUnreadable(parts, clicked.connectionId)
      : remove(clicked, selected, concerns),
  );
  commands.handle(COMMANDS.connectionUse, () => switchConnection(store));
}

async function askAndRemoveUnreadable(parts: ConnectionCommandParts, id: string): Promise<void> {
  if (await confirmRemoveUnreadable(await parts.truncationsThere(id))) {
    await removeConnection(parts, id);
    parts.notices.done(l10n.t('Connection removed'));
  }
}

async function askAndRemove(parts: ConnectionCommandParts, connection: Connection): Promise<void> {
  const { credentials, notices } = parts;
  const hasCredential = (await credentials.read(connection).catch(() => undefined)) !== undefined;
  if (await confirmRemoveConnection(connection, hasCredential, await parts.truncationsThere(connection.id))) {
    await removeConnection(parts, connection.id);
    notices.done(l10n.t('Connection "{0}" removed', connection.name));
  }
}
