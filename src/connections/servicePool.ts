/** One `MetadataService` for each connection, made when first needed and closed when the connection changes. */
import * as l10n from '@vscode/l10n';
import { disposeAll, type Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { NetworkAccess } from '../service/http/network.ts';
import { Transport, type ExchangeRecord, type TransportOptions } from '../service/http/transport.ts';
import { parseJson } from '../service/http/json.ts';
import type { KnownCapabilities } from '../service/server/capabilities.ts';
import { MetadataService } from '../service/service.ts';
import { credentialLifeOf, isLifeKnown } from './credentialLife.ts';
import { identityOf, lacksConsent, sessionOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { CredentialStore } from './credentialStore.ts';

/** Connections, their credentials, and services for their servers. */
export interface ConnectionParts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
}

/** Where requests go, and whether a credential may go there. */
export type ConnectionTarget = Pick<Connection, 'name' | 'baseUrl' | 'plainHttpConsent' | 'plainHttpOrigin'>;

/** Named by 0.1.0. */
const CAPABILITIES_KEY = 'dialect.';

interface ServicePoolEnvironment {
  /** Timeout of an ordinary request, in ms. */
  readonly timeoutMillis: () => number;
  readonly network: NetworkAccess;
  readonly log: ServiceExchangeLog;
  /** When the credential was created, as Unix time in ms. Undefined if unknown, as for most. */
  readonly credentialCreatedAt?: (connection: Connection) => number | undefined;
}

interface ServiceExchangeLog {
  exchange(connectionName: string, exchange: ExchangeRecord): void;
  bug(where: string, thrown: unknown): void;
}

export class ServicePool implements Disposable {
  readonly #store: ConnectionStore;
  readonly #credentials: CredentialStore;
  readonly #memory: Memento;
  readonly #environment: ServicePoolEnvironment;
  readonly #open = new Map<
    string,
    { readonly service: MetadataService; readonly madeOf: string; readonly session: string }
  >();
  readonly #subscriptions: readonly Disposable[];
  /** Of the last connection that was tested before it was saved, so that its first use asks for none of them again. */
  #tested: { readonly server: string; readonly known: KnownCapabilities } | undefined;

  constructor(
    store: ConnectionStore,
    credentials: CredentialStore,
    memory: Memento,
    environment: ServicePoolEnvironment,
  ) {
    this.#store = store;
    this.#credentials = credentials;
    this.#memory = memory;
    this.#environment = environment;
    this.#subscriptions = [
      credentials.onDidChange((id) => this.#closeService(id)),
      store.onDidChange(() => {
        for (const [id, { session }] of this.#open) {
          const connection = store.get(id);
          if (connection === undefined || sessionOf(connection) !== session) {
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
    if (open !== undefined && open.madeOf === identityOf(connection)) {
      return open.service;
    }
    this.#closeService(connection.id);
    // The given connection may be from before a sign-in or consent.
    const stored = this.#store.get(connection.id);
    const current = stored !== undefined && identityOf(stored) === identityOf(connection) ? stored : connection;
    const key = CAPABILITIES_KEY + connection.id;
    const tested = this.#tested?.server === serverOf(current) ? this.#tested.known : {};
    const service = this.#createService(current, () => this.#readCredentialOf(current), {
      knownCapabilities: rememberedCapabilities(this.#memory.get(key)) ?? tested,
      rememberCapabilities: (known) =>
        void this.#memory
          .update(key, JSON.stringify(known))
          .then(undefined, (thrown: unknown) => this.#environment.log.bug('capabilities', thrown)),
    });
    this.#open.set(connection.id, { service, madeOf: identityOf(current), session: sessionOf(current) });
    return service;
  }

  /** For an unsaved connection. Stores nothing; the caller closes it. */
  createTemporary(connection: Connection, token: string | undefined): MetadataService {
    const server = serverOf(connection);
    const rememberCapabilities = (known: KnownCapabilities): void => void (this.#tested = { server, known });
    return this.#createService(connection, () => Promise.resolve(token), { rememberCapabilities });
  }

  /** Sends requests to a server before there is a connection to it. The caller closes it. */
  createTransport(target: ConnectionTarget, token: string | undefined): Transport {
    return new Transport(this.#transportOptions(target, () => Promise.resolve(token)));
  }

  /** Deletes the stored capabilities of a server. */
  async forgetCapabilities(connectionId: string): Promise<void> {
    this.#closeService(connectionId);
    await this.#memory.update(CAPABILITIES_KEY + connectionId, undefined);
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    for (const id of this.#open.keys()) {
      this.#closeService(id);
    }
  }

  /** Reads the stored connection's credential, never another address's. */
  async #readCredentialOf({ id, baseUrl }: Connection): Promise<string | undefined> {
    // A connection under removal has no credential.
    await this.#store.load();
    const current = this.#store.get(id);
    if (current?.baseUrl !== baseUrl) {
      return undefined;
    }
    const token = await this.#credentials.read(current);
    if (token !== undefined) {
      this.#learnCredential(current, token);
    }
    return token;
  }

  /** Of earlier versions, and of interrupted rotations. No request waits for it, or fails with it. */
  #learnCredential({ id, credentialId }: Connection, token: string): void {
    const current = this.#store.get(id);
    if (current === undefined || current.credentialId !== credentialId) {
      return;
    }
    const unsaved = this.#credentials.unsavedReplacement(current);
    const knownEnd = isLifeKnown(current) ? current.credentialLife?.expiresAt : undefined;
    if (unsaved === undefined ? knownEnd !== undefined : !unsaved.isInterrupted) {
      return;
    }
    const learned: Connection =
      unsaved === undefined ? current : { ...current, credentialTokenId: unsaved.tokenId, credentialSource: undefined };
    const since = this.#environment.credentialCreatedAt?.(learned) ?? Date.now();
    const credentialLife = credentialLifeOf(token, credentialId, since);
    const isNews =
      credentialLife?.expiresAt !== knownEnd ||
      learned.credentialTokenId !== current.credentialTokenId ||
      learned.credentialSource !== current.credentialSource;
    if (isNews) {
      this.#store.save({ ...learned, credentialLife }, current).catch(() => undefined);
    }
  }

  #createService(
    connection: Connection,
    credential: () => Promise<string | undefined>,
    capabilities: {
      readonly knownCapabilities?: KnownCapabilities;
      readonly rememberCapabilities?: (known: KnownCapabilities) => void;
    },
  ): MetadataService {
    return new MetadataService({
      ...this.#transportOptions(connection, credential),
      actorUrn: connection.actorUrn,
      product: connection.product,
      ...capabilities,
    });
  }

  #transportOptions(target: ConnectionTarget, credential: () => Promise<string | undefined>): TransportOptions {
    return {
      baseUrl: target.baseUrl,
      credential: async () => {
        const token = await credential();
        if (token !== undefined && lacksConsent(target)) {
          throw new ServiceFailure(
            'badRequest',
            l10n.t("The address uses http://, and you haven't agreed to send an access token over it."),
            {
              next: l10n.t('Sign in again, or edit the connection.'),
            },
          );
        }
        return token;
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

/** Capabilities don't depend on the user. */
function serverOf({ baseUrl, product }: Connection): string {
  return JSON.stringify([baseUrl, product]);
}

function rememberedCapabilities(stored: unknown): KnownCapabilities | undefined {
  const known = typeof stored === 'string' ? parseJson(stored) : undefined;
  return typeof known === 'object' && known !== null ? known : undefined;
}
