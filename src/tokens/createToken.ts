/** Creates an access token: asks step by step, sends once, and offers the string once. */
import * as l10n from '@vscode/l10n';
import { type Connection, identityOf } from '../connections/connection.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { runSteps } from '../ui/inputSteps.ts';
import { draftSteps } from './draftSteps.ts';
import { actorsFrom, type CreationFacts, loadCreationFacts, type TokenDraft } from './tokenDraft.ts';
import type { TokenParts } from './tokens.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import type { WantedToken } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { CreatedToken } from '../service/tokens/tokenCreation.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import { endOf } from './expiry.ts';
import { mutationFailure } from './revocationFailure.ts';
import { type OfferedToken, offerToken } from './offerToken.ts';

/**
 * Asks, creates, offers the string.
 * @param draft What is proposed; it keeps what was typed, so that leaving or a refusal loses nothing.
 * @returns whether it was created: false when the person left, or it failed and was told.
 * @throws ServiceFailure when the server does not tell what it takes; then nothing was asked.
 */
export async function createToken(
  parts: TokenParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  const facts = await loadCreationFacts(parts.services.get(connection), connection.name);
  draft.actor = draft.actor === '' ? shortActorName(facts.caller) : draft.actor;
  const actorOf = actorsFrom(draft.actor);
  const { type, name, actor, duration, description } = draftSteps(draft, facts, actorOf);
  if (!(await runSteps(title, [type, name, actor, duration, description]))) {
    return false;
  }
  const checked = actorOf(draft.actor);
  const issued = await issueToken(parts, connection, draft, 'actorUrn' in checked ? checked.actorUrn : '', facts);
  if (issued === undefined) {
    return false;
  }
  await offerIssued(parts, connection, issued);
  return true;
}

/** Until it's offered nothing but this flow has the string: a server that gives no ID is searched for it so long, in ms. */
const LONGEST_LOOK_MILLIS = 5_000;

export interface IssuedToken extends OfferedToken {
  /** As the list shows it; undefined where neither the server told its id nor was it found. */
  readonly listed: AccessToken | undefined;
}

/** @returns undefined when it failed, which was told. */
export async function issueToken(
  parts: TokenParts,
  connection: Connection,
  draft: TokenDraft,
  actorUrn: string,
  { caller }: CreationFacts,
): Promise<IssuedToken | undefined> {
  const service = parts.services.get(connection);
  const sentAt = Date.now();
  // The draft may be edited again while the server answers: by the command, run once more.
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
    parts.notices.failure(failure.mayHaveActed ? await lookForLost(service, wanted, failure) : failure, connection);
    void parts.tokenLists.get(connection.id).refresh();
    return undefined;
  }
  const { secret, name, description } = created;
  const id = created.id || (await lookFor(service, wanted, AbortSignal.timeout(LONGEST_LOOK_MILLIS)))?.id;
  if (id === undefined) {
    // Without an id there is nothing to hold it by, to show or to revoke: the listing may show it later.
    void parts.tokenLists.get(connection.id).refresh();
    return { secret, name, id, isSelf, listed: undefined };
  }
  // Held before anything else can fail: from here on the string must not be lost.
  parts.created.hold(connection.id, id, secret);
  const listed: AccessToken = {
    urn: `urn:li:dataHubAccessToken:${id}`,
    id,
    actorUrn,
    ownerUrn: caller,
    name,
    description,
    createdAt: sentAt,
    expiresAt: endOf(duration, sentAt),
  };
  // Not waited for: storage that fails or is slow must not keep the string from being offered.
  void parts.notices.unlessStored(
    parts.created.remember(connection.id, listed),
    l10n.t(
      'The access token "{0}" was created, but VS Code couldn\'t save its name and dates. They may be missing from the tree after this window closes.',
      name,
    ),
  );
  parts.tokenLists.get(connection.id).created(listed);
  return { secret, name, id, isSelf, listed };
}

/** Offers the string, once. */
export async function offerIssued(parts: TokenParts, connection: Connection, issued: IssuedToken): Promise<void> {
  await offerToken(parts, connection, issued);
  const current = parts.store.get(connection.id);
  if (issued.listed !== undefined && current !== undefined && identityOf(current) === identityOf(connection)) {
    // Signing in throws away what was loaded, and the listing may not have heard of the token yet. Another server's never will.
    parts.tokenLists.get(connection.id).created(issued.listed);
  }
}

/** The answer was lost, so nobody has the string; whether the token exists can be looked up, never tried again. */
async function lookForLost(
  service: MetadataService,
  wanted: WantedToken,
  failure: ServiceFailure,
): Promise<ServiceFailure> {
  const found = await lookFor(service, wanted);
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

/** Undefined also when looking failed or was given up: then it is not known. */
function lookFor(
  service: MetadataService,
  { name, ownerUrn, since, known }: WantedToken,
  limit?: AbortSignal,
): Promise<AccessToken | undefined> {
  return showCancellableProgress(l10n.t('Looking for the access token "{0}" on the server…', name), (stop) => {
    const signal = limit === undefined ? stop : AbortSignal.any([stop, limit]);
    return service.tokens.findCreated(name, ownerUrn, since, signal, known);
  }).catch(() => undefined);
}
