/** Flows of the connection commands, loaded with the first one. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { toServiceFailure, ServiceFailure } from '../service/failure/failure.ts';
import { handleOf } from '../ui/handles.ts';
import { singleStep } from '../ui/inputSteps.ts';
import { askModal, showProgress, showWarning, type ModalParagraph } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { checkResultLines, checkServer, type CheckResultLine } from './connectionCheck.ts';
import { identityOf, lacksConsent, originOf, type Connection } from './connection.ts';
import { later, type TokenOrigin } from './credentialStore.ts';
import {
  connectionFrom,
  connectionDraftOf,
  editedFields,
  emptyConnectionDraft,
  nameOfDraft,
  tokenOriginOf,
  type FinishedDraft,
  type UnfinishedConnection,
} from './connectionDraft.ts';
import { confirmPlainHttp, askConnectionRole, confirmRole } from './connectionQuestions.ts';
import { askWorkingToken, runConnectionSteps } from './connectionSteps.ts';
import { isLaxerRole, offeredRole, stricterRole, type ConnectionRole, type StoredRole } from './role.ts';
import type { ConnectionParts } from './servicePool.ts';
import { changedMeanwhile, removedMeanwhile, signInWith } from './signIn.ts';

interface ConnectionFlowParts extends ConnectionParts {
  readonly notices: Notices;
}

/** Adds a connection and uses it. */
export async function addConnection(parts: ConnectionFlowParts, unfinished: UnfinishedConnection): Promise<void> {
  const { store, services, notices } = parts;
  // A copy with an ID of its own: the command may run twice at the same time.
  const draft = { ...(unfinished.draft ?? emptyConnectionDraft()), id: crypto.randomUUID() };
  const otherNames = store.all().map(({ name }) => name);
  const finished = await runConnectionSteps(l10n.t('Add Connection'), draft, services, {
    saved: undefined,
    storedToken: () => Promise.resolve(undefined),
    otherNames,
    // Only typing nothing is asked about: other extensions can press Enter in the list of roles.
    mayTakeRole: (role) =>
      confirmRole({ name: nameOfDraft(draft, otherNames), baseUrl: draft.baseUrl, role: undefined }, role),
  });
  // The next token may be that of another user than the one that was typed for it.
  const typedUser = draft.token === undefined ? draft.typedUser : '';
  const noToken = { token: undefined, owner: undefined, typedUser, imported: undefined };
  unfinished.draft = { ...draft, ...noToken, plainHttpOrigin: undefined };
  if (finished === undefined) {
    return;
  }
  const origin = tokenOriginOf(finished);
  await store.add(connectionFrom(finished), storedRole(finished), async (added) => {
    unfinished.draft = undefined;
    // Before its row is shown, since VS Code keeps a row collapsed that it has shown so.
    await store.use(added.id);
    await keepToken(parts, added, finished.token, origin);
  });
  notices.done(l10n.t('Connection "{0}" added', finished.name));
  if (origin.source === 'commandLineSession' && finished.role !== 'readOnly') {
    await vscode.commands.executeCommand(COMMANDS.tokenCreate, handleOf({ connectionId: finished.id }));
  }
}

/** @throws ServiceFailure `storage` if it was removed or moved meanwhile. */
export async function editConnection(parts: ConnectionFlowParts, connection: Connection): Promise<void> {
  const { store, credentials, services } = parts;
  let asked = connection;
  const title = l10n.t('Edit Connection');
  const edit = connectionDraftOf(connection);
  const otherNames = store.all().flatMap(({ id, name }) => (id === connection.id ? [] : [name]));
  const draft = await runConnectionSteps(title, edit, services, {
    saved: connection,
    // The stored token belongs to its origin.
    storedToken: async (baseUrl) =>
      originOf({ baseUrl }) === originOf(connection) ? credentials.read(connection).catch(() => undefined) : undefined,
    otherNames,
    mayTakeRole: async (role) => {
      const current = (await store.getFresh(connection.id)) ?? connection;
      const { baseUrl } = edit;
      // Deleting without typing was agreed to for the server from before.
      const roleThere = baseUrl === current.baseUrl ? current.role : stricterRole(current.role, 'development');
      const isConfirmed = await confirmRole({ name: nameOfDraft(edit, otherNames), baseUrl, role: roleThere }, role);
      asked = isConfirmed ? current : asked;
      return isConfirmed;
    },
  });
  if (draft === undefined) {
    return;
  }
  const current = await store.getFresh(connection.id);
  if (current === undefined) {
    throw removedMeanwhile();
  }
  // Another window may have chosen a stricter one meanwhile.
  const isStricter = !isLaxerRole(draft.role, current.role);
  // The same one too for another address: it was chosen for the one before.
  const isOtherRole = draft.role !== connection.role || draft.baseUrl !== connection.baseUrl;
  const setsRole = isOtherRole && (isStricter || asked.role === current.role);
  if (setsRole && isStricter) {
    await store.setRole(connection.id, storedRole(draft));
  }
  const edited = await store.change(connection.id, (now) => {
    const fields = editedFields(draft, connection, now) ?? refuseEdit();
    const isElsewhere = originOf({ ...now, ...fields }) !== originOf(now);
    // The token of the former address isn't used again if the connection leads back there.
    return isElsewhere ? { ...fields, signedOutAt: later(Date.now(), now.signIn?.storedAt, now.signedOutAt) } : fields;
  });
  if (edited === undefined) {
    throw removedMeanwhile();
  }
  if (setsRole && !isStricter) {
    // Agreed to for the address from now on.
    await store.setRole(connection.id, storedRole(draft));
  }
  // Renaming stops no request.
  if (identityOf(edited) !== identityOf(connection)) {
    await services.forgetCapabilities(connection.id);
  }
  if (draft.token !== undefined) {
    await keepToken(parts, edited, draft.token, tokenOriginOf(draft));
  } else if (originOf(edited) !== originOf(connection)) {
    await credentials.delete(connection.id);
  }
}

