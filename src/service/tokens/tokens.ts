/** Access tokens over GraphQL (PROTOCOL.md §4.3, §5). */
import * as l10n from '@vscode/l10n';
import type { MayStillSend } from '../http/transport.ts';
import {
  parseCreatedToken,
  creationDocument,
  creationInput,
  explainCreationRefusal,
  type CreatedAccessToken,
  type TokenCreationRequest,
} from './tokenCreation.ts';
import { tokenCreationOperation, LIST_OWN_TOKENS, LIST_ALL_TOKENS, REVOKE_TOKEN } from '../failure/privileges.ts';
import { ServiceFailure, toServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { documentFor } from '../http/documentFor.ts';
import type { KnownServer } from '../server/knownServer.ts';
import type { TokenDuration } from './durations.ts';
import { listServiceAccounts, type ServiceAccount } from './serviceAccounts.ts';
import { isTrueOfRelease, LISTING_BY_DESCRIPTION, type ListingSchema } from '../server/facts.ts';
import {
  type AccessTokenPage,
  listAllTokens,
  listingDocument,
  parseTokenPage,
  type TokenListingRequest,
} from './tokenListing.ts';

export const REVOKE_DOCUMENT = documentFor('mutation', 'revokeAccessToken', { variables: { tokenId: 'String!' } });

/** Managers get this for an unknown ID (PROTOCOL.md §5.8). Others are refused, as for another user's token. */
const NO_LONGER_EXISTS = /\baccess token no longer exists\b/i;

/** `signedOut`: revoked, and the server refuses the credential since, which was the token. */
type RevocationResult = 'revoked' | 'alreadyGone' | 'signedOut';

/** A token that acts as the caller, or any: those of service accounts take another privilege. */
export type CreatedKind = 'own' | 'any';

export class AccessTokens {
  readonly #server: KnownServer;

  constructor(server: KnownServer) {
    this.#server = server;
  }

  /** True if the caller is known to lack the privileges, as of the session's first questions. Asks nothing. */
  cannotCreate(what: CreatedKind): boolean {
    const { caller, rights } = this.#server.known;
    const isOnlyForAccounts = caller?.identity?.mayGenerateTokens === false;
    return isOnlyForAccounts && (what === 'own' || rights?.manageServiceAccounts === false);
  }

  /**
   * Asks the server again, since a privilege may have been granted.
   * @throws ServiceFailure `refused` if the caller still lacks it.
   */
  async requireCreation(what: CreatedKind, signal?: AbortSignal): Promise<void> {
    if (this.cannotCreate(what)) {
      this.#server.forgetCaller();
    }
    await this.#askCreationRights(signal);
    if (this.cannotCreate(what)) {
      const { name, actionPhrase, privilege } = tokenCreationOperation(false, true);
      throw new ServiceFailure('refused', l10n.t("You aren't allowed to {0}.", actionPhrase()), {
        operation: name,
        privilege,
        next: l10n.t('Ask a server administrator for the privilege "{0}".', privilege ?? ''),
      });
    }
  }

  /**
   * Reads one page (PROTOCOL.md §5.6). Always sends `start` and `count`: older servers fail without them.
   * @throws ServiceFailure; `refused` names the missing privilege.
   */
  async list(request: TokenListingRequest, signal?: AbortSignal): Promise<AccessTokenPage> {
    return this.#server.transport.repeatRead(() => this.#listInThisDialect(request, signal), signal);
  }

  /**
   * Lists the caller's own tokens. Doesn't wait for the server to say who that is, if that and how to ask were known
   * before: both rarely change.
   * @throws ServiceFailure; as `callerActorUrn` does.
   */
  async listOwn(
    { filters, start, count }: Omit<TokenListingRequest, 'scope'>,
    signal: AbortSignal,
  ): Promise<AccessTokenPage> {
    const { appVersion, filter, tokenFields } = this.#server.known;
    const list = (ownerUrn: string, until: AbortSignal): Promise<AccessTokenPage> =>
      this.list({ filters, start, count, scope: { kind: 'owned', ownerUrn } }, until);
    const stop = new AbortController();
    const isAskable = filter !== undefined && tokenFields !== undefined;
    const expected = isAskable ? this.#server.expectedCallerUrn : undefined;
    const listing = expected === undefined ? undefined : list(expected, AbortSignal.any([signal, stop.signal]));
    // A failure counts only if that is the caller.
    listing?.catch(() => undefined);
    try {
      const caller = await this.#server.callerActorUrn(signal);
      await this.#askCreationRights(signal);
      const isUpgraded = appVersion !== undefined && appVersion !== this.#server.known.appVersion;
      return await (listing && caller === expected && !isUpgraded ? listing : list(caller, signal));
    } finally {
      stop.abort();
    }
  }

  /**
   * True if the server compares values of a filter.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async canCompare(signal?: AbortSignal): Promise<boolean> {
    return (await this.#server.fact('filter', signal)).hasCondition;
  }

  /** Durations to offer for a new token, shortest first and "never" last. */
  async offeredDurations(signal?: AbortSignal): Promise<readonly TokenDuration[]> {
    const [durations] = await Promise.all([
      this.#server.fact('durations', signal),
      // For the release.
      this.#server.fact('identity', signal),
    ]);
    const createsWeeks = isTrueOfRelease('createsWeeks', this.#server.release);
    return durations.filter((duration) => duration !== 'ONE_WEEK' || createsWeeks !== false);
  }

  /**
   * Lists service accounts.
   * @throws ServiceFailure; `refused` names the missing privilege.
   */
  async serviceAccounts(signal: AbortSignal): Promise<readonly ServiceAccount[]> {
    const fields = await this.#server.fact('serviceAccountFields', signal);
    return this.#server.transport.repeatRead(() => listServiceAccounts(this.#server.graphql, fields, signal), signal);
  }

  /**
   * Creates a token (PROTOCOL.md §5.5). Sent once, never repeated.
   * @param options `isKnownId`: true for a token from before, which can't be the new one.
   * @throws ServiceFailure; with `mayHaveActed` the token may exist although its string is lost.
   */
  async create(
    request: TokenCreationRequest,
    isSelf: boolean,
    { mayStillSend, isKnownId }: { readonly mayStillSend: MayStillSend; readonly isKnownId?: (id: string) => boolean },
  ): Promise<CreatedAccessToken> {
    const operation = tokenCreationOperation(request.type === 'SERVICE_ACCOUNT', isSelf);
    // Before asking another server for its schema.
    await mayStillSend();
    const schema = await this.#server.fact('creation');
    const input = creationInput(request, schema);
    let created: CreatedAccessToken | undefined;
    try {
      const data = await this.#server.graphql.runMutation(operation, creationDocument(schema), { input }, mayStillSend);
      created = parseCreatedToken(data.createAccessToken, request, schema, isKnownId);
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? this.#explainRefusal(thrown, request) : thrown;
    }
    if (created === undefined) {
      throw unexpectedResponse(operation);
    }
    return created;
  }

  /**
   * Revokes a token (PROTOCOL.md §5.8). Sent once.
   * @param options `credential`: the token is, or may be, the one that the request carries. `accepted`: the server took
   * it right before, and nothing else can have ended it.
   * @returns `alreadyGone` if the server no longer knows the token.
   * @throws ServiceFailure, also if the server returns false; with `mayHaveActed` the outcome is unknown.
   */
  async revoke(
    tokenId: string,
    {
      mayStillSend,
      credential,
    }: { readonly mayStillSend: MayStillSend; readonly credential?: 'accepted' | 'unclear' | undefined },
  ): Promise<RevocationResult> {
    let data: Readonly<Record<string, unknown>>;
    try {
      data = await this.#server.graphql.runMutation(REVOKE_TOKEN, REVOKE_DOCUMENT, { tokenId }, mayStillSend);
    } catch (thrown) {
      if (thrown instanceof ServiceFailure && NO_LONGER_EXISTS.test(thrown.serverText ?? '')) {
        return 'alreadyGone';
      }
      if (credential === undefined || !(thrown instanceof ServiceFailure) || thrown.status !== 401) {
        throw thrown;
      }
      if (credential === 'accepted' && thrown.credentialEnded) {
        return 'signedOut';
      }
      // A gateway may have asked the service first.
      throw thrown.with({ mayHaveActed: true });
    }
    if (data.revokeAccessToken === false) {
      throw new ServiceFailure('server', l10n.t("The server reported that it didn't revoke the token."), {
        operation: REVOKE_TOKEN.name,
        next: l10n.t('Refresh the tokens in a moment, then revoke any that are still there.'),
      });
    }
    if (data.revokeAccessToken !== true) {
      throw unexpectedResponse(REVOKE_TOKEN);
    }
    return 'revoked';
  }

  /**
   * Finds tokens that are gone after an unclear revocation: missing from a complete listing.
   * @param tokenIds Of tokens that the server listed before.
   * @throws ServiceFailure
   */
  async findGoneTokens(
    tokenIds: readonly string[],
    scope: TokenListingRequest['scope'],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const { tokens, isComplete } = await listAllTokens((request) => this.list(request, signal), scope);
    const listed = new Set(tokens.map(({ id }) => id));
    return isComplete ? tokenIds.filter((id) => !listed.has(id)) : [];
  }

  /** Tokens of service accounts need another privilege, so it is asked where the first is missing. */
  async #askCreationRights(signal: AbortSignal | undefined): Promise<void> {
    const { identity } = await this.#server.fact('caller', signal);
    if (identity?.mayGenerateTokens === false) {
      // Where it isn't known, the server itself refuses.
      await this.#server.fact('rights', signal).catch(() => undefined);
    }
  }

  /** Nothing was executed. If the schema has changed since the facts were stored, the next attempt asks for it. */
  #explainRefusal(thrown: ServiceFailure, request: TokenCreationRequest): ServiceFailure {
    const failure = explainCreationRefusal(thrown, request);
    return failure.kind === 'invalidDocument' && this.#server.doubt('creation')
      ? failure.with({
          next: l10n.t("Nothing was created. The server's schema has changed; it has been reloaded, so try again."),
        })
      : failure;
  }

  /** A validation error executes nothing, so the words of the interface description may follow. */
  async #listInThisDialect(request: TokenListingRequest, signal: AbortSignal | undefined): Promise<AccessTokenPage> {
    const schema = await this.#listingSchema(signal);
    try {
      return await this.#requestTokenPage(request, schema, signal);
    } catch (thrown) {
      if (toServiceFailure(thrown).kind !== 'invalidDocument') {
        throw thrown;
      }
      // If the server has changed since the facts were stored, ask it instead of guessing.
      this.#server.doubt('filter', 'tokenFields');
      const told = await this.#listingSchema(signal);
      return told.filter === schema.filter && told.tokenFields === schema.tokenFields
        ? this.#listByDescription(request, thrown, signal)
        : this.#listInThisDialect(request, signal);
    }
  }

  /** Asks for less, never for more, and keeps that once the server has understood it. */
  async #listByDescription(
    request: TokenListingRequest,
    misunderstood: unknown,
    signal: AbortSignal | undefined,
  ): Promise<AccessTokenPage> {
    try {
      const page = await this.#requestTokenPage(request, LISTING_BY_DESCRIPTION, signal);
      this.#server.learn(LISTING_BY_DESCRIPTION);
      return page;
    } catch (thrown) {
      const { kind, status } = toServiceFailure(thrown);
      // A gateway refuses with 403, whatever it was asked.
      if (status === 200 && (kind === 'refused' || kind === 'badRequest')) {
        this.#server.learn(LISTING_BY_DESCRIPTION);
      }
      throw kind === 'invalidDocument' ? misunderstood : thrown;
    }
  }

  async #listingSchema(signal: AbortSignal | undefined): Promise<ListingSchema> {
    const [filter, tokenFields] = await Promise.all([
      this.#server.fact('filter', signal),
      this.#server.fact('tokenFields', signal),
    ]);
    return { filter, tokenFields };
  }

  async #requestTokenPage(
    request: TokenListingRequest,
    schema: ListingSchema,
    signal: AbortSignal | undefined,
  ): Promise<AccessTokenPage> {
    const operation = request.scope.kind === 'owned' ? LIST_OWN_TOKENS : LIST_ALL_TOKENS;
    const { document, variables } = listingDocument(request, schema);
    const data = await this.#server.graphql.runQuery(
      operation,
      document,
      { start: request.start, count: request.count, ...variables },
      signal,
    );
    const page = parseTokenPage(data.listAccessTokens, request, schema);
    if (page === undefined) {
      throw unexpectedResponse(operation);
    }
    return page;
  }
}
