/** Flows of the connection commands, loaded with the first one. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/handles.ts';
import type { Notices } from '../ui/notices.ts';
import { withHeader } from './additionalHeaders.ts';
import { identityOf, originOf, tokenStoredAt, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { later } from './credentialStore.ts';
import {
  connectionDraftOf,
  connectionFrom,
  editedFields,
  emptyConnectionDraft,
  roleOfDraft,
  withoutSecrets,
  type ConnectionDraft,
  type UnfinishedConnection,
} from './connectionDraft.ts';
import { fillInConnection } from './connectionForm.ts';
import { confirmRole } from './connectionQuestions.ts';
import { importSources } from './importSources.ts';
import { defaultRole, isLaxerRole, type ConnectionRole } from './role.ts';
import type { ConnectionParts } from './servicePool.ts';
import { ConnectionChanged, removedMeanwhile, signInWith } from './signIn.ts';

interface ConnectionFlowParts extends ConnectionParts {
  readonly notices: Notices;
}

/** Adds a connection and uses it. @returns its ID; undefined if the user cancelled. */
export async function addConnection(
  parts: ConnectionFlowParts,
  unfinished: UnfinishedConnection,
): Promise<string | undefined> {
  const { store, services, notices } = parts;
  // A copy with an ID of its own: the command may run twice at the same time.
  const draft = { ...(unfinished.draft ?? emptyConnectionDraft()), id: crypto.randomUUID() };
  let isStored = false;
  await fillInConnection({
    title: l10n.t('Add Connection'),
    draft,
    saved: undefined,
    otherNames: store.all().map(({ name }) => name),
    isSignIn: false,
    services,
    network: services.network,
    sources: await importSources(),
    first: ['address', 'token'],
    storedSecrets: () => Promise.resolve({}),
    save: async (finished, user) => {
      const { name, baseUrl } = finished;
      const role = roleOfDraft(finished, undefined);
      // Other extensions can press Enter in the list of roles.
      if (!(await confirmRole({ name, baseUrl, role: undefined }, role))) {
        return false;
      }
      await store.add(connectionFrom(finished), role, async (added) => {
        await keepSecrets(parts, added, finished, user);
        // Before its row is shown, since VS Code keeps a row collapsed that it has shown so.
        await store.use(added.id);
      });
      isStored = true;
      notices.done(l10n.t('Connection "{0}" added', name));
      if (finished.source === 'commandLineSession' && role !== 'readOnly') {
        await vscode.commands.executeCommand(COMMANDS.tokenCreate, handleOf({ connectionId: finished.id }));
      }
      return true;
    },
  }).finally(() => {
    unfinished.draft = isStored ? undefined : withoutSecrets(draft);
  });
  return isStored ? draft.id : undefined;
}

/** @throws ServiceFailure `storage` if it was removed or moved meanwhile. */
export async function editConnection(parts: ConnectionFlowParts, connection: Connection): Promise<void> {
  await fillInStored(parts, connection, l10n.t('{0}: {1}', l10n.t('Edit Connection'), connection.name), false);
}

/** Signs in to a saved connection. The token is tried before it replaces the stored one. @throws as an edit does. */
export async function signInToConnection(parts: ConnectionFlowParts, connection: Connection): Promise<void> {
  if (await fillInStored(parts, connection, l10n.t('Sign In to "{0}"', connection.name), true)) {
    parts.notices.done(l10n.t('Signed in to "{0}"', connection.name));
  }
}

async function fillInStored(
  parts: ConnectionFlowParts,
  read: Connection,
  title: string,
  isSignIn: boolean,
): Promise<boolean> {
  const { store, credentials, services } = parts;
  // VS Code may have lost the copy of what is known of the credential.
  await credentials.read(read).catch(() => undefined);
  const connection = store.get(read.id) ?? read;
  const edit = { begunWith: connection, saved: connection };
  return fillInConnection({
    title,
    draft: connectionDraftOf(connection),
    saved: connection,
    otherNames: store.all().flatMap(({ id, name }) => (id === connection.id ? [] : [name])),
    isSignIn,
    services,
    network: services.network,
    sources: [],
    first: isSignIn ? ['token'] : [],
    storedSecrets: () => credentials.readSecrets(connection),
    save: (draft, user) => saveEdited(parts, edit, draft, user),
  });
}

interface Edit {
  readonly begunWith: Connection;
  /** As this edit left it, if it is saved again after a failure. */
  saved: Connection;
}

