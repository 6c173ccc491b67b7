/** One `Service` for each connection, made when it is first needed and closed when the connection changes. */
import { l10n } from 'vscode';
import type * as vscode from 'vscode';
import { parseJson } from '../service/json.ts';
import type { Dialect } from '../service/dialect.ts';
import { ServiceFailure } from '../service/failure.ts';
import { Service } from '../service/service.ts';
import type { Log } from '../ui/log.ts';
import { settings } from '../ui/settings.ts';
import { accessOf, identityOf, lacksConsent } from './connection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Vault } from './vault.ts';

const DIALECT_KEY = 'dialect.';

export class Services implements vscode.Disposable {
  readonly #store: ConnectionStore;
  readonly #vault: Vault;
  readonly #memory: vscode.Memento;
  readonly #log: Log;
  readonly #open = new Map<string, { readonly service: Service; readonly madeOf: string; readonly access: string }>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(store: ConnectionStore, vault: Vault, memory: vscode.Memento, log: Log) {
    this.#store = store;
    this.#vault = vault;
    this.#memory = memory;
    this.#log = log;
    this.#subscriptions = [
      vault.onDidChange((id) => this.#close(id)),
      store.onDidChange(() => {
        for (const [id, { access }] of this.#open) {
          const connection = store.get(id);
          if (connection === undefined || accessOf(connection) !== access) {
            this.#close(id);
          }
        }
      }),
    ];
  }

  of(connection: Connection): Service {
    const open = this.#open.get(connection.id);
    if (open !== undefined && open.madeOf === identityOf(connection)) {
      return open.service;
    }
    this.#close(connection.id);
    // Whoever holds the connection from before a sign-in or a consent means the one of now.
    const stored = this.#store.get(connection.id);
    const current = stored !== undefined && identityOf(stored) === identityOf(connection) ? stored : connection;
    const key = DIALECT_KEY + connection.id;
    const service = this.#make(current, () => this.#credentialOf(current), {
      dialect: rememberedDialect(this.#memory.get(key)),
      rememberDialect: (dialect) => void this.#memory.update(key, JSON.stringify(dialect)).then(undefined, (thrown: unknown) => this.#log.bug('dialect', thrown)),
    });
    this.#open.set(connection.id, { service, madeOf: identityOf(current), access: accessOf(current) });
    return service;
  }

  /** For a connection that is not saved yet: with the credential at hand, remembering nothing. The caller closes it. */
  trial(connection: Connection, token: string | undefined): Service {
    return this.#make(connection, () => Promise.resolve(token), {});
  }

  /** Forgets what was learned of a server. */
  async forget(connectionId: string): Promise<void> {
    this.#close(connectionId);
    await this.#memory.update(DIALECT_KEY + connectionId, undefined);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    for (const id of this.#open.keys()) {
      this.#close(id);
    }
  }

  /** The credential of the connection as it is now, and never one of another address. */
  async #credentialOf({ id, baseUrl }: Connection): Promise<string | undefined> {
    const current = this.#store.get(id);
    return current?.baseUrl === baseUrl ? this.#vault.read(current) : undefined;
  }

  #make(
    connection: Connection,
    credential: () => Promise<string | undefined>,
    dialect: { readonly dialect?: Dialect; readonly rememberDialect?: (dialect: Dialect) => void },
  ): Service {
    return new Service({
      baseUrl: connection.baseUrl,
      actorUrn: connection.actorUrn,
      product: connection.product,
      credential: async () => {
        const token = await credential();
        if (token !== undefined && lacksConsent(connection)) {
          throw new ServiceFailure('badRequest', l10n.t('The address starts with http://, and sending an access token over it was not agreed to.'), {
            next: l10n.t('Sign in again, or edit the connection.'),
          });
        }
        return token;
      },
      timeoutMillis: settings.requestTimeoutMillis,
      observe: (exchange) => this.#log.exchange(connection.name, exchange),
      ...dialect,
    });
  }

  #close(id: string): void {
    this.#open.get(id)?.service.close();
    this.#open.delete(id);
  }
}

function rememberedDialect(stored: unknown): Dialect {
  const dialect = typeof stored === 'string' ? parseJson(stored) : undefined;
  return typeof dialect === 'object' && dialect !== null ? (dialect as Dialect) : {};
}
