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
import {
  hostOf,
  identityOf,
  lacksConsent,
  originOf,
  withConsentTo,
  withNewCredential,
  type Connection,
} from './connection.ts';
import {
  connectionFrom,
  connectionDraftOf,
  emptyConnectionDraft,
  mergeConnectionEdit,
  nameOfDraft,
  type UnfinishedConnection,
} from './connectionDraft.ts';
import { confirmPlainHttp, askConnectionRole, confirmRole } from './connectionQuestions.ts';
import { askWorkingToken, runConnectionSteps } from './connectionSteps.ts';
import { saveChosenRole } from './currentRole.ts';
import { isLaxerRole, stricterRole, type ConnectionRole } from './role.ts';
import type { ConnectionParts } from './servicePool.ts';
import { changedMeanwhile, removedMeanwhile } from './signIn.ts';

interface ConnectionFlowParts extends ConnectionParts {
  readonly notices: Notices;
  /**
   * Saves a connection, and its new access token if one was typed.
   * @param read The connection as it was read for the change. Undefined for a new one.
   */
  readonly save: (connection: Connection, token: string | undefined, read?: Connection) => Promise<Connection>;
}

/** Adds a connection and uses it. */
export async function addConnection(
  { store, services, notices, save }: ConnectionFlowParts,
  unfinished: UnfinishedConnection,
): Promise<void> {
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
  // A user is proposed again, but the next token may be that of another one.
  unfinished.draft = {
    ...draft,
    token: undefined,
    imported: undefined,
    plainHttpOrigin: undefined,
    isActorTyped: false,
  };
  if (finished === undefined) {
    return;
  }
  const connection = connectionFrom(finished);
  await save(connection, finished.token);
  unfinished.draft = undefined;
  await store.use(connection.id);
  notices.done(l10n.t('Connection "{0}" added', connection.name));
  if (connection.credentialSource === 'commandLineSession' && connection.role !== 'readOnly') {
    await vscode.commands.executeCommand(COMMANDS.tokenCreate, handleOf({ connectionId: connection.id }));
  }
}

/** @throws ServiceFailure `storage` if it was removed or moved meanwhile. */
export async function editConnection(
  { store, credentials, services, save }: ConnectionFlowParts,
  connection: Connection,
): Promise<void> {
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
  // Another window may have changed or removed it meanwhile.
  const current = await store.getFresh(connection.id);
  if (current === undefined) {
    throw removedMeanwhile();
  }
  let edited = mergeConnectionEdit(draft, { read: connection, asked, current });
  if (edited === undefined) {
    throw new ServiceFailure('storage', l10n.t('The connection was changed in the meantime, so nothing was saved.'), {
      next: l10n.t('Edit it again.'),
    });
  }
  if (originOf(edited) !== originOf(current) && draft.token === undefined) {
    await credentials.forgetCredential(connection.id);
    edited = withNewCredential({ ...edited, credentialTokenId: undefined });
  }
  // Renaming stops no request.
  if (identityOf(edited) !== identityOf(current)) {
    await services.forgetCapabilities(connection.id);
  }
  await save(edited, draft.token, current);
}

/**
 * Signs in to a saved connection. The token is tried before it replaces the stored one.
 * @throws ServiceFailure `storage` if the connection was changed while the token was typed.
 */
export async function signInToConnection(
  { store, services, notices, save }: ConnectionFlowParts,
  connection: Connection,
): Promise<void> {
  const asksConsent = lacksConsent(connection);
  if (asksConsent && !(await confirmPlainHttp(hostOf(connection)))) {
    return;
  }
  const withAnyConsent = (one: Connection): Connection =>
    asksConsent ? withConsentTo(originOf(connection), one) : one;
  const typed = await askWorkingToken(withAnyConsent(connection), services);
  if (typed === undefined) {
    return;
  }
  // The token was tried at the address from before.
  const current = store.get(connection.id);
  if (current === undefined || identityOf(current) !== identityOf(connection)) {
    throw changedMeanwhile();
  }
  const { actorUrn, token } = typed;
  await save(withAnyConsent({ ...current, actorUrn, credentialTokenId: undefined }), token, current);
  notices.done(l10n.t('Signed in to "{0}"', current.name));
}

/** Sets the role of a connection. A stricter one applies at once, a laxer one is confirmed. */
export async function setConnectionRole(
  { store, notices }: Pick<ConnectionFlowParts, 'store' | 'notices'>,
  connection: Connection,
): Promise<void> {
  // Another window may change it while a question is open.
  const currentConnection = async (): Promise<Connection> => (await store.getFresh(connection.id)) ?? connection;
  let asked = await currentConnection();
  const mayTakeRole = async (role: ConnectionRole): Promise<boolean> => {
    asked = await currentConnection();
    // Ask again if the role got stricter during the question.
    return (
      (await confirmRole(asked, role)) &&
      (!isLaxerRole(asked.role, (await currentConnection()).role) || mayTakeRole(role))
    );
  };
  const answer = await askConnectionRole(singleStep(l10n.t('Set Connection Role')), asked, mayTakeRole);
  const stored = store.get(connection.id);
  if (answer.kind === 'value' && stored !== undefined) {
    if (stored.baseUrl !== asked.baseUrl) {
      // The answer was about the server from before.
      throw changedMeanwhile();
    }
    const { isAsChosen, text } = await saveChosenRole(store, stored, answer.value, asked.role);
    if (isAsChosen) {
      notices.done(text);
    } else {
      void showWarning(text);
    }
  }
}

/** Tests a saved connection. Failures are shown, not thrown. @returns true if it works. */
export async function testConnection(
  { credentials, services, notices }: Omit<ConnectionFlowParts, 'save'>,
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
