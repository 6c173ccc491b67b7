/** Inspects a token: reads its claims without a request, and asks a server about it only after the user agreed. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hostOf, type Connection } from '../connections/connection.ts';
import { lacksConsent } from '../connections/plainHttpConsent.ts';
import { currentConnection } from '../connections/gate.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { productionLine } from '../connections/role.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import { TokenSecret } from '../service/failure/secret.ts';
import { noTokenProblem, pastedToken, pastedTokenProblem } from '../service/tokens/pastedToken.ts';
import { readTokenClaims } from '../service/tokens/tokenClaims.ts';
import { lookUpToken } from '../service/tokens/tokenLookup.ts';
import { askPick, askText, singleStep } from '../ui/inputSteps.ts';
import { confirm } from '../ui/messages.ts';
import { showCancellableProgress } from '../ui/progress.ts';
import {
  inspectionItems,
  type Inspection,
  type InspectionAction,
  type InspectionItem,
  type LookupAnswer,
} from './inspectionItems.ts';
import { revokeTokens } from './revokeTokens.ts';
import type { TokenFlowParts } from './tokenLists.ts';

/** Takes the token from the editor's selection, else asks for it, and shows it until the user leaves. */
export async function inspectToken(parts: TokenFlowParts): Promise<void> {
  const title = l10n.t('Inspect Access Token');
  const text = selectedToken() ?? (await askToken(title));
  const claims = text === undefined ? undefined : readTokenClaims(text);
  if (text === undefined || claims === undefined) {
    return;
  }
  // From now on no text that is shown can hold it.
  const secret = new TokenSecret(text);
  const signingIn = await connectionsSignedInWith(parts, secret);
  let answer: LookupAnswer | undefined;
  for (;;) {
    const action = await askInspectionAction(title, { claims, signingIn, answer });
    if (action === 'revoke' && answer?.outcome.kind === 'known') {
      // Any window may have signed in or out meanwhile, and the question names these connections.
      const using = await connectionsSignedInWith(parts, secret);
      await revokeTokens(parts, answer.connection, [answer.outcome.token], using);
    }
    if (action !== 'ask') {
      return;
    }
    answer = (await askServer(parts, title, secret)) ?? answer;
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

async function connectionsSignedInWith(
  { store, credentials }: Pick<ConnectionParts, 'store' | 'credentials'>,
  secret: TokenSecret,
): Promise<readonly Connection[]> {
  await store.load();
  const matching = await Promise.all(
    store.all().map(async (connection) => {
      const credential = await credentials.read(connection).catch(() => undefined);
      return credential === secret.reveal() ? [connection] : [];
    }),
  );
  return matching.flat();
}

/** @returns undefined if the user left. */
async function askInspectionAction(title: string, inspection: Inspection): Promise<InspectionAction | undefined> {
  const items = inspectionItems(inspection);
  const answer = await askPick(singleStep(title), {
    items,
    active: items.find(isChoice),
    placeholder: l10n.t('What the access token says about itself'),
    isChoice,
  });
  return answer.kind === 'value' ? answer.value.action : undefined;
}

function isChoice({ action }: InspectionItem): boolean {
  return action !== undefined;
}

/** @returns undefined if the user left or cancelled. */
async function askServer(
  { store, services }: TokenFlowParts,
  title: string,
  secret: TokenSecret,
): Promise<LookupAnswer | undefined> {
  const connection = await pickConnection(store, undefined, title);
  if (connection === undefined || !(await confirmSending(connection))) {
    return undefined;
  }
  // The question named this server: another window may have led the connection elsewhere.
  await currentConnection(store, connection);
  try {
    const outcome = await showCancellableProgress(
      l10n.t('Asking {0} about the access token…', hostOf(connection)),
      (signal) => lookUpToken(services.get(connection).server, secret, signal),
    );
    return { connection, outcome };
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    return failure.kind === 'cancelled' ? undefined : { connection, outcome: { kind: 'failed', failure } };
  }
}

function confirmSending(connection: Connection): Promise<boolean> {
  const isReadable = lacksConsent({ baseUrl: connection.baseUrl });
  return confirm(
    l10n.t('Send this access token to {0}?', hostOf(connection)),
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
