/** Creates an access token as drafted: sends it once, and holds its value. Each flow decides where the value goes. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { mayStillSend } from '../connections/mayStillSend.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { MetadataService } from '../service/service.ts';
import { tokenUrn, type AccessToken } from '../service/tokens/accessToken.ts';
import type { CreatedAccessToken } from '../service/tokens/tokenCreation.ts';
import type { WantedToken } from '../service/tokens/tokenSearch.ts';
import { showCancellableProgress, showProgress } from '../ui/messages.ts';
import type { SummarizedDraft } from './draftSummary.ts';
import { endOfDuration } from './expiry.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { mutationFailure } from './tokenTexts.ts';

/** How long to search for the token if the server returned no ID. Only this flow has its value until then. */
const LONGEST_LOOK_MILLIS = 5_000;

export interface IssuedAccessToken {
  readonly secret: TokenSecret;
  readonly name: string;
  /** Undefined if unknown: then nothing else holds the value. */
  readonly id: string | undefined;
  /** The token acts as the connection's own user. Only then may it become the credential. */
  readonly isSelf: boolean;
  /** As listed; undefined if its ID is unknown. */
  readonly listed: AccessToken | undefined;
}

/**
 * @param connection As the user was asked about it.
 * @returns undefined if it failed; the failure was reported.
 * @throws ServiceFailure `notSent` if the connection has changed since.
 */
export async function issueToken(
  parts: TokenFlowParts,
  connection: Connection,
  { draft, facts: { caller }, actorOf }: SummarizedDraft,
): Promise<IssuedAccessToken | undefined> {
  const checked = actorOf(draft.actor);
  const actorUrn = 'actorUrn' in checked ? checked.actorUrn : '';
  await parts.memory.load();
  const service = parts.services.get(connection);
  const sentAt = Date.now();
  // Copied: running the command again may edit the draft while the server answers.
  const { duration } = draft;
  const known = parts.tokenLists.get(connection.id).earlierListing;
  const wanted: WantedToken = { name: draft.name, ownerUrn: caller, since: sentAt, known };
  const isSelf = actorUrn === caller;
  let created: CreatedAccessToken;
  try {
    created = await showProgress(
      l10n.t('Creating the access token "{0}" on "{1}"…', draft.name, connection.name),
      false,
      () =>
        service.tokens.create(
          {
            type: draft.type,
            actorUrn,
            duration,
            name: draft.name,
            description: draft.description === '' ? undefined : draft.description,
          },
          isSelf,
          {
            mayStillSend: mayStillSend(parts, connection),
            isKnownId: (id) => isKnown(parts, connection, known.ids, id),
          },
        ),
    );
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    if (failure.kind === 'notSent') {
      throw failure;
    }
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
  const expiresAt = endOfDuration(duration, sentAt);
  // Hold the value before anything else can fail.
  parts.held.hold(connection.id, id, secret, expiresAt);
  const listed: AccessToken = {
    urn: tokenUrn(id),
    id,
    actorUrn,
    ownerUrn: caller,
    name,
    description,
    createdAt: sentAt,
    expiresAt,
  };
  // Not awaited: slow or failing storage must not delay offering the value.
  void parts.notices.unlessStored(
    parts.memory.remember(connection.id, listed, 'created'),
    l10n.t(
      'The access token "{0}" was created, but VS Code couldn\'t save its name and dates. They may be missing from the tree after this window closes.',
      name,
    ),
  );
  parts.tokenLists.get(connection.id).addCreatedToken(listed);
  return { secret, name, id, isSelf, listed };
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
