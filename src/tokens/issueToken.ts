/** Issues an access token: asks, and sends it once. Each flow decides where the value goes. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { admitChange, mayStillSend } from '../connections/changeGate.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import { tokenUrn, type AccessToken } from '../service/tokens/accessToken.ts';
import type { CreatedKind } from '../service/tokens/tokens.ts';
import type { CreatedAccessToken, TokenCreationRequest } from '../service/tokens/tokenCreation.ts';
import { runInputSteps, type InputStep } from '../ui/inputSteps.ts';
import { showCancellableProgress, showProgress } from '../ui/progress.ts';
import { askDraftSummary, SummaryLoad, type SummarizedDraft, type SummaryTexts } from './draftSummary.ts';
import { endOfDuration } from '../service/tokens/durations.ts';
import { loadCreationFacts, type TokenCreationFacts, type TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { mutationFailure } from './tokenTexts.ts';

export interface IssuedAccessToken {
  readonly secret: TokenSecret;
  readonly name: string;
  /** The token acts as the connection's own user. Only then may it become the credential. */
  readonly isSelf: boolean;
  /** As listed; undefined if its ID is unknown: then it can't be held, shown or revoked. */
  readonly listed: AccessToken | undefined;
}

interface TokenForm extends Omit<SummaryTexts, 'connection'> {
  readonly title: string;
  readonly creates: CreatedKind;
  /** Called each time the facts were loaded. */
  readonly draftFor: (facts: TokenCreationFacts) => TokenDraft;
  /** Asked before the summary, but not again if the user has to be asked again. */
  readonly stepsBefore?: readonly InputStep[];
}

/**
 * Shows a draft until the user accepts it, and issues it.
 * @returns undefined if the user cancelled, or it failed and was reported.
 * @throws ServiceFailure if the connection is read-only, has another server or user, or is gone.
 */
export function askAndIssue(
  parts: TokenFlowParts,
  connection: Connection,
  { title, creates, draftFor, stepsBefore = [], ...texts }: TokenForm,
): Promise<IssuedAccessToken | undefined> {
  let toAsk = stepsBefore;
  return askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const stop = new AbortController();
      const service = parts.services.get(agreed);
      const load = new SummaryLoad(async () => {
        const facts = await loadCreationFacts(service, creates, stop.signal);
        return { draft: draftFor(facts), facts };
      });
      const isRefused = service.tokens.cannotCreate(creates);
      const first = load.attempt();
      // While the steps are asked. The summary reports a failure.
      first.catch(() => undefined);
      const summary: InputStep = {
        ask: (place) => askDraftSummary(place, { ...texts, connection: connection.name }, load),
      };
      let isAccepted = false;
      try {
        if (isRefused) {
          // Before the user types a name for nothing.
          const loading = l10n.t('Loading token types from "{0}"…', connection.name);
          await showCancellableProgress(loading, () => first);
        }
        isAccepted = await runInputSteps(title, [...toAsk, summary]);
      } finally {
        stop.abort();
      }
      toAsk = [];
      const issued = isAccepted && load.loaded !== undefined ? await issueToken(parts, agreed, load.loaded) : undefined;
      if (issued?.listed !== undefined && parts.store.get(agreed.id) !== undefined) {
        // Not awaited: slow or failing storage must not delay the test or the offer of a token that exists.
        parts.memory.remember(agreed.id, issued.listed, 'created').catch(() => undefined);
      }
      return issued;
    },
  );
}

/**
 * @param connection As the user was asked about it.
 * @returns undefined if it failed; the failure was reported.
 * @throws ServiceFailure `notSent` if the connection has changed since.
 */
export async function issueToken(
  parts: TokenFlowParts,
  connection: Connection,
  { draft: { type, actorUrn, name, duration, description }, facts: { caller } }: SummarizedDraft,
): Promise<IssuedAccessToken | undefined> {
  const isSelf = actorUrn === caller;
  await parts.memory.load();
  const sentAt = Date.now();
  const request = { type, actorUrn, duration, name, description: description === '' ? undefined : description };
  const created = await sendCreation(parts, connection, request, isSelf);
  if (created === undefined || created.id === '') {
    // The listing may show it later.
    void parts.tokenLists.get(connection.id).refresh();
    return created && { secret: created.secret, name: created.name, isSelf, listed: undefined };
  }
  const { secret, id } = created;
  const listed: AccessToken = {
    urn: tokenUrn(id),
    id,
    actorUrn,
    ownerUrn: caller,
    name: created.name,
    description: created.description,
    createdAt: sentAt,
    expiresAt: endOfDuration(duration, sentAt),
  };
  parts.tokenLists.get(connection.id).addCreatedToken(listed);
  return { secret, name: created.name, isSelf, listed };
}

/** @returns undefined if it failed; the failure was reported. @throws ServiceFailure `notSent`. */
async function sendCreation(
  parts: TokenFlowParts,
  connection: Connection,
  request: TokenCreationRequest,
  isSelf: boolean,
): Promise<CreatedAccessToken | undefined> {
  const service = parts.services.get(connection);
  const listed = parts.tokenLists.get(connection.id).knownIds;
  const check = {
    mayStillSend: mayStillSend(parts, connection),
    isKnownId: (id: string) => isKnown(parts, connection, listed, id),
  };
  try {
    return await showProgress(
      l10n.t('Creating the access token "{0}" on "{1}"…', request.name, connection.name),
      false,
      () => service.tokens.create(request, isSelf, check),
    );
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    if (failure.kind === 'notSent') {
      throw failure;
    }
    // It is never created again.
    const next = l10n.t(
      'The token "{0}" may or may not have been created on "{1}". Refresh the tokens in a moment; if it\'s there, revoke it, since its value is lost.',
      request.name,
      connection.name,
    );
    parts.notices.failure(failure.mayHaveActed ? failure.with({ next }) : failure, connection);
    return undefined;
  }
}

/** True for a token that was listed, created here or signed in with before. */
function isKnown(
  { memory }: TokenFlowParts,
  { id: connectionId, signIn }: Connection,
  listed: ReadonlySet<string>,
  id: string,
): boolean {
  return id === signIn?.tokenId || listed.has(id) || memory.knows(connectionId, id);
}
