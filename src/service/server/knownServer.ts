/** One server: its facts, each asked once when first needed, kept, and refreshed as one. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../failure/failure.ts';
import { GraphQLEndpoint } from '../http/graphql.ts';
import type { Transport } from '../http/transport.ts';
import { untilAborted } from '../http/waiting.ts';
import {
  FACTS,
  factsToStore,
  parseStoredFacts,
  type AskedFactName,
  type AskedFacts,
  type KnownFacts,
  type OperationsPath,
} from './facts.ts';
import { toHeaderValue } from './identifiers.ts';
import {
  askIngestionRelease,
  askServerIdentity,
  type ServerIdentity,
  actorHeaderName,
  DEFAULT_PRODUCT,
} from './serverInfo.ts';

type AnyFact = AskedFacts[AskedFactName] | undefined;

export interface KnownServerOptions {
  /** `urn:li:corpuser:<id>`, as typed or as the server said before. Undefined if neither is known. */
  readonly actorUrn: string | undefined;
  /** From the user, whose name wins over the server's own. Undefined: detected. */
  readonly product: string | undefined;
  /** From a file, so it is checked here. */
  readonly knownFacts?: KnownFacts | undefined;
  /** Called with the facts to store after each change. */
  readonly rememberFacts?: (known: KnownFacts) => void;
  /** Called with the URN of the caller once the server says it. */
  readonly learnCaller?: (callerUrn: string) => void;
}

export class KnownServer {
  readonly transport: Transport;
  /** Names the caller in the header that this server reads. */
  readonly graphql: GraphQLEndpoint;
  readonly #options: KnownServerOptions;
  #known: KnownFacts;
  /** Asked in this session, so not doubted or asked again. A new map drops the answers that are under way. */
  #asked = new Map<AskedFactName, Promise<AnyFact>>();
  #callerUrn: string | undefined;

  constructor(transport: Transport, options: KnownServerOptions) {
    this.transport = transport;
    this.#options = options;
    this.#known = parseStoredFacts(options.knownFacts);
    this.graphql = new GraphQLEndpoint(transport, () => this.callerHeader());
  }

  /** The caller's URN without asking: as the server said it last, otherwise from the connection. */
  get expectedCallerUrn(): string | undefined {
    return this.#callerUrn ?? this.#options.actorUrn;
  }

  /** The caller's URN as the server said it last; undefined if it has not. The same as long as the sign-in is. */
  get callerUrn(): string | undefined {
    return this.#callerUrn;
  }

  /** What is known without asking. */
  get known(): KnownFacts {
    return this.#known;
  }

  /** Release of the server, such as `v1.6.0.16`; undefined until known, and if the server doesn't say. */
  get release(): string | undefined {
    return this.#known.identity?.version ?? this.#known.appVersion;
  }

  /** True if a truncation can name its strategy: every release of DataHub can. Undefined until the server is asked. */
  get forceFlags(): boolean | undefined {
    const { identity, appVersion } = this.#known;
    return identity?.product === 'DataHub' || appVersion !== undefined ? true : identity && false;
  }

  /** Asks who the server is, if that isn't known. @throws ServiceFailure if it can't be reached. */
  async takesForceFlags(signal?: AbortSignal): Promise<boolean> {
    if ((await this.fact('identity', signal)).product === undefined) {
      // A gateway may answer for it there.
      await this.fact('caller', signal).catch(() => signal?.throwIfAborted());
    }
    return this.forceFlags === true;
  }

  /** Path of the operations below the base URL (PROTOCOL.md §3.1); undefined until known. */
  get operationsPath(): OperationsPath | undefined {
    switch (this.#known.identity?.entrance) {
      case 'front':
        return '/api/gms/operations';
      case 'direct':
        return '/operations';
      default:
        return this.#known.operationsPath;
    }
  }

  /** Names the caller, which decides where authentication is off: `X-<Product>-Actor` (PROTOCOL.md §3.4). */
  async callerHeader(): Promise<Readonly<Record<string, string>>> {
    const { actorUrn, product } = this.#options;
    if (actorUrn === undefined) {
      return {};
    }
    const name = actorHeaderName(product ?? (await this.fact('identity')).product ?? DEFAULT_PRODUCT);
    return { [name]: toHeaderValue(actorUrn) };
  }

