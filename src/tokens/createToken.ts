/** Creates an access token: asks step by step, sends once, and offers the string once. */
import * as l10n from '@vscode/l10n';
import { type Connection, identityOf } from '../connections/connection.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import type { WantedToken } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { CreatedToken } from '../service/tokens/tokenCreation.ts';
import { runInputSteps } from '../ui/inputSteps.ts';
import { draftSteps } from './draftSteps.ts';
import { actorReaderFor, type CreationFacts, loadCreationFacts, type TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokens.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import { endOfDuration } from './expiry.ts';
import { mutationFailure } from './revocationFailure.ts';
import { type OfferedToken, offerToken } from './offerToken.ts';

/**
 * Asks, creates, and offers the value.
 * @param draft Proposed values. Keeps what was typed, so leaving or a refusal loses nothing.
 * @returns true if created; false if the user left, or creation failed and was reported.
 * @throws ServiceFailure if the server does not report what it accepts; nothing was asked then.
 */
export async function createToken(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  const facts = await loadCreationFacts(parts.services.get(connection), connection.name);
  draft.actor = draft.actor === '' ? shortActorName(facts.caller) : draft.actor;
  const actorOf = actorReaderFor(draft.actor);
  const { type, name, actor, duration, description } = draftSteps(draft, facts, actorOf);
  if (!(await runInputSteps(title, [type, name, actor, duration, description]))) {
    return false;
  }
  const checked = actorOf(draft.actor);
  const issued = await issueToken(parts, connection, draft, 'actorUrn' in checked ? checked.actorUrn : '', facts);
  if (issued === undefined) {
    return false;
  }
  await offerIssuedToken(parts, connection, issued);
  return true;
}

/** How long to search for the token if the server returned no ID. Only this flow has its value until then. */
const LONGEST_LOOK_MILLIS = 5_000;

export interface IssuedToken extends OfferedToken {
  /** As listed; undefined if its ID is unknown. */
  readonly listed: AccessToken | undefined;
}

/** @returns undefined if it failed; the failure was reported. */
export async function issueToken(
  parts: TokenFlowParts,
  connection: Connection,
  draft: TokenDraft,
  actorUrn: string,
  { caller }: CreationFacts,
): Promise<IssuedToken | undefined> {
  const service = parts.services.get(connection);
  const sentAt = Date.now();
  // Copied: running the command again may edit the draft while the server answers.
  const { duration } = draft;
  const known = parts.tokenLists.get(connection.id).listedNow;
  const wanted: WantedToken = { name: draft.name, ownerUrn: caller, since: sentAt, known };
  const isSelf = actorUrn === caller;
  let created: CreatedToken;
  try {
    created = await showProgress(l10n.t('Creating the access token "{0}"…', draft.name), false, () =>
      service.tokens.create(
        {
          type: draft.type,
          actorUrn,
          duration,
          name: draft.name,
          description: draft.description === '' ? undefined : draft.description,
        },
        isSelf,
      ),
    );
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    parts.notices.failure(
      failure.mayHaveActed ? await withLostTokenAdvice(service, wanted, failure) : failure,
      connection,
    );
    void parts.tokenLists.get(connection.id).refresh();
    return undefined;
  }
  const { secret, name, description } = created;
  const id = created.id || (await findCreatedToken(service, wanted, AbortSignal.timeout(LONGEST_LOOK_MILLIS)))?.id;
  if (id === undefined) {
    // Without an ID it can't be held, shown or revoked. The listing may show it later.
    void parts.tokenLists.get(connection.id).refresh();
    return { secret, name, id, isSelf, listed: undefined };
  }
  // Hold the value before anything else can fail.
  parts.created.holdSecret(connection.id, id, secret);
  const listed: AccessToken = {
    urn: `urn:li:dataHubAccessToken:${id}`,
    id,
    actorUrn,
    ownerUrn: caller,
    name,
    description,
    createdAt: sentAt,
    expiresAt: endOfDuration(duration, sentAt),
  };
  // Not awaited: slow or failing storage must not delay offering the value.
  void parts.notices.unlessStored(
    parts.created.remember(connection.id, listed),
    l10n.t(
      'The access token "{0}" was created, but VS Code couldn\'t save its name and dates. They may be missing from the tree after this window closes.',
      name,
    ),
  );
  parts.tokenLists.get(connection.id).addCreated(listed);
  return { secret, name, id, isSelf, listed };
}

/** Offers the value once. */
export async function offerIssuedToken(
  parts: TokenFlowParts,
  connection: Connection,
  issued: IssuedToken,
): Promise<void> {
  await offerToken(parts, connection, issued);
  const current = parts.store.get(connection.id);
  if (issued.listed !== undefined && current !== undefined && identityOf(current) === identityOf(connection)) {
    // Signing in dropped the loaded list, and the listing may lag. Another server never lists it.
    parts.tokenLists.get(connection.id).addCreated(issued.listed);
  }
}

/** The response was lost, and the value with it. Look the token up, but never create it again. */
async function withLostTokenAdvice(
  service: MetadataService,
  wanted: WantedToken,
  failure: ServiceFailure,
): Promise<ServiceFailure> {
  const found = await findCreatedToken(service, wanted);
  return failure.with({
    next:
      found === undefined
        ? l10n.t(
            'The token "{0}" may or may not have been created. Refresh the tokens in a moment; if it\'s there, revoke it, since its value is lost.',
            wanted.name,
          )
        : l10n.t('Token "{0}" was created, but its value was lost. Revoke it and create a new one.', wanted.name),
  });
}

/** Undefined also if the search failed or was cancelled. */
function findCreatedToken(
  service: MetadataService,
  { name, ownerUrn, since, known }: WantedToken,
  limit?: AbortSignal,
): Promise<AccessToken | undefined> {
  return showCancellableProgress(l10n.t('Looking for the access token "{0}" on the server…', name), (stop) => {
    const signal = limit === undefined ? stop : AbortSignal.any([stop, limit]);
    return service.tokens.findCreated(name, ownerUrn, since, signal, known);
  }).catch(() => undefined);
}
