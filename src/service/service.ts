/** Everything that the extension asks of one server, as one user. */
import * as l10n from '@vscode/l10n';
import { sleep, untilAborted, withRetries, type PauseFunction } from './http/waiting.ts';
import { ServerCapabilities, type KnownCapabilities } from './server/capabilities.ts';
import { type IsoTokenDuration, type TokenDuration, offeredDurations } from './tokens/durations.ts';
import { ServiceFailure } from './failure/failure.ts';
import {
  askCallerRights,
  askServiceAccountRight,
  requestCallerInfo,
  type CallerInfo,
  type CallerRights,
} from './server/callerRights.ts';
import {
  askIngestionRelease,
  confirmGraphQL,
  passesOnToService,
  PATH_BEHIND_FRONT,
  type ServerFacts,
} from './server/serverInfo.ts';
import { TimeSeriesIndices } from './indices/indices.ts';
import { IngestionSources } from './ingestion/cleanups.ts';
import { OperationsEndpoint } from './server/operationsEndpoint.ts';
import type { SchemaFactName, SchemaFacts } from './server/schema.ts';
import { DeletionTasks } from './indices/tasks.ts';
import { listServiceAccounts, type ServiceAccountPage } from './tokens/serviceAccounts.ts';
import { AccessTokens } from './tokens/tokens.ts';
import { Transport, type TransportOptions } from './http/transport.ts';

export interface ServiceOptions extends TransportOptions {
  /** `urn:li:corpuser:<id>`, as typed or as the server said before. Undefined if neither is known. */
  readonly actorUrn: string | undefined;
  /** From the user; undefined: detected. */
  readonly product: string | undefined;
  /** From a file, so it is checked here. */
  readonly knownCapabilities?: KnownCapabilities | undefined;
  readonly rememberCapabilities?: (known: KnownCapabilities) => void;
  /** Called with the URN of the caller once the server says it. */
  readonly learnCaller?: (callerUrn: string) => void;
  /** Waits before another attempt; real time by default. */
  readonly pause?: PauseFunction;
}

/** The result of a connection test. */
export interface ConnectionCheck extends CallerInfo {
  readonly server: ServerFacts;
  /** The server accepts us but refuses to list tokens. Known only if `me` does not exist. */
  readonly tokensRefused?: ServiceFailure | undefined;
}

export class MetadataService {
  readonly actorUrn: string | undefined;
  readonly tokens: AccessTokens;
  readonly indices: TimeSeriesIndices;
  readonly tasks: DeletionTasks;
  readonly ingestion: IngestionSources;
  readonly capabilities: ServerCapabilities;
  readonly #transport: Transport;
  readonly #pause: PauseFunction;
  #callerInfo: Promise<CallerInfo> | undefined;
  #knownCaller: string | undefined;
  readonly #learnCaller: (callerUrn: string) => void;

