/**
 * Rotates the token that a connection signs in with. The old one is revoked last, once the new one was tested and
 * stored: wherever this is interrupted, the connection has a token that works.
 */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { confirmInCurrentRole } from '../connections/currentRole.ts';
import { productionLine } from '../connections/role.ts';
import { replaceCredential } from '../connections/signIn.ts';
import { language } from '../language.ts';
import { expiredFailure, ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { askTokenOwner } from '../service/server/callerRights.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { durationName } from '../service/tokens/durations.ts';
import { readTokenClaims, type TokenClaims } from '../service/tokens/tokenClaims.ts';
import { formatsOf } from '../ui/formats.ts';
import { runInputSteps } from '../ui/inputSteps.ts';
import { confirm, confirmOrKeep, showCancellableProgress, showInformation, showProgress } from '../ui/messages.ts';
import { issueDraftedToken, offerIssuedToken, type IssuedAccessToken } from './createToken.ts';
import { tokenDraftSteps, validUntilText } from './draftSteps.ts';
import type { SummarizedDraft } from './draftSummary.ts';
import { closestDuration, type TokenExpiry } from './expiry.ts';
import { sendRevocations } from './revokeTokens.ts';
import { tokenLabel } from './tokenAppearance.ts';
import { commandLineStopsText } from './tokenQuestions.ts';
import { actorReaderFor, loadCreationFacts, type TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { lackingPrivilege, tokenNameProblem } from './tokenTexts.ts';

/** The credential to replace. */
interface FormerCredential {
  /** Undefined if it wasn't created here: then its ID is unknown, and it can't be revoked. */
  readonly token: AccessToken | undefined;
  readonly type: TokenClaims['type'];
  readonly expiresAt: TokenExpiry;
}

/**
 * Asks once, and for the length only if that of the old token is unknown.
 * @throws ServiceFailure if this credential can't be rotated, or the server doesn't say what it accepts.
 */
export async function rotateCredential(parts: TokenFlowParts, connection: Connection, title: string): Promise<void> {
  const former = await formerCredential(parts, connection);
  const summarized = await draftFor(parts, connection, former);
  const { draft, facts, actorOf } = summarized;
  if (former.token?.createdAt === undefined || former.token.expiresAt === undefined) {
    if (!(await runInputSteps(title, [tokenDraftSteps(draft, facts, actorOf).duration]))) {
      return;
    }
  }
  const ask = (current: Connection): Promise<boolean> => confirmRotation(current, former, summarized);
  if (!(await confirmInCurrentRole(parts.store, connection, ask))) {
    return;
  }
  const issued = await issueDraftedToken(parts, connection, summarized);
  if (issued === undefined) {
    return;
  }
  const saved = await testAndStore(parts, connection, former, issued);
  if (saved !== undefined) {
    await endFormer(parts, saved, former, connection.credentialSource);
    parts.notices.done(l10n.t('"{0}" now signs in with a new access token', saved.name));
  }
}

/** @throws ServiceFailure if there is none, or it can't be rotated. */
async function formerCredential(
  { credentials, tokenLists, created }: TokenFlowParts,
  connection: Connection,
): Promise<FormerCredential> {
  const value = await credentials.read(connection);
  if (value === undefined) {
    throw new ServiceFailure('signedOut', l10n.t('This connection is signed out, so there is no token to rotate.'), {
      next: l10n.t('Sign in first.'),
    });
  }
  const claims = readTokenClaims(value);
  if (connection.credentialSource === 'commandLineSession') {
    throw new ServiceFailure(
      'signedOut',
      l10n.t('This connection signs in with the token of a session, which only the datahub command can renew.'),
      { next: l10n.t('Create an access token and sign in with that.') },
    );
  }
  if (claims?.type === 'SESSION') {
    throw new ServiceFailure(
      'signedOut',
      l10n.t('This connection signs in with the token of a web session, which only the web front end can renew.'),
      { next: l10n.t('Create an access token and sign in with that.') },
    );
  }
  const expiresAt = claims?.expiresAtMillis;
  if (typeof expiresAt === 'number' && expiresAt <= Date.now()) {
    throw expiredFailure(connection.name);
  }
  if (claims?.actorId !== undefined && !connection.actorUrn.endsWith(`:${claims.actorId}`)) {
    throw otherOwner(claims.actorId, connection);
  }
  const id = connection.credentialTokenId;
  const token =
    id === undefined
      ? undefined
      : (tokenLists.get(connection.id).tokens.find((one) => one.id === id) ??
        created.withRemembered(connection.id, { urn: `urn:li:dataHubAccessToken:${id}`, id, actorUrn: '' }));
  return { token, type: claims?.type, expiresAt };
}

function otherOwner(owner: string, { actorUrn }: Connection): ServiceFailure {
  return new ServiceFailure(
    'badRequest',
    l10n.t('The token belongs to {0}, not to {1}, so it was not rotated.', owner, shortActorName(actorUrn)),
    { next: l10n.t("Change the connection's user, or sign in with a token of that user.") },
  );
}

/** @throws ServiceFailure if the server takes the token for another user's, or doesn't say what it accepts. */
async function draftFor(
  { services }: TokenFlowParts,
  connection: Connection,
  { token, type }: FormerCredential,
): Promise<SummarizedDraft> {
  const loading = l10n.t('Loading token types from "{0}"…', connection.name);
  const facts = await showCancellableProgress(loading, (signal) => loadCreationFacts(services.get(connection), signal));
  if (facts.caller !== connection.actorUrn) {
    throw otherOwner(shortActorName(facts.caller), connection);
  }
  const names = [token?.name ?? '', `VS Code: ${connection.name}`.slice(0, 50).trim(), 'VS Code'];
  const actor = shortActorName(connection.actorUrn);
  const draft: TokenDraft = {
    type: type === 'SERVICE_ACCOUNT' ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: names.find((name) => tokenNameProblem(name) === undefined) ?? '',
    actor,
    duration: closestDuration(token?.createdAt, token?.expiresAt, facts.durations),
    description: token?.description ?? '',
  };
  return { draft, facts, actorOf: actorReaderFor(actor) };
}

function confirmRotation(
  connection: Connection,
  former: FormerCredential,
  { draft, facts }: SummarizedDraft,
): Promise<boolean> {
  const { name, duration, type } = draft;
  const lacking = lackingPrivilege(facts, type, true);
  return confirm(
    l10n.t('Rotate the access token of "{0}"?', connection.name),
    [
      ...productionLine(connection),
      l10n.t(
        'A new token "{0}" is created, tested and stored for this connection: {1}, {2}.',
        name,
        durationName(duration),
        validUntilText(duration),
      ),
      formerTokenFate(connection, former),
      ...(lacking === undefined ? [] : [lacking]),
    ],
    l10n.t('Rotate'),
  );
}

function formerTokenFate(connection: Connection, { token, expiresAt }: FormerCredential): string {
  if (connection.credentialSource === 'commandLineFile') {
    return l10n.t("The old token isn't revoked: it came from ~/.datahubenv, and datahub on this machine uses it.");
  }
  if (token !== undefined) {
    return l10n.t(
      'Then the old token "{0}" is revoked. Anything else that uses it will lose access to {1}, possibly after a few minutes. This can\'t be undone.',
      tokenLabel(token),
      connection.name,
    );
  }
  return formerTokenLivesOn(expiresAt);
}

function formerTokenLivesOn(expiresAt: TokenExpiry): string {
  return typeof expiresAt === 'number'
    ? l10n.t(
        "The old token stays valid until {0}: it wasn't created here, so its ID for revoking it isn't known.",
        formatsOf(language()).time(expiresAt),
      )
    : l10n.t(
        "The old token stays valid until it's revoked: it wasn't created here, so its ID for revoking it isn't known.",
      );
}

/** @returns the connection with the new token. Undefined if that isn't in use for sure, which was reported. */
async function testAndStore(
  parts: TokenFlowParts,
  connection: Connection,
  former: FormerCredential,
  issued: IssuedAccessToken,
): Promise<Connection | undefined> {
  const { superseded, created, tokenLists, notices } = parts;
  const { id, secret } = issued;
  // Marked at any time is only a token that the connection doesn't use.
  const mark = (unused: string | undefined, by: string | undefined): void =>
    void (unused !== undefined && superseded.mark(connection.id, unused, by).catch(() => undefined));
  mark(id, former.token?.id);
  try {
    await testToken(parts, connection, issued);
    if (id !== undefined) {
      await superseded.forgetToken(connection.id, id).catch(() => undefined);
    }
    const saved = await replaceCredential(parts, connection, secret.reveal(), id);
    mark(former.token?.id, id);
    if (issued.listed !== undefined) {
      created.releaseSecret(connection.id, issued.listed.id);
      tokenLists.get(connection.id).addCreatedToken(issued.listed);
    }
    return saved;
  } catch (thrown) {
    const isInUse = await isCredential(parts, connection, issued);
    if (!isInUse) {
      mark(id, former.token?.id);
    }
    notices.failure(unfinishedRotation(toServiceFailure(thrown), issued.name, isInUse), connection);
    if (!isInUse && id === undefined) {
      // Nothing else holds its value.
      await offerIssuedToken(parts, connection, issued);
    }
    return undefined;
  }
}

/** @throws ServiceFailure if the server doesn't take the token, or takes it for another user's. */
async function testToken(
  { services }: TokenFlowParts,
  connection: Connection,
  { secret }: IssuedAccessToken,
): Promise<void> {
  const transport = services.createTransport(connection, secret.reveal());
  try {
    const testing = l10n.t('Testing the new access token…');
    const owner = await showProgress(testing, false, () => askTokenOwner(transport));
    if (owner !== undefined && owner !== connection.actorUrn) {
      throw otherOwner(shortActorName(owner), connection);
    }
  } finally {
    transport.close();
  }
}

async function isCredential(
  { store, credentials }: TokenFlowParts,
  { id }: Connection,
  { secret }: IssuedAccessToken,
): Promise<boolean> {
  const current = store.get(id);
  const value = current && (await credentials.read(current).catch(() => undefined));
  return value === secret.reveal();
}

function unfinishedRotation(reason: ServiceFailure, name: string, isInUse: boolean): ServiceFailure {
  // Signing in again would not help: the connection has a token.
  const kind = reason.kind === 'signedOut' ? 'refused' : reason.kind;
  return new ServiceFailure(kind, l10n.t('The access token was not rotated completely: {0}', reason.message), {
    next: isInUse
      ? l10n.t('The connection uses the new token "{0}", and the old one stays valid.', name)
      : l10n.t('The connection uses its old token. Revoke the new one, "{0}", which is marked as superseded.', name),
  });
}

/** Revokes the old token, which was agreed to, or says that it lives on. */
async function endFormer(
  parts: TokenFlowParts,
  connection: Connection,
  { token, expiresAt }: FormerCredential,
  source: Connection['credentialSource'],
): Promise<void> {
  if (token === undefined) {
    void showInformation(formerTokenLivesOn(expiresAt));
  } else if (source !== 'commandLineFile' || (await confirmFileToken(parts, connection, token))) {
    await sendRevocations(parts, connection, [token]);
  }
}

/** @throws ServiceFailure if the connection became read-only, changed its server, or was removed. */
function confirmFileToken({ store }: TokenFlowParts, connection: Connection, token: AccessToken): Promise<boolean> {
  return confirmInCurrentRole(store, connection, (current) =>
    confirmOrKeep(
      l10n.t('Revoke the token "{0}" of the command line too?', tokenLabel(token)),
      [...productionLine(current), commandLineStopsText(current)],
      l10n.t('Keep Token'),
      l10n.t('Revoke'),
    ),
  );
}
