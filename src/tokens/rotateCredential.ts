/**
 * Rotates the token that a connection signs in with. The old one is revoked last, once the new one was tested and
 * stored: wherever this is interrupted, the connection has a token that works.
 */
import * as l10n from '@vscode/l10n';
import { userOf, type Connection, type SignIn } from '../connections/connection.ts';
import { commandLineTokenPlace } from '../connections/credentialLife.ts';
import { admitChange } from '../connections/gate.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { productionLine } from '../connections/role.ts';
import { replaceCredential } from '../connections/signIn.ts';
import { language } from '../language.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { expiredFailure } from '../service/failure/localFailures.ts';
import { askTokenOwner } from '../service/server/callerRights.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { durationName } from '../service/tokens/durations.ts';
import { readTokenClaims, type TokenClaims } from '../service/tokens/tokenClaims.ts';
import { formatsOf } from '../ui/formats.ts';
import { runInputSteps } from '../ui/inputSteps.ts';
import { confirm, showInformation } from '../ui/messages.ts';
import { showCancellableProgress, showProgress } from '../ui/progress.ts';
import { issueToken, rememberIssued, type IssuedAccessToken } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import { loadCreationFacts, type TokenDraft, tokenDurationStep, validUntilText } from './tokenDraft.ts';
import type { SummarizedDraft } from './draftSummary.ts';
import { closestDuration, type TokenExpiry } from './expiry.ts';
import { oldTokenStays, sendRevocations } from './revokeTokens.ts';
import { tokenLabel } from './tokenAppearance.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { tokenNameProblem } from './tokenTexts.ts';

interface FormerCredential {
  /** Undefined if its ID is unknown: then it isn't revoked. */
  readonly token: AccessToken | undefined;
  readonly type: TokenClaims['type'];
  readonly expiresAt: TokenExpiry;
  readonly source: SignIn['source'];
}

/**
 * Asks once, and for the length only if that of the old token is unknown.
 * @throws ServiceFailure if this credential can't be rotated, or the server doesn't say what it accepts.
 */
export function rotateCredential(parts: TokenFlowParts, connection: Connection, title: string): Promise<void> {
  return askingAgain(
    () => admitChange(parts.store, connection),
    (agreed) => askAndRotate(parts, agreed, title),
  );
}

async function askAndRotate(parts: TokenFlowParts, connection: Connection, title: string): Promise<void> {
  const former = await formerCredential(parts, connection);
  const summarized = await draftFor(parts, connection, former);
  const { draft, facts } = summarized;
  if (former.token?.createdAt === undefined || former.token.expiresAt === undefined) {
    if (!(await runInputSteps(title, [tokenDurationStep(draft, facts)]))) {
      return;
    }
  }
  if (!(await confirmRotation(connection, former, summarized))) {
    return;
  }
  const issued = await issueToken(parts, connection, summarized);
  if (issued === undefined) {
    return;
  }
  const saved = await testAndStore(parts, connection, issued);
  if (saved !== undefined) {
    await endFormer(parts, saved, former);
    // Last, so that the end of the former token doesn't cover it.
    parts.notices.done(l10n.t('"{0}" now signs in with a new access token', saved.name));
  }
}

/** @throws ServiceFailure if there is none, or it can't be rotated. */
async function formerCredential(parts: TokenFlowParts, connection: Connection): Promise<FormerCredential> {
  const { credentials, held } = parts;
  const value = await credentials.read(connection);
  if (value === undefined) {
    throw new ServiceFailure('signedOut', l10n.t('This connection is signed out, so there is no token to rotate.'), {
      next: l10n.t('Sign in first.'),
    });
  }
  const claims = readTokenClaims(value);
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
  if (claims?.actorId !== undefined && connection.actorUrn?.endsWith(`:${claims.actorId}`) === false) {
    throw otherOwner(claims.actorId, connection);
  }
  const { tokenId, source } = connection.signIn ?? {};
  const id = tokenId ?? held.idOf(connection.id, value);
  const token = id === undefined ? undefined : await tokenOf(parts, connection.id, id);
  return { token, type: claims?.type, expiresAt, source };
}

/** With its name and length, if it is listed. */
async function tokenOf({ tokenLists, memory }: TokenFlowParts, connectionId: string, id: string): Promise<AccessToken> {
  const list = tokenLists.get(connectionId);
  await Promise.all([memory.load(), list.ensureShown()]);
  return list.tokens.find((one) => one.id === id) ?? memory.tokenOf(connectionId, id);
}

function otherOwner(owner: string, connection: Connection): ServiceFailure {
  return new ServiceFailure(
    'badRequest',
    l10n.t("The token belongs to {0}, not to {1}, so it wasn't rotated.", owner, userOf(connection)),
    { next: l10n.t("Change the connection's user, or sign in with a token of that user.") },
  );
}