function refuseEdit(): never {
  throw new ServiceFailure('storage', l10n.t('The connection was changed in the meantime, so nothing was saved.'), {
    next: l10n.t('Edit it again.'),
  });
}

/** @param token Undefined if the connection stays signed out. */
async function keepToken(
  parts: ConnectionFlowParts,
  connection: Connection,
  token: string | undefined,
  origin: TokenOrigin,
): Promise<void> {
  if (token !== undefined && (await signInWith(parts, connection, token, origin)) === 'memory') {
    void showWarning(
      l10n.t(
        "Couldn't save the access token in VS Code secret storage. It's kept until this window closes; then you'll be asked again.",
      ),
    );
  }
}

function storedRole({ role, isRoleChosen: chosen }: FinishedDraft): StoredRole {
  return { role: offeredRole(role), chosen };
}

/**
 * Signs in to a saved connection. The token is tried before it replaces the stored one.
 * @throws ServiceFailure `storage` if the connection was changed while the token was typed.
 */
export async function signInToConnection(parts: ConnectionFlowParts, connection: Connection): Promise<void> {
  const { store, services, notices } = parts;
  const asksConsent = lacksConsent(connection);
  if (asksConsent && !(await confirmPlainHttp(connection.baseUrl))) {
    return;
  }
  const plainHttpOrigin = asksConsent ? originOf(connection) : connection.plainHttpOrigin;
  const typed = await askWorkingToken({ ...connection, plainHttpOrigin }, services);
  if (typed === undefined) {
    return;
  }
  const current = await store.change(connection.id, (now) => {
    // The token was tried at the address from before.
    if (identityOf(now) !== identityOf(connection)) {
      throw changedMeanwhile();
    }
    return asksConsent ? { plainHttpOrigin } : {};
  });
  if (current === undefined) {
    throw removedMeanwhile();
  }
  await keepToken(parts, current, typed.token, { user: typed.user });
  notices.done(l10n.t('Signed in to "{0}"', current.name));
}

/** Sets the role of a connection. A stricter one applies at once, a laxer one is confirmed. */
export async function setConnectionRole(
  { store, notices }: Pick<ConnectionFlowParts, 'store' | 'notices'>,
  connection: Connection,
): Promise<void> {
  // Another window may change it while a question is open.
  const currentConnection = async (): Promise<Connection> => {
    const current = await store.getFresh(connection.id);
    if (current === undefined) {
      throw removedMeanwhile();
    }
    if (current.baseUrl !== connection.baseUrl) {
      // The answer would be about another server.
      throw roleNotChanged();
    }
    return current;
  };
  const mayTakeRole = async (role: ConnectionRole): Promise<boolean> => {
    const asked = await currentConnection();
    // Ask again if the role got stricter during the question.
    return (
      (await confirmRole(asked, role)) &&
      (!isLaxerRole(asked.role, (await currentConnection()).role) || mayTakeRole(role))
    );
  };
  const subject = await currentConnection();
  const answer = await askConnectionRole(singleStep(l10n.t('Set Connection Role')), subject, mayTakeRole);
  if (answer.kind === 'value') {
    await currentConnection();
    await store.setRole(connection.id, { role: offeredRole(answer.value), chosen: true });
    notices.done(l10n.t('Role of "{0}" changed', connection.name));
  }
}

function roleNotChanged(): ServiceFailure {
  return new ServiceFailure(
    'storage',
    l10n.t("The connection was changed in the meantime, so its role wasn't changed."),
    {
      next: l10n.t('Try again.'),
    },
  );
}

/** Tests a saved connection. Failures are shown, not thrown. @returns true if it works. */
export async function testConnection(
  { credentials, services, notices }: ConnectionFlowParts,
  connection: Connection,
): Promise<boolean> {
  const title = l10n.t('Testing "{0}"…', connection.name);
  const lines = await showProgress(title, true, async (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const signedIn = (await credentials.read(connection)) !== undefined;
      const { check, rights } = await checkServer(services.get(connection), stop.signal);
      return stop.signal.aborted ? undefined : checkResultLines(check, connection.actorUrn, signedIn, rights);
    } catch (thrown) {
      notices.failure(toServiceFailure(thrown), connection);
      return undefined;
    }
  });
  if (lines !== undefined) {
    // Not awaited: the command has ended.
    void askModal(l10n.t('Connected to "{0}"', connection.name), paragraphsOf(lines));
  }
  return lines !== undefined;
}

/**
 * Groups lines for a modal, since notifications have no line breaks: short ones together, then each with its
 * reason.
 */
function paragraphsOf(lines: readonly CheckResultLine[]): ModalParagraph[] {
  const short = lines.filter(({ detail }) => detail === undefined).map(({ label }) => label);
  return [short, ...lines.flatMap(({ label, detail }) => (detail === undefined ? [] : [[label, detail]]))];
}
