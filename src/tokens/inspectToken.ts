/** Inspects a token: reads its claims without a request, and asks a server about it only after the user agreed. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hostOf, type Connection, lacksConsent } from '../connections/connection.ts';
import { currentConnection } from '../connections/changeGate.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { productionLine } from '../connections/role.ts';
import { language } from '../language.ts';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { TokenSecret } from '../service/failure/secret.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { noTokenProblem, pastedToken, pastedTokenProblem } from '../service/tokens/pastedToken.ts';
import { readTokenClaims, type TokenClaims } from '../service/tokens/tokenClaims.ts';
import { lookUpToken } from '../service/tokens/tokenLookup.ts';
import { withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { askText, singleStep } from '../ui/inputSteps.ts';
import { askModal, confirm, type ModalParagraph } from '../ui/messages.ts';
import { showCancellableProgress } from '../ui/progress.ts';
import { expiryState, type TokenExpiry } from './expiry.ts';
import { revokeTokens } from './revokeTokens.ts';
import type { TokenFlowParts } from './tokenLists.ts';

/** A server's answer about the token: its record, if it has one. */
interface LookupAnswer {
  readonly connection: Connection;
  readonly token?: AccessToken | undefined;
  readonly failure?: ServiceFailure;
}

/** Takes the token from the editor's selection, else asks for it, and shows it until the user leaves. */
export async function inspectToken(parts: TokenFlowParts, concerns: (connection: Connection) => void): Promise<void> {
  const title = l10n.t('Inspect Access Token');
  const text = selectedToken() ?? (await askToken(title));
  const claims = text === undefined ? undefined : readTokenClaims(text);
  if (text === undefined || claims === undefined) {
    return;
  }
  // From now on no text that is shown can hold it.
  const secret = new TokenSecret(text);
  const ask: vscode.MessageItem = { title: l10n.t('Ask a Server…') };
  const revoke: vscode.MessageItem = { title: l10n.t('Revoke…') };
  let answer: LookupAnswer | undefined;
  for (;;) {
    const now = Date.now();
    const unasked = unaskedReason(claims, now);
    const isRevocable = unasked === undefined && answer?.token !== undefined && answer.connection.role !== 'readOnly';
    const chosen = await askModal(
      l10n.t('Contents of the access token'),
      [
        claimLines(claims, now),
        l10n.t("The signature isn't checked. When and by which server it was issued can't be read from a token."),
        ...(answer === undefined ? [] : answerParagraphs(answer)),
        ...(unasked === undefined ? [] : [unasked]),
      ],
      ...(unasked === undefined ? [ask] : []),
      ...(isRevocable ? [revoke] : []),
    );
    if (chosen === revoke && answer?.token !== undefined) {
      concerns(answer.connection);
      await revokeTokens(parts, answer.connection, [answer.token]);
    }
    if (chosen !== ask) {
      return;
    }
    answer = (await askServer(parts, title, secret, claims)) ?? answer;
  }
}

function selectedToken(): string | undefined {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  // Tokens have no line breaks.
  const selected = selection?.isSingleLine === true ? pastedToken(document?.getText(selection) ?? '') : undefined;
  return selected !== undefined && readTokenClaims(selected) !== undefined ? selected : undefined;
}

async function askToken(title: string): Promise<string | undefined> {
  const answer = await askText(singleStep(title), {
    value: '',
    password: true,
    prompt: l10n.t('Access token to inspect. Nothing is sent or stored.'),
    placeholder: l10n.t('Paste a token'),
    problem: (text) => (pastedToken(text) === '' ? l10n.t('Enter an access token.') : pastedTextProblem(text)),
  });
  return answer.kind === 'value' ? pastedToken(answer.value) : undefined;
}

function pastedTextProblem(text: string): string | undefined {
  const isToken = readTokenClaims(pastedToken(text)) !== undefined;
  return pastedTokenProblem(text) ?? (isToken ? undefined : noTokenProblem());
}