/** @returns false if the user declines the role. */
async function saveEdited(
  parts: ConnectionFlowParts,
  edit: Edit,
  draft: ConnectionDraft,
  user: string | undefined,
): Promise<boolean> {
  const { store, credentials, services } = parts;
  const { begunWith, saved: read } = edit;
  const current = await freshConnection(store, read.id);
  const role = roleOfDraft(draft, current);
  // That of another address too: it was chosen for the one before.
  const setsRole = draft.role !== undefined || draft.baseUrl !== begunWith.baseUrl || current.lacksRole === true;
  if (setsRole && !(await agreesToRole(store, read, role, draft))) {
    return false;
  }
  const isStricter = !isLaxerRole(role, current.role);
  if (setsRole && isStricter) {
    await store.setRole(read.id, role);
  }
  const edited = await store.change(read.id, (now) => {
    const fields = editedFields(draft, read, now) ?? refuseEdit();
    const isElsewhere = originOf({ ...now, ...fields }) !== originOf(now);
    // The token of the former address isn't used again if the connection leads back there.
    return isElsewhere ? { ...fields, signedOutAt: later(Date.now(), now.signIn?.storedAt, now.signedOutAt) } : fields;
  });
  if (edited === undefined) {
    throw removedMeanwhile();
  }
  edit.saved = edited;
  if (setsRole && !isStricter) {
    // Agreed to for the address from now on.
    await store.setRole(read.id, role);
  }
  // Renaming stops no request.
  if (identityOf(edited) !== identityOf(read)) {
    await services.forgetFacts(read.id);
  }
  if (draft.token !== undefined || draft.headers.length > 0) {
    await keepSecrets(parts, edited, draft, user);
  } else if (originOf(edited) !== originOf(begunWith)) {
    await credentials.delete(read.id);
  } else if (user !== undefined) {
    await credentials.learnUser(read.id, user);
  }
  return true;
}

function refuseEdit(): never {
  throw new ConnectionChanged('storage', l10n.t('The connection was changed in the meantime, so nothing was saved.'), {
    next: l10n.t('Edit it again.'),
  });
}

/**
 * Stores what the form changed of the secrets.
 * @param user URN of the token's user. Undefined if nobody says.
 */
async function keepSecrets(
  parts: ConnectionFlowParts,
  connection: Connection,
  { token: typed, source, headers: changes }: ConnectionDraft,
  user: string | undefined,
): Promise<void> {
  const { store, credentials } = parts;
  if (changes.length > 0) {
    // Another window may have signed out, or changed other headers.
    await credentials.reload();
  }
  const stored = changes.length === 0 ? {} : await credentials.readSecrets(connection);
  const token = typed ?? stored.token;
  const headers = changes.length === 0 ? undefined : changes.reduce(withHeader, stored.headers ?? {});
  const { signIn } = store.get(connection.id) ?? connection;
  if (token === undefined && Object.keys(headers ?? {}).length === 0) {
    await (signIn && credentials.delete(connection.id));
    return;
  }
  const known = signIn && { ...signIn, user: user ?? signIn.user, tokenStoredAt: tokenStoredAt({ signIn }) };
  const origin = typed === undefined ? known : { user, source };
  await signInWith(parts, connection, token, origin, headers);
}

/**
 * Asks about a role that is laxer than the one that any window stored last, again if that got stricter meanwhile.
 * @param there Name and address that the role is for.
 */
async function agreesToRole(
  store: ConnectionStore,
  read: Connection,
  role: ConnectionRole,
  there: Pick<Connection, 'name' | 'baseUrl'>,
): Promise<boolean> {
  for (;;) {
    const asked = await sameAddress(store, read);
    // Development was chosen for the server from before.
    const isKept = there.baseUrl === asked.baseUrl || isLaxerRole(defaultRole(there), asked.role);
    const before = isKept ? asked.role : undefined;
    if (!(await confirmRole({ name: there.name, baseUrl: there.baseUrl, role: before }, role))) {
      return false;
    }
    if (!isLaxerRole(asked.role, (await sameAddress(store, read)).role)) {
      return true;
    }
  }
}

/** @throws ServiceFailure `storage` if the answer would be about another server. */
async function sameAddress(store: ConnectionStore, read: Connection): Promise<Connection> {
  const current = await freshConnection(store, read.id);
  if (current.baseUrl !== read.baseUrl) {
    throw new ConnectionChanged(
      'storage',
      l10n.t("The connection was changed in the meantime, so its role wasn't changed."),
      { next: l10n.t('Try again.') },
    );
  }
  return current;
}

async function freshConnection(store: ConnectionStore, id: string): Promise<Connection> {
  const current = await store.getFresh(id);
  if (current === undefined) {
    throw removedMeanwhile();
  }
  return current;
}
