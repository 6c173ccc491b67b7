/** Everything that the extension asks of one server, as one user. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from './failure/failure.ts';
import { Transport, type TransportOptions } from './http/transport.ts';
import { sleep, untilAborted } from './http/waiting.ts';
import { withRetries, type PauseFunction } from './http/retries.ts';
import { TimeSeriesIndices } from './indices/indices.ts';
import { DeletionTasks } from './indices/tasks.ts';
import { askCallerRights, type CallerInfo, type CallerRights } from './server/callerRights.ts';
import { confirmGraphQL } from './server/findService.ts';
import { KnownServer, type KnownServerOptions } from './server/knownServer.ts';
import { OperationsEndpoint } from './server/operationsEndpoint.ts';
import { askIngestionRelease, type ServerIdentity } from './server/serverInfo.ts';
import { offeredDurations } from './tokens/durationPolicy.ts';
import type { IsoTokenDuration, TokenDuration } from './tokens/durations.ts';
import { listServiceAccounts, type ServiceAccount } from './tokens/serviceAccounts.ts';
import type { AccessTokenPage, TokenListingRequest } from './tokens/tokenPage.ts';
import { AccessTokens } from './tokens/tokens.ts';

interface ServiceOptions extends TransportOptions, KnownServerOptions {
  /** Waits before another attempt; real time by default. */
  readonly pause?: PauseFunction;
}

/** The result of a connection test. */
export interface ConnectionCheck extends CallerInfo {
  readonly server: ServerIdentity;
  /** The server accepts us but refuses to list tokens. Known only if `me` does not exist. */
  readonly tokensRefused?: ServiceFailure | undefined;
}

export class MetadataService {
  readonly actorUrn: string | undefined;
  /** What is known of the server. */
  readonly server: KnownServer;
  readonly tokens: AccessTokens;
  readonly indices: TimeSeriesIndices;
  readonly tasks: DeletionTasks;
  readonly #transport: Transport;
  readonly #pause: PauseFunction;