/** @returns undefined if the user left or cancelled. */
async function askServer(
  { store, services }: TokenFlowParts,
  title: string,
  secret: TokenSecret,
  { expiresAtMillis }: TokenClaims,
): Promise<LookupAnswer | undefined> {
  const connection = await pickConnection(store, undefined, title);
  if (connection === undefined || !(await confirmSending(connection))) {
    return undefined;
  }
  // The question named this server: another window may have led the connection elsewhere.
  await currentConnection(store, connection);
  // The dialog may have been open for hours. Shown again, it says why the token isn't sent.
  if (isExpired(expiresAtMillis, Date.now())) {
    return undefined;
  }
  try {
    const token = await showCancellableProgress(
      l10n.t('Asking "{0}" about the access token…', connection.name),
      (signal) => lookUpToken(services.get(connection).server, secret, signal),
    );
    return { connection, token };
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    return failure.kind === 'cancelled' ? undefined : { connection, failure };
  }
}

function confirmSending(connection: Connection): Promise<boolean> {
  const isReadable = lacksConsent({ baseUrl: connection.baseUrl });
  return confirm(
    l10n.t('Send this access token to "{0}"?', connection.name),
    [
      ...productionLine(connection),
      l10n.t(
        'The whole value of the token is sent to {0}, which looks up the token. If the token belongs to another server, {0} could use it there.',
        hostOf(connection),
      ),
      ...(isReadable
        ? [l10n.t('This address uses http://. Anyone on the network path can read your access token.')]
        : []),
    ],
    l10n.t('Send Token'),
  );
}

function claimLines({ type, actorId, expiresAtMillis }: TokenClaims, now: number): ModalParagraph {
  return [
    expiryLine(expiresAtMillis, now),
    actorId === undefined ? l10n.t('No user in the token') : l10n.t('Acts as {0}', actorId),
    kindText(type),
  ];
}

function kindText(type: string | undefined): string {
  switch (type) {
    case 'PERSONAL':
      return l10n.t('Personal access token');
    case 'SERVICE_ACCOUNT':
      return l10n.t('Service account token');
    case 'SESSION':
      return l10n.t('Session token, created by signing in to the web front end');
    case undefined:
      return l10n.t('No type in the token');
    default:
      return l10n.t('Type: {0}', type);
  }
}

function expiryLine(expiresAt: number | null, now: number): string {
  if (expiresAt === null) {
    return l10n.t('Never expires');
  }
  const { distance, exactTime } = formatsOf(language());
  const [relative, exact] = [distance(expiresAt, now), exactTime(expiresAt)];
  return expiresAt <= now ? l10n.t('Expired {0} ({1})', relative, exact) : l10n.t('Expires {0} ({1})', relative, exact);
}

function answerParagraphs({ connection: { name }, token, failure }: LookupAnswer): readonly ModalParagraph[] {
  if (failure !== undefined) {
    // Testing the connection can't tell more.
    const { headline, advice } = failure.kind === 'invalidDocument' ? failure.with({ next: undefined }) : failure;
    return [[l10n.t('{0}: {1}', name, headline), advice]];
  }
  if (token !== undefined) {
    return [
      [name, ...recordLines(token)],
      l10n.t(
        'A 401 from "{0}" means that the token\'s user was suspended or deleted, or that the signing key was changed.',
        name,
      ),
    ];
  }
  return [
    l10n.t('"{0}" returned an error, as servers usually do for unknown tokens.', name),
    l10n.t('A 401 from "{0}" means that the token was revoked there, or that another server issued it.', name),
  ];
}

/** What the token doesn't say itself. */
function recordLines({ name, createdAt, ownerUrn, id }: AccessToken): readonly string[] {
  return [
    name ? l10n.t('Name: {0}', withBothEnds(name)) : '',
    ownerUrn === undefined ? '' : l10n.t('Created by {0}', shortActorName(ownerUrn)),
    createdAt === undefined ? '' : l10n.t('Created {0}', formatsOf(language()).exactTime(createdAt)),
    l10n.t('ID: {0}', id),
  ];
}

/** Why no server is asked about it; undefined if one can be. */
function unaskedReason({ type, expiresAtMillis }: TokenClaims, now: number): string | undefined {
  if (isExpired(expiresAtMillis, now)) {
    return l10n.t("An expired token isn't sent to a server: using it deletes its record there.");
  }
  return type === 'SESSION'
    ? l10n.t("Servers don't keep records of session tokens, so they can't look one up.")
    : undefined;
}

function isExpired(expiresAt: TokenExpiry, now: number): boolean {
  return expiryState(expiresAt, now) === 'expired';
}