  /**
   * The caller's URN: from the server, otherwise from the connection. Selects the caller's own tokens.
   * @throws ServiceFailure `signedOut` if neither says it.
   */
  async callerActorUrn(signal?: AbortSignal): Promise<string> {
    const caller = (await this.fact('caller', signal)).identity?.actorUrn ?? this.#options.actorUrn;
    if (caller === undefined) {
      throw new ServiceFailure('signedOut', l10n.t("The server doesn't say which user this connection acts as."), {
        next: l10n.t('Sign in, or edit the connection and enter your user ID.'),
      });
    }
    return caller;
  }

  /**
   * True if the server has service accounts.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async hasServiceAccounts(signal?: AbortSignal): Promise<boolean> {
    return (await this.fact('serviceAccountFields', signal)).includes('urn');
  }

  /**
   * The default release of the ingestion client there; undefined if the server does not say.
   * @throws ServiceFailure if the server can't be reached.
   */
  async ingestionRelease(signal?: AbortSignal): Promise<string | undefined> {
    const { entrance } = await this.fact('identity', signal);
    return this.transport.repeatRead(() => askIngestionRelease(this.transport, entrance, signal), signal);
  }

  /**
   * One fact; assumed if the server does not say.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async fact<Name extends AskedFactName>(name: Name, signal?: AbortSignal): Promise<AskedFacts[Name]> {
    const known: KnownFacts[Name] = this.#known[name];
    const found = known ?? (await untilAborted(this.#askOnce(name), signal)) ?? FACTS[name].assumed;
    return found as AskedFacts[Name];
  }

  /** Keeps what an answer showed. Another version of the server means an upgrade, after which all else is asked again. */
  learn(learned: KnownFacts): void {
    const { version, identity } = learned.caller ?? {};
    const facts = version === undefined ? learned : { ...learned, appVersion: version };
    const { appVersion } = this.#known;
    if (appVersion !== undefined && (facts.appVersion ?? appVersion) !== appVersion) {
      this.#forget();
    }
    this.#known = { ...this.#known, ...facts };
    this.#options.rememberFacts?.(factsToStore(this.#known));
    if (identity !== undefined) {
      this.#callerUrn = identity.actorUrn;
      this.#options.learnCaller?.(identity.actorUrn);
    }
  }

  /** Drops these facts if they are from earlier sessions, so that they are asked again; false if none is. */
  doubt(...names: readonly AskedFactName[]): boolean {
    const doubted = names.filter((name) => this.#known[name] !== undefined && !this.#asked.has(name));
    if (doubted.length > 0) {
      this.learn(Object.fromEntries(doubted.map((name) => [name, undefined])));
    }
    return doubted.length > 0;
  }

  /** Has the server asked again who calls with which rights, once that is needed: privileges may have been granted. */
  forgetCaller(): void {
    this.#asked.delete('caller');
    this.#asked.delete('rights');
    this.#known = { ...this.#known, caller: undefined, rights: undefined };
  }

  /**
   * Asks the server again who it is, and forgets the rest only once it answers: a server that is down for a moment is
   * still the same.
   * @throws ServiceFailure if it can't be reached.
   */
  async refresh(signal?: AbortSignal): Promise<ServerIdentity> {
    const identity = await this.transport.repeatRead(() => askServerIdentity(this.transport), signal);
    this.#forget();
    this.learn({ identity });
    return identity;
  }

  /** What was asked before isn't stored any more when its answer comes. */
  #forget(): void {
    this.#asked = new Map();
    this.#known = {};
  }

  #askOnce(name: AskedFactName): Promise<AnyFact> {
    const asked = this.#asked;
    const asking = asked.get(name) ?? this.#ask(name);
    asked.set(name, asking);
    asking.catch(() => asked.delete(name));
    return asking;
  }

  async #ask(name: AskedFactName): Promise<AnyFact> {
    const asked = this.#asked;
    const fact = await FACTS[name].ask(this);
    if (asked === this.#asked && fact !== undefined) {
      // A validation error may have taught it meanwhile.
      this.learn({ [name]: this.#known[name] ?? fact });
    }
    return fact;
  }
}
