/** Add, edit, remove, sign in, sign out, test and switch connections. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Commands } from '../ui/commands.ts';
import { confirmRemoveConnection, confirmSignOut } from './connectionQuestions.ts';
import type { LeftThere } from './connectionQuestions.ts';
import { alone, askPick } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { showWarning } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { inOneLine } from '../ui/textLines.ts';
import { hostOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { connectionFrom, emptyConnectionDraft } from './connectionDraft.ts';
import type { ConnectionDraft } from './connectionDraft.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { pickConnection } from './pickConnection.ts';
import { finishRemovals, removeConnection } from './removal.ts';
import type { ServicePool } from './servicePool.ts';
import { roleWord } from './roleTexts.ts';
import { saveSignedIn, signOut } from './signIn.ts';
import type { CredentialStore } from './credentialStore.ts';
import { testConnection } from './testConnection.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly notices: Notices;
  readonly clipboard: Clipboard;
  /** How many truncations, as far as is known, still run on its server. */
  readonly truncationsThere: (connectionId: string) => Promise<LeftThere>;
  /** How many created tokens of a connection are held that the user hasn't copied. */
  readonly uncopiedTokens: (connectionId: string) => number;
  /** Forgets everything else that is remembered of a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/** Without a connection: adds one. */
interface SwitchItem extends PickItem {
  readonly connection?: Connection;
}

export function registerConnectionCommands(commands: Commands, parts: Parts): void {
  const { store, credentials, services, notices } = parts;
  // What was typed before the flow was left is there again when it is opened again, the access token aside.
  let unfinished: ConnectionDraft | undefined;

  commands.register(COMMANDS.connectionAdd, async () => {
    const { runConnectionFlow } = (await import('./flows.ts')).flows;
    const draft = unfinished ?? emptyConnectionDraft();
    const names = store.all().map(({ name }) => name);
    const title = l10n.t('Add Connection');
    if (
      !(await runConnectionFlow(
        title,
        draft,
        services,
        () => Promise.resolve(undefined),
        names,
        () => Promise.resolve(true),
      ))
    ) {
      unfinished = { ...draft, token: undefined };
      return;
    }
    unfinished = undefined;
    const connection = connectionFrom(draft);
    await saveWithToken(connection, draft.token);
    await store.use(connection.id);
    notices.done(l10n.t('Connection "{0}" added', connection.name));
  });

  commands.register(COMMANDS.connectionEdit, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Edit Connection'));
    if (connection === undefined) {
      return;
    }
    const { editConnection } = (await import('./flows.ts')).flows;
    await editConnection(parts, connection, saveWithToken);
  });

  commands.register(COMMANDS.connectionSetRole, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Set Connection Role'));
    if (connection !== undefined) {
      const { setRole } = (await import('./flows.ts')).flows;
      await setRole(parts, connection);
    }
  });

  commands.register(COMMANDS.connectionRemove, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Remove Connection'));
    if (connection === undefined) {
      return;
    }
    const hasCredential = (await credentials.read(connection).catch(() => undefined)) !== undefined;
    if (await confirmRemoveConnection(connection, hasCredential, await parts.truncationsThere(connection.id))) {
      await removeConnection(parts, connection.id);
      notices.done(l10n.t('Connection "{0}" removed', connection.name));
      await finishRemovals(parts);
    }
  });

  commands.register(COMMANDS.connectionSignIn, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Sign In'));
    if (connection === undefined) {
      return;
    }
    const { signInToConnection } = (await import('./flows.ts')).flows;
    await signInToConnection(parts, connection, saveWithToken);
  });

  commands.register(COMMANDS.connectionSignOut, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Sign Out'));
    if (connection !== undefined && (await confirmSignOut(connection, parts.uncopiedTokens(connection.id)))) {
      await signOut(parts, connection);
      notices.done(l10n.t('Signed out of "{0}"', connection.name));
    }
  });

  commands.register(COMMANDS.connectionTest, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Test Connection'));
    if (connection !== undefined) {
      await testConnection(parts, connection);
    }
  });

  commands.register(COMMANDS.connectionUse, async () => {
    const all = store.all();
    if (all.length === 0) {
      await pickConnection(store, undefined, l10n.t('Switch Connection'));
      return;
    }
    const items: SwitchItem[] = all.map((connection) => ({
      label: connection.name,
      description: inOneLine([roleWord(connection), hostOf(connection)]),
      connection,
    }));
    const answer = await askPick(alone(l10n.t('Switch Connection')), {
      items: [
        ...items,
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { icon: 'add', label: l10n.t('Add Connection…'), alwaysShow: true },
      ],
      active: items.find(({ connection }) => connection?.id === store.inUse()?.id),
      placeholder: l10n.t('Select the connection to use'),
    });
    if (answer.kind !== 'value') {
      return;
    }
    const { connection } = answer.value;
    await (connection === undefined
      ? vscode.commands.executeCommand(COMMANDS.connectionAdd)
      : store.use(connection.id));
  });

  /** @param read The connection as it was read to be changed; undefined: it is new. */
  async function saveWithToken(
    connection: Connection,
    token: string | undefined,
    read?: Connection,
  ): Promise<Connection> {
    if (token === undefined) {
      await store.save(connection, read);
      return connection;
    }
    const { connection: saved, kept } = await saveSignedIn(parts, connection, token, read);
    if (kept === 'memory') {
      void showWarning(
        l10n.t(
          "Couldn't save the access token in VS Code secret storage. It's kept until this window closes; then you'll be asked again.",
        ),
      );
    }
    return saved;
  }
}
