/** One server, as one person: everything the extension asks of it. */
import { sleep, untilAborted, withRetries, type PauseFunction } from './http/waiting.ts';
import { ServerCapabilities, type KnownCapabilities } from './server/capabilities.ts';
import type { IsoDuration, TokenDuration } from './tokens/durations.ts';
import { offeredDurations } from './tokens/durationPolicy.ts';
import { ServiceFailure } from './failure/failure.ts';
import {
  askCallerRights,
  askServiceAccountRight,
  askIntroduction,
  type CallerIntroduction,
  type CallerRights,
} from './server/callerRights.ts';
import { askIngestionRelease, askMaintenance, type MaintenanceNotice, type ServerFacts } from './server/serverInfo.ts';
import { TimeSeriesIndices } from './indices/indices.ts';
import { IngestionSources } from './ingestion/cleanups.ts';
import { OperationsEndpoint } from './server/operationsEndpoint.ts';
import type { SchemaFacts } from './server/schema.ts';
import { DeletionTasks } from './indices/tasks.ts';
import { AccessTokens } from './tokens/tokens.ts';
import { Transport, type TransportOptions } from './http/transport.ts';

export interface ServiceOptions extends TransportOptions {
  /** `urn:li:corpuser:<id>`, as `checkActor` gives it. */
  readonly actorUrn: string;
  /** As a person typed it; undefined: found out. */
  readonly product: string | undefined;
  /** As it was remembered: checked here, since it comes from a file. */
  readonly knownCapabilities?: KnownCapabilities | undefined;
  readonly rememberCapabilities?: (known: KnownCapabilities) => void;
  /** How pauses before another attempt are waited; a real wait unless said otherwise. */
  readonly pause?: PauseFunction;
}

/** What a test of the connection finds. */
export interface ConnectionCheck extends CallerIntroduction {
  readonly server: ServerFacts;
  /** The server takes us, but lets us list no tokens; told only where `me` does not exist. */
  readonly tokensRefused?: ServiceFailure | undefined;
}

export class MetadataService {
  readonly actorUrn: string;
  readonly tokens: AccessTokens;
  readonly indices: TimeSeriesIndices;
  readonly tasks: DeletionTasks;
  readonly ingestion: IngestionSources;
  readonly capabilities: ServerCapabilities;
  readonly #transport: Transport;
  readonly #pause: PauseFunction;
  #introduction: Promise<CallerIntroduction> | undefined;
  #knownCaller: string | undefined;