/** @throws ServiceFailure if the server takes the token for another user's, or doesn't say what it accepts. */
async function draftFor(
  { services }: TokenFlowParts,
  connection: Connection,
  { type, token }: FormerCredential,
): Promise<SummarizedDraft> {
  const loading = l10n.t('Loading token types from "{0}"…', connection.name);
  const facts = await showCancellableProgress(loading, (signal) => loadCreationFacts(services.get(connection), signal));
  if (connection.actorUrn !== undefined && facts.caller !== connection.actorUrn) {
    throw otherOwner(shortActorName(facts.caller), connection);
  }
  const names = [token?.name ?? '', `VS Code: ${connection.name}`.slice(0, 50).trim(), 'VS Code'];
  const draft: TokenDraft = {
    type: type === 'SERVICE_ACCOUNT' ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: names.find((name) => tokenNameProblem(name) === undefined) ?? '',
    actorUrn: facts.caller,
    duration: closestDuration(token?.createdAt, token?.expiresAt, facts.durations),
    description: token?.description ?? '',
  };
  return { draft, facts };
}

function confirmRotation(
  connection: Connection,
  former: FormerCredential,
  { draft }: SummarizedDraft,
): Promise<boolean> {
  const { name, duration } = draft;
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
    ],
    l10n.t('Rotate'),
  );
}

function formerTokenFate(connection: Connection, { token, expiresAt, source }: FormerCredential): string {
  if (source !== undefined) {
    return l10n.t(
      "The old token isn't revoked: it came from {0}, and the datahub command on this machine uses it.",
      commandLineTokenPlace(source),
    );
  }
  if (token !== undefined) {
    return l10n.t(
      'Then the old token "{0}" is revoked. Anything else that uses it will lose access to {1}, possibly after a few minutes. This can\'t be undone.',
      tokenLabel(token),
      connection.name,
    );
  }
  return typeof expiresAt === 'number'
    ? l10n.t(
        "The old token stays valid until {0}: its ID isn't known here. To revoke it, select it under Access tokens.",
        formatsOf(language()).time(expiresAt),
      )
    : l10n.t("The old token stays valid: its ID isn't known here. To revoke it, select it under Access tokens.");
}

/** @returns the connection with the new token. Undefined if it doesn't sign in with that: then the token was offered. */
async function testAndStore(
  parts: TokenFlowParts,
  connection: Connection,
  issued: IssuedAccessToken,
): Promise<Connection | undefined> {
  const { id, secret, listed } = issued;
  rememberIssued(parts, connection, issued);
  let saved: Connection | undefined;
  let isTested = false;
  try {
    await testToken(parts, connection, issued);
    isTested = true;
    saved = await replaceCredential(parts, connection, secret.reveal(), id);
  } catch (thrown) {
    parts.notices.failure(unfinishedRotation(toServiceFailure(thrown), issued), connection);
    await offerIssuedToken(parts, connection, { ...issued, isSelf: isTested && issued.isSelf });
    return undefined;
  }
  if (listed !== undefined) {
    // Signing in dropped the loaded list.
    parts.tokenLists.get(connection.id).addCreatedToken(listed);
  }
  return saved;
}

/** @throws ServiceFailure if the server doesn't take the token, or takes it for another user's. */
async function testToken(
  { services, credentials }: TokenFlowParts,
  connection: Connection,
  { secret }: IssuedAccessToken,
): Promise<void> {
  const { headers } = await credentials.readSecrets(connection);
  const transport = services.createTransport(connection, { token: secret.reveal(), headers });
  try {
    const testing = l10n.t('Testing the new access token…');
    const owner = await showProgress(testing, false, () => askTokenOwner(transport));
    if (owner !== undefined && connection.actorUrn !== undefined && owner !== connection.actorUrn) {
      throw otherOwner(shortActorName(owner), connection);
    }
  } finally {
    transport.close();
  }
}

function unfinishedRotation(reason: ServiceFailure, { name }: IssuedAccessToken): ServiceFailure {
  // Signing in again would not help: the connection has a token.
  const kind = reason.kind === 'signedOut' ? 'refused' : reason.kind;
  return new ServiceFailure(kind, l10n.t("The access token wasn't fully rotated: {0}", reason.message), {
    next: l10n.t('The new token "{0}" isn\'t used by the connection. Revoke it if you don\'t need it.', name),
  });
}

/** Revokes the old token, which was agreed to, or says that it lives on. */
async function endFormer(parts: TokenFlowParts, connection: Connection, former: FormerCredential): Promise<void> {
  const { token, source } = former;
  if (token === undefined || source !== undefined) {
    void showInformation(formerTokenFate(connection, former));
    return;
  }
  // Signing in dropped the list, which tells what became of the old token if the answer is lost.
  await parts.tokenLists.get(connection.id).ensureTried();
  await sendRevocations(parts, connection, [token], new Map()).catch((thrown: unknown) =>
    parts.notices.failure(oldTokenStays(thrown, token), connection),
  );
}