  constructor(options: ServiceOptions) {
    this.actorUrn = options.actorUrn;
    this.#learnCaller = options.learnCaller ?? (() => undefined);
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
    const defaultRelease = (): Promise<string | undefined> => this.ingestionRelease().catch(() => undefined);
    this.ingestion = new IngestionSources(this.capabilities.graphql, defaultRelease, this.#pause);
  }

  /** Asks once who the caller is. A server that does not say is no failure. */
  callerInfo(signal?: AbortSignal): Promise<CallerInfo> {
    if (this.#callerInfo === undefined) {
      // Several views wait for it, so no single signal may stop it.
      const asked = withRetries(() => requestCallerInfo(this.capabilities.graphql), undefined, this.#pause).then(
        (callerInfo) => {
          this.capabilities.noteVersion(callerInfo.version);
          this.#knownCaller = callerInfo.identity?.actorUrn;
          if (this.#knownCaller !== undefined) {
            this.#learnCaller(this.#knownCaller);
          }
          return callerInfo;
        },
      );
      this.#callerInfo = asked;
      asked.catch(() => {
        if (this.#callerInfo === asked) {
          this.#callerInfo = undefined;
        }
      });
    }
    return untilAborted(this.#callerInfo, signal);
  }

  /**
   * The caller's URN: from the server, otherwise from the connection. Selects the caller's own tokens.
   * @throws ServiceFailure `signedOut` if neither says it.
   */
  async callerActorUrn(signal?: AbortSignal): Promise<string> {
    const caller = (await this.callerInfo(signal)).identity?.actorUrn ?? this.actorUrn;
    if (caller === undefined) {
      throw new ServiceFailure('signedOut', l10n.t("The server doesn't say which user this connection acts as."), {
        next: l10n.t('Sign in, or edit the connection and enter your user ID.'),
      });
    }
    return caller;
  }

  /** The same without asking; undefined if the server has not said it yet. */
  get knownCaller(): string | undefined {
    return this.#knownCaller;
  }

  /**
   * The default release of the ingestion client there; undefined if the server does not say.
   * @throws ServiceFailure if the server can't be reached.
   */
  async ingestionRelease(signal?: AbortSignal): Promise<string | undefined> {
    const entrance = await untilAborted(this.capabilities.entrance(), signal);
    return withRetries(() => askIngestionRelease(this.#transport, entrance, signal), signal, this.#pause);
  }

  /**
   * Path of the service below the base URL, for other clients.
   * @returns undefined if a front end doesn't pass requests on to it.
   * @throws ServiceFailure if the server can't be reached.
   */
  async pathForClients(signal?: AbortSignal): Promise<string | undefined> {
    if ((await untilAborted(this.capabilities.entrance(), signal)) !== 'front') {
      return '';
    }
    const passesOn = await withRetries(() => passesOnToService(this.#transport, signal), signal, this.#pause);
    return passesOn ? PATH_BEHIND_FRONT : undefined;
  }

  /** One fact about the schema (see `ServerCapabilities`). */
  schemaFact<Name extends SchemaFactName>(name: Name, signal?: AbortSignal): Promise<SchemaFacts[Name]> {
    return untilAborted(this.capabilities.schemaFact(name), signal);
  }

  /** Durations to offer for a new token, shortest first and "never" last, as far as the server's policy is known. */
  async offeredDurations(signal?: AbortSignal): Promise<readonly (TokenDuration | IsoTokenDuration)[]> {
    const { capabilities } = this;
    const [policy, durations, creation] = await untilAborted(
      Promise.all([
        capabilities.durationPolicy(),
        capabilities.schemaFact('durations'),
        capabilities.schemaFact('creation'),
        // For the release.
        capabilities.serverFacts(),
      ]),
      signal,
    );
    return offeredDurations(
      durations,
      creation.takesDurationIso,
      capabilities.release,
      capabilities.refusedDurations,
      policy,
    );
  }

  /** True if the server may accept other durations. */
  async takesOtherDurations(signal?: AbortSignal): Promise<boolean> {
    const policy = await untilAborted(this.capabilities.durationPolicy(), signal);
    const { takesDurationIso } = await this.schemaFact('creation', signal);
    return takesDurationIso && policy?.lengths === undefined;
  }

  /**
   * The caller's rights beyond their own tokens, if the server reports them.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async callerRights(signal?: AbortSignal): Promise<CallerRights> {
    const caller = await this.callerActorUrn(signal);
    const hasAccounts = await this.hasServiceAccounts(signal);
    return withRetries(
      () => askCallerRights(this.capabilities.graphql, caller, hasAccounts, signal),
      signal,
      this.#pause,
    );
  }

  /**
   * True if the server has service accounts.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async hasServiceAccounts(signal?: AbortSignal): Promise<boolean> {
    return (await this.schemaFact('serviceAccountFields', signal)).includes('urn');
  }

  /**
   * True if the caller may create tokens for service accounts; undefined if unknown.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async mayManageServiceAccounts(signal?: AbortSignal): Promise<boolean | undefined> {
    return (await this.hasServiceAccounts(signal))
      ? askServiceAccountRight(this.capabilities.graphql, signal)
      : undefined;
  }

  /**
   * Lists service accounts whose name matches a text, or all.
   * @param start Offset of the page.
   * @throws ServiceFailure; `refused` names the missing privilege.
   */
  async serviceAccounts(text: string, start: number, signal: AbortSignal): Promise<ServiceAccountPage> {
    const fields = await this.schemaFact('serviceAccountFields', signal);
    return withRetries(
      () => listServiceAccounts(this.capabilities.graphql, fields, text, start, signal),
      signal,
      this.#pause,
    );
  }

  /**
   * Asks again who the server is and what the caller may do.
   * @throws ServiceFailure with the reason.
   */
  async check(signal?: AbortSignal): Promise<ConnectionCheck> {
    const server = await untilAborted(
      withRetries(() => this.capabilities.renew(), signal, this.#pause),
      signal,
    );
    this.#callerInfo = undefined;
    this.ingestion.forget();
    const callerInfo = await this.callerInfo(signal).catch(async (thrown: unknown) => {
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