  constructor(options: ServiceOptions) {
    this.actorUrn = options.actorUrn;
    this.#pause = options.pause ?? ((millis, signal) => sleep(millis, signal, options.network?.clock));
    this.#transport = new Transport(options);
    this.server = new KnownServer(this.#transport, options, this.#pause);
    const operations = new OperationsEndpoint(this.#transport, this.server);
    this.tokens = new AccessTokens(this.server, this.#pause);
    this.indices = new TimeSeriesIndices(operations, this.#pause);
    this.tasks = new DeletionTasks(operations, this.#pause);
  }

  /** True if the caller is known to lack the privilege, as of the session's first question. Asks nothing. */
  get cannotCreateTokens(): boolean {
    const { caller, serviceAccountFields = [] } = this.server.known;
    // Tokens of service accounts need another privilege.
    return caller?.identity?.mayGenerateTokens === false && serviceAccountFields.length === 0;
  }

  /**
   * The caller's URN: from the server, otherwise from the connection. Selects the caller's own tokens.
   * @throws ServiceFailure `signedOut` if neither says it.
   */
  async callerActorUrn(signal?: AbortSignal): Promise<string> {
    const caller = (await this.server.fact('caller', signal)).identity?.actorUrn ?? this.actorUrn;
    if (caller === undefined) {
      throw new ServiceFailure('signedOut', l10n.t("The server doesn't say which user this connection acts as."), {
        next: l10n.t('Sign in, or edit the connection and enter your user ID.'),
      });
    }
    return caller;
  }

  /**
   * Lists the caller's own tokens. Doesn't wait for the server to say who that is, if that and how to ask were known
   * before: both rarely change.
   * @throws ServiceFailure; as `callerActorUrn` does.
   */
  async listOwnTokens(
    { filters, start, count }: Omit<TokenListingRequest, 'scope'>,
    signal: AbortSignal,
  ): Promise<AccessTokenPage> {
    const { appVersion, filter, tokenFields } = this.server.known;
    const list = (ownerUrn: string, until: AbortSignal): Promise<AccessTokenPage> =>
      this.tokens.list({ filters, start, count, scope: { kind: 'owned', ownerUrn } }, until);
    const stop = new AbortController();
    const isAskable = filter !== undefined && tokenFields !== undefined;
    const expected = isAskable ? (this.server.callerUrn ?? this.actorUrn) : undefined;
    const listing = expected === undefined ? undefined : list(expected, AbortSignal.any([signal, stop.signal]));
    // A failure counts only if that is the caller.
    listing?.catch(() => undefined);
    try {
      const caller = await this.callerActorUrn(signal);
      const isUpgraded = appVersion !== undefined && appVersion !== this.server.known.appVersion;
      return await (listing && caller === expected && !isUpgraded ? listing : list(caller, signal));
    } finally {
      stop.abort();
    }
  }

  /**
   * The default release of the ingestion client there; undefined if the server does not say.
   * @throws ServiceFailure if the server can't be reached.
   */
  async ingestionRelease(signal?: AbortSignal): Promise<string | undefined> {
    const { entrance } = await this.server.fact('identity', signal);
    return withRetries(() => askIngestionRelease(this.#transport, entrance, signal), signal, this.#pause);
  }

  /** Durations to offer for a new token, shortest first and "never" last, as far as the server's policy is known. */
  async offeredDurations(signal?: AbortSignal): Promise<readonly (TokenDuration | IsoTokenDuration)[]> {
    const [policy, durations, { takesDurationIso }] = await Promise.all([
      this.server.fact('durationPolicy', signal),
      this.server.fact('durations', signal),
      this.server.fact('creation', signal),
      // For the release.
      this.server.fact('identity', signal),
    ]);
    return offeredDurations(durations, takesDurationIso, this.server.release, policy);
  }

  /**
   * The caller's rights beyond their own tokens, if the server reports them.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async callerRights(signal?: AbortSignal): Promise<CallerRights> {
    const caller = await this.callerActorUrn(signal);
    return withRetries(() => askCallerRights(this.server.graphql, caller, signal), signal, this.#pause);
  }

  /**
   * True if the server has service accounts.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async hasServiceAccounts(signal?: AbortSignal): Promise<boolean> {
    return (await this.server.fact('serviceAccountFields', signal)).includes('urn');
  }

  /**
   * Lists service accounts.
   * @throws ServiceFailure; `refused` names the missing privilege.
   */
  async serviceAccounts(signal: AbortSignal): Promise<readonly ServiceAccount[]> {
    const fields = await this.server.fact('serviceAccountFields', signal);
    return withRetries(() => listServiceAccounts(this.server.graphql, fields, signal), signal, this.#pause);
  }

  /**
   * Asks again who the server is and what the caller may do.
   * @throws ServiceFailure with the reason.
   */
  async check(signal?: AbortSignal): Promise<ConnectionCheck> {
    const server = await untilAborted(this.server.refresh(signal), signal);
    const callerInfo = await this.server.fact('caller', signal).catch(async (thrown: unknown) => {
      // Where nothing speaks GraphQL, that is the reason, not the question.
      if (server.entrance === 'unknown') {
        await confirmGraphQL(this.#transport, signal);
      }
      throw thrown;
    });
    const found = { ...callerInfo, server, version: server.version ?? callerInfo.version };
    if (callerInfo.identity !== undefined) {
      return found;
    }
    try {
      // Without an identity, the smallest listing shows that GraphQL answers and accepts us.
      await this.tokens.list(
        { scope: { kind: 'owned', ownerUrn: this.actorUrn ?? '' }, filters: [], start: 0, count: 1 },
        signal,
      );
      return found;
    } catch (thrown) {
      if (thrown instanceof ServiceFailure && thrown.kind === 'refused' && thrown.status === 200) {
        return { ...found, tokensRefused: thrown };
      }
      throw thrown;
    }
  }

  /** Aborts running requests and sends nothing more. */
  close(): void {
    this.#transport.close();
  }
}
