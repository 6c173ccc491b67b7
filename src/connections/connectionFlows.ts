/** Flows of the connection commands, loaded with the first one. */
import * as l10n from '@vscode/l10n';
import type { Notices } from '../ui/notices.ts';
import { withHeader } from './additionalHeaders.ts';
import { identityOf, originOf, type Connection } from './connection.ts';
import { later } from './credentialStore.ts';
import {
  connectionDraftOf,
  connectionFrom,
  emptyConnectionDraft,
  roleOfDraft,
  withoutSecrets,
  type ConnectionDraft,
  type UnfinishedConnection,
} from './connectionDraft.ts';
import { fillInConnection } from './connectionForm.ts';
import { confirmRole } from './connectionQuestions.ts';
import { defaultRole, isLaxerRole, stricterRole, type ConnectionRole } from './role.ts';
import type { ConnectionParts } from './servicePool.ts';
import { changedMeanwhile, signInWith } from './signIn.ts';

interface ConnectionFlowParts extends ConnectionParts {
  readonly notices: Notices;
}

/** Adds a connection and uses it. @returns its ID; undefined if the user cancelled. */
export async function addConnection(
  parts: ConnectionFlowParts,
  unfinished: UnfinishedConnection,
): Promise<string | undefined> {
  const { store, notices } = parts;
  // A copy with an ID of its own: the command may run twice at the same time.
  const draft = { ...(unfinished.draft ?? emptyConnectionDraft()), id: crypto.randomUUID() };
  let isStored = false;
  await fillInConnection({
    title: l10n.t('Add Connection'),
    draft,
    isSignIn: false,
    parts,
    save: async (finished, user) => {
      const { name, baseUrl } = finished;
      const role = roleOfDraft(finished);
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
      return true;
    },
  }).finally(() => {
    unfinished.draft = isStored ? undefined : withoutSecrets(draft);
  });
  return isStored ? draft.id : undefined;
}

export async function editConnection(parts: ConnectionFlowParts, connection: Connection, title: string): Promise<void> {
  await fillInStored(parts, connection, title, false);
}

/** Signs in to a saved connection. The token is tried before it replaces the stored one. */
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
  const { store, credentials } = parts;
  // VS Code may have lost the copy of what is known of the credential.
  await credentials.read(read).catch(() => undefined);
  const connection = store.get(read.id) ?? read;
  return fillInConnection({
    title,
    draft: connectionDraftOf(connection),
    isSignIn,
    parts,
    save: (draft, user) => saveEdited(parts, connection, draft, user),
  });
}

/**
 * Saves all fields, if any was changed: the last save of several windows wins.
 * @param begunWith The connection as the form began with it.
 * @returns false if the user declines the role.
 */
async function saveEdited(
  parts: ConnectionFlowParts,
  begunWith: Connection,
  draft: ConnectionDraft,
  user: string | undefined,
): Promise<boolean> {
  const { store, credentials, services } = parts;
  const { id } = begunWith;
  const current = await store.getFresh(id);
  if (current === undefined) {
    throw changedMeanwhile();
  }
  const changesSecrets = draft.token !== undefined || draft.headers.length > 0;
  const isSame = JSON.stringify(connectionFrom(draft)) === JSON.stringify(connectionFrom(begunWith));
  if (isSame && draft.role === undefined && current.lacksRole !== true) {
    // Signing in undoes no edit of another window, and stores nothing for another server.
    await (changesSecrets ? keepSecrets(parts, begunWith, draft, user) : undefined);
    return true;
  }
  // Without a choice, no laxer than the form shows it, nor than another window made it.
  const shown = roleOfDraft(draft);
  const isAsShown = draft.role !== undefined || current.lacksRole === true;
  const role = isAsShown ? shown : stricterRole(shown, current.role);
  // That of another address too: it was chosen for the one before.
  const setsRole = isAsShown || draft.baseUrl !== current.baseUrl;
  if (setsRole && !(await agreesToRole(draft, current, role))) {
    return false;
  }
  const isStricter = !isLaxerRole(role, current.role);
  if (setsRole && isStricter) {
    await store.setRole(id, role);
  }
  const { id: _id, ...fields } = connectionFrom(draft);
  const edited = await store.change(id, (now) => {
    const isElsewhere = originOf(fields) !== originOf(now);
    // The token of the former address isn't used again if the connection leads back there.
    return isElsewhere ? { ...fields, signedOutAt: later(Date.now(), now.signIn?.storedAt, now.signedOutAt) } : fields;
  });
  if (edited === undefined) {
    throw changedMeanwhile();
  }
  if (setsRole && !isStricter) {
    // Agreed to for the address from now on.
    await store.setRole(id, role);
  }
  // Renaming stops no request.
  if (identityOf(edited) !== identityOf(current)) {
    await services.forgetFacts(id);
  }
  if (changesSecrets) {
    await keepSecrets(parts, edited, draft, user);
  } else if (originOf(edited) !== originOf(begunWith)) {
    await credentials.delete(id);
  } else if (user !== undefined) {
    await credentials.learnUser(id, user);
  }
  return true;
}

/** Asks about a role that is laxer than the stored one. */
function agreesToRole({ name, baseUrl }: ConnectionDraft, current: Connection, role: ConnectionRole): Promise<boolean> {
  // Development was chosen for the server from before.
  const isKept = baseUrl === current.baseUrl || isLaxerRole(defaultRole({ baseUrl }), current.role);
  return confirmRole({ name, baseUrl, role: isKept ? current.role : undefined }, role);
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
  const origin = typed === undefined ? signIn && { ...signIn, user: user ?? signIn.user } : { user, source };
  await signInWith(parts, connection, token, origin, headers);
}
