/** One `MetadataService` for each connection, made when first needed and closed when the connection changes. */
import * as l10n from '@vscode/l10n';
import { disposeAll, type Disposable } from '../platform/events.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { NetworkAccess } from '../service/http/network.ts';
import { Transport, type ExchangeRecord, type SentSecrets, type TransportOptions } from '../service/http/transport.ts';
import { type DryRunsUnderWay, noDryRuns } from '../service/indices/indices.ts';
import type { KnownFacts } from '../service/server/facts.ts';
import type { KnownServerOptions } from '../service/server/knownServer.ts';
import { MetadataService } from '../service/service.ts';
import { identityOf, type Connection, type ConnectionFields, lacksConsent } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { CredentialStore } from './credentialStore.ts';

/** Connections, their credentials, and services for their servers. */
export interface ConnectionParts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
}

/** A connection before it is saved, and as whom it acts. */
type TriedConnection = ConnectionFields & Pick<Connection, 'actorUrn'>;

/** Where requests go, and whether a credential may go there. */
type ConnectionTarget = Pick<Connection, 'name' | 'baseUrl' | 'plainHttpOrigin'>;

interface ServicePoolEnvironment {
  /** Timeout of an ordinary request, in ms. */
  readonly timeoutMillis: () => number;
  readonly network: NetworkAccess;
  readonly log: ServiceExchangeLog;
}

interface ServiceExchangeLog {
  exchange(connectionName: string, exchange: ExchangeRecord): void;
  bug(where: string, thrown: unknown): void;
}

export class ServicePool implements Disposable {
  readonly #store: ConnectionStore;
  readonly #credentials: CredentialStore;
  readonly #facts: Storage<KnownFacts>;
  readonly #environment: ServicePoolEnvironment;
  /** By ID. `madeOf`: identity of the connection. */
  readonly #open = new Map<string, { readonly service: MetadataService; readonly madeOf: string }>();
  /** By the address of the server, to which several connections may lead. */
  readonly #dryRuns = new Map<string, DryRunsUnderWay>();
  readonly #subscriptions: readonly Disposable[];

  constructor(
    store: ConnectionStore,
    credentials: CredentialStore,
    shared: Memento,
    environment: ServicePoolEnvironment,
  ) {
    this.#store = store;
    this.#credentials = credentials;
    this.#facts = new Storage(shared, 'capabilities.', parseFacts);
    this.#environment = environment;
    this.#subscriptions = [
      credentials.onDidChange((id) => this.#closeService(id)),
      store.onDidChange(() => {
        for (const [id, { madeOf }] of this.#open) {
          const connection = store.get(id);
          if (connection === undefined || identityOf(connection) !== madeOf) {
            this.#closeService(id);
          }
        }
      }),
    ];
  }

  get network(): NetworkAccess {
    return this.#environment.network;
  }

  get(connection: Connection): MetadataService {
    const open = this.#open.get(connection.id);
    const madeOf = identityOf(connection);
    if (open?.madeOf === madeOf) {
      return open.service;
    }
    this.#closeService(connection.id);
    // The given connection may be from before a sign-in.
    const stored = this.#store.get(connection.id);
    const current = stored !== undefined && identityOf(stored) === madeOf ? stored : connection;
    const service = this.#createService(current, () => this.#readSecretsOf(current), {
      knownFacts: this.#facts.get(connection.id),
      rememberFacts: (known) =>
        void this.#facts
          .set(connection.id, known)
          .catch((thrown: unknown) => this.#environment.log.bug('server facts', thrown)),
      // Closed with the credential, so it's the user of the one that is stored.
      learnCaller: (user) => void this.#credentials.learnUser(current.id, user),
    });
    this.#open.set(connection.id, { service, madeOf });
    return service;
  }

  /** For an unsaved connection. Stores nothing; the caller closes it. */
  createTemporary(connection: TriedConnection, secrets: SentSecrets): MetadataService {
    return this.#createService(connection, () => Promise.resolve(secrets), {});
  }

  /** Sends requests to a server before there is a connection to it. The caller closes it. */
  createTransport(target: ConnectionTarget, secrets: SentSecrets): Transport {
    return new Transport(this.#transportOptions(target, () => Promise.resolve(secrets)));
  }

  /** Deletes the stored facts of a server. */
  async forgetFacts(connectionId: string): Promise<void> {
    this.#closeService(connectionId);
    await this.#facts.set(connectionId, undefined);
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    for (const id of this.#open.keys()) {
      this.#closeService(id);
    }
  }

  /** Reads the stored connection's secrets, never another address's. */
  async #readSecretsOf({ id, baseUrl }: Connection): Promise<SentSecrets> {
    const current = this.#store.get(id);
    return current?.baseUrl === baseUrl ? this.#credentials.readSecrets(current) : {};
  }

  #createService(
    connection: TriedConnection,
    secrets: () => Promise<SentSecrets>,
    facts: Pick<KnownServerOptions, 'knownFacts' | 'rememberFacts' | 'learnCaller'>,
  ): MetadataService {
    const dryRuns = this.#dryRuns.get(connection.baseUrl) ?? noDryRuns();
    this.#dryRuns.set(connection.baseUrl, dryRuns);
    return new MetadataService({
      dryRuns,
      ...this.#transportOptions(connection, secrets),
      actorUrn: connection.actorUrn,
      product: connection.product,
      ...facts,
    });
  }

  #transportOptions(target: ConnectionTarget, secrets: () => Promise<SentSecrets>): TransportOptions {
    return {
      baseUrl: target.baseUrl,
      readSecrets: async (withToken) => {
        const { token, headers } = await secrets();
        const sent = withToken ? { token, headers } : { headers };
        requireConsent(target, sent);
        return sent;
      },
      timeoutMillis: this.#environment.timeoutMillis,
      network: this.#environment.network,
      observe: (exchange) => this.#environment.log.exchange(target.name, exchange),
    };
  }

  #closeService(id: string): void {
    this.#open.get(id)?.service.close();
    this.#open.delete(id);
  }
}

/** True if plain HTTP would expose something. */
export function holdsSecret({ token, headers = {} }: SentSecrets): boolean {
  return token !== undefined || Object.keys(headers).length > 0;
}

/** @throws ServiceFailure `badRequest` for a secret that would be exposed without consent. */
function requireConsent(target: ConnectionTarget, sent: SentSecrets): void {
  if (holdsSecret(sent) && lacksConsent(target)) {
    throw new ServiceFailure(
      'badRequest',
      l10n.t("The address uses http://, and you haven't agreed to send credentials over it."),
      { next: l10n.t('Sign in again, or edit the connection.') },
    );
  }
}

/** The service checks what it uses. */
function parseFacts(stored: unknown): KnownFacts | undefined {
  return typeof stored === 'object' && stored !== null ? stored : undefined;
}