  constructor(options: ServiceOptions) {
    this.actorUrn = options.actorUrn;
    this.#pause = options.pause ?? ((millis, signal) => sleep(millis, signal, options.network?.clock));
    this.#transport = new Transport(options);
    this.capabilities = new ServerCapabilities(
      this.#transport,
      options.actorUrn,
      options.product,
      options.knownCapabilities,
      options.rememberCapabilities ?? (() => undefined),
    );
    const operations = new OperationsEndpoint(this.#transport, this.capabilities);
    this.tokens = new AccessTokens(this.capabilities.graphql, this.capabilities, this.#pause);
    this.indices = new TimeSeriesIndices(operations, this.#transport, this.#pause);
    this.tasks = new DeletionTasks(operations, this.#transport, this.#pause);
    this.ingestion = new IngestionSources(this.capabilities.graphql, this.#pause);
  }

  /** Who the server takes us for; asked once. A server that does not say is no failure. */
  introduction(signal?: AbortSignal): Promise<CallerIntroduction> {
    if (this.#introduction === undefined) {
      // Several views wait for it, so that no one's signal stops it.
      const asked = withRetries(() => askIntroduction(this.capabilities.graphql), undefined, this.#pause).then(
        (introduction) => {
          this.capabilities.sawVersion(introduction.version);
          this.#knownCaller = introduction.identity?.actorUrn;
          return introduction;
        },
      );
      this.#introduction = asked;
      asked.catch(() => {
        if (this.#introduction === asked) {
          this.#introduction = undefined;
        }
      });
    }
    return untilAborted(this.#introduction, signal);
  }

  /** The caller's URN: as the server knows it, else as the connection says. Own tokens are listed by it. */
  async caller(signal?: AbortSignal): Promise<string> {
    return (await this.introduction(signal)).identity?.actorUrn ?? this.actorUrn;
  }

  /** The same as far as the server has said it by now: nothing is asked. Undefined: it hasn't. */
  get knownCaller(): string | undefined {
    return this.#knownCaller;
  }

  /** Whether the server says that it is under maintenance; undefined: it isn't, or it doesn't say. Never fails. */
  maintenance(signal?: AbortSignal): Promise<MaintenanceNotice | undefined> {
    return askMaintenance(this.#transport, signal);
  }

  /**
   * The release of the ingestion client that runs recipes there by default; undefined: the server doesn't say.
   * @throws ServiceFailure when the server cannot be reached.
   */
  async ingestionRelease(signal?: AbortSignal): Promise<string | undefined> {
    const entrance = await untilAborted(this.capabilities.entrance(), signal);
    return withRetries(() => askIngestionRelease(this.#transport, entrance, signal), signal, this.#pause);
  }

  schema(): Promise<SchemaFacts> {
    return this.capabilities.facts();
  }

  /**
   * The durations worth offering for a new token, the shortest first and "never" last: those that this server takes, as far as it
   * is known.
   */
  async durations(signal?: AbortSignal): Promise<readonly (TokenDuration | IsoDuration)[]> {
    const policy = await untilAborted(this.capabilities.durationPolicy(), signal);
    const [schema, server] = await untilAborted(
      Promise.all([this.capabilities.facts(), this.capabilities.server()]),
      signal,
    );
    return offeredDurations(schema, server, this.capabilities.refusedDurations, policy);
  }

  /** Whether the server may take other durations than those. */
  async takesOtherDurations(signal?: AbortSignal): Promise<boolean> {
    const policy = await untilAborted(this.capabilities.durationPolicy(), signal);
    const schema = await untilAborted(this.capabilities.facts(), signal);
    return schema.createTakesDurationIso && policy?.lengths === undefined;
  }

  /**
   * What one may do beyond tokens of one's own, where the server tells.
   * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
   */
  async rights(signal?: AbortSignal): Promise<CallerRights> {
    const caller = await this.caller(signal);
    const { serviceAccounts } = await untilAborted(this.capabilities.facts(), signal);
    return withRetries(
      () => askCallerRights(this.capabilities.graphql, caller, serviceAccounts, signal),
      signal,
      this.#pause,
    );
  }

  /**
   * Whether one may make tokens for service accounts, where the server has such and tells.
   * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
   */
  async mayManageServiceAccounts(signal?: AbortSignal): Promise<boolean | undefined> {
    const { serviceAccounts } = await untilAborted(this.capabilities.facts(), signal);
    return serviceAccounts ? askServiceAccountRight(this.capabilities.graphql, signal) : undefined;
  }

  /**
   * Finds out anew who answers and what one may do there.
   * @throws ServiceFailure with what is wrong and where.
   */
  async check(signal?: AbortSignal): Promise<ConnectionCheck> {
    const server = await untilAborted(
      withRetries(() => this.capabilities.renew(), signal, this.#pause),
      signal,
    );
    this.#introduction = undefined;
    this.ingestion.forget();
    const introduction = await this.introduction(signal);
    const found = { ...introduction, server, version: server.version ?? introduction.version };
    if (introduction.identity !== undefined) {
      return found;
    }
    try {
      // Nobody said who we are: that GraphQL answers at all, and takes us, is shown by the smallest listing.
      await this.tokens.list(
        { scope: { kind: 'owned', ownerUrn: this.actorUrn }, filters: [], start: 0, count: 1 },
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

  /** Aborts what is under way; nothing is sent any more. */
  close(): void {
    this.#transport.close();
  }
}
