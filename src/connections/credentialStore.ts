/**
 * The only user of SecretStorage. One key a connection, holding the access token and the origin it belongs to: a shared key
 * would lose what another window writes, and a token without its origin could be sent elsewhere.
 */
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { DurableStore } from '../platform/durableStore.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import * as l10n from '@vscode/l10n';
import { originOf } from './connection.ts';
import type { Connection } from './connection.ts';

const KEY = 'credential.';
/** Marks a credential that was signed out, whatever a window that did not hear of it writes or still has in mind. */
const SIGNED_OUT = 'signedOut.';
const SIGN_OUT = v.object({
  /** Unix time in ms. */
  at: v.number(),
});
/** No window holds on to an old credential for longer. Older marks go once the credential is known to be deleted. */
const SIGN_OUT_REMEMBERED_MILLIS = 90 * MILLIS_PER_DAY;
const RECORD = v.object({
  token: v.pipe(v.string(), v.minLength(1)),
  origin: v.string(),
  /** The connection's `credentialId` when it was stored. */
  id: v.optional(v.string()),
});

/** A credential as it was read or kept for a connection, and what the connection was then. */
interface Reading {
  readonly origin: string;
  readonly id: string | undefined;
  readonly token: Promise<string | undefined>;
}

/** Where a credential ended up. `memory`: the secret storage failed, so it is gone when the window closes. */
export type CredentialPlace = 'stored' | 'memory';

/** The part of VS Code's secret storage that is used. */
export type SecretStorage = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export class CredentialStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #signOuts: DurableStore<v.InferOutput<typeof SIGN_OUT>>;
  readonly #clock: Clock;
  readonly #changed = new Emitter<string>();
  readonly #subscription: Disposable;
  /** One read for each connection and window: each costs a round trip, and on some systems a prompt. */
  readonly #read = new Map<string, Reading>();
  /** Credentials that the secret storage did not take. */
  readonly #unstored = new Map<string, Reading>();
  /** What this window stored last under a connection's key; undefined: it deleted the key. */
  readonly #written = new Map<string, string | undefined>();
  /** The id of a connection whose credential was stored or deleted, here or in another window. */
  readonly onDidChange = this.#changed.event;
  readonly #signedOut = new Emitter<string>();
  /** The id of a connection that was signed out, here or in another window. */
  readonly onDidSignOut = this.#signedOut.event;

  constructor(secrets: SecretStorage, memento: Memento, folder: DurableFolder, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#signOuts = new DurableStore({
      folder,
      memento,
      prefix: SIGNED_OUT,
      parse: (stored) => (v.is(SIGN_OUT, stored) ? { at: stored.at } : undefined),
      clock,
    });
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(KEY)) {
        void this.#heard(key.slice(KEY.length));
      }
    });
  }

  /**
   * The access token of a connection, or undefined when signed out.
   * @throws ServiceFailure `storage` when the secret storage fails.
   */
  async read(connection: Connection): Promise<string | undefined> {
    await this.#signOuts.load();
    if (!this.#isSignedOut(connection)) {
      return this.#readOnce(connection);
    }
    await this.#deleteLeftover(connection);
    return undefined;
  }

  /** Ends a sign-out that was cut short. Says nothing to listeners: to them the connection was signed out already. */
  async #deleteLeftover(connection: Connection): Promise<void> {
    if ((await this.#readStored(connection).catch(() => undefined)) !== undefined) {
      this.#written.set(connection.id, undefined);
      // The mark stays, so that the next reading tries again.
      await this.#secrets.delete(KEY + connection.id).then(undefined, () => undefined);
    }
  }

  #readOnce(connection: Connection): Promise<string | undefined> {
    const { id } = connection;
    const known = [this.#unstored.get(id), this.#read.get(id)].find(
      (one) => one !== undefined && isOf(one, connection),
    );
    if (known !== undefined) {
      return known.token;
    }
    const reading = readingOf(connection, this.#readStored(connection));
    this.#read.set(id, reading);
    reading.token.catch(() => {
      if (this.#read.get(id) === reading) {
        this.#read.delete(id);
      }
    });
    return reading.token;
  }

  /** @param connection As it will be saved: with a new `credentialId`, so that no other credential passes for this one. */
  async store(connection: Connection, token: string): Promise<CredentialPlace> {
    let kept: CredentialPlace = 'stored';
    this.#unstored.delete(connection.id);
    const record = JSON.stringify({ token, origin: originOf(connection), id: connection.credentialId });
    this.#written.set(connection.id, record);
    try {
      await this.#secrets.store(KEY + connection.id, record);
    } catch {
      // Better a credential for this window than none: the person is told.
      kept = 'memory';
      this.#unstored.set(connection.id, readingOf(connection, Promise.resolve(token)));
    }
    this.#read.set(connection.id, readingOf(connection, Promise.resolve(token)));
    this.#changed.fire(connection.id);
    return kept;
  }

  /** From now on the credential is not used any more, in no window, even should it not be deleted. */
  async invalidate(connection: Connection): Promise<void> {
    await this.#signOuts.load();
    // A mark that could not be written must not keep the credential from being deleted.
    await this.#signOuts.put(signOutId(connection), { at: this.#clock.now() }).catch(() => undefined);
    this.#announce(connection.id);
    this.#signedOut.fire(connection.id);
  }

  /** @throws ServiceFailure `storage` when the secret storage could not delete: the person must know. */
  async forget(connectionId: string): Promise<void> {
    await this.#delete(connectionId);
    await this.#forgetMarks(connectionId, this.#clock.now() - SIGN_OUT_REMEMBERED_MILLIS);
  }

  /** Deletes everything about the credentials of a connection that is removed. @throws ServiceFailure as `forget` does. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#delete(connectionId);
    await this.#forgetMarks(connectionId, Infinity);
  }

  async #delete(connectionId: string): Promise<void> {
    this.#read.delete(connectionId);
    this.#unstored.delete(connectionId);
    this.#written.set(connectionId, undefined);
    try {
      await this.#secrets.delete(KEY + connectionId);
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't delete the access token from VS Code secret storage."), {
        next: l10n.t('Try again, and revoke the token on the server to be safe.'),
      });
    } finally {
      // It may have been read while it was being deleted.
      this.#read.delete(connectionId);
      this.#changed.fire(connectionId);
    }
  }

  /** @param before Unix time in ms. */
  async #forgetMarks(connectionId: string, before: number): Promise<void> {
    await this.#signOuts.load();
    const marks = [...this.#signOuts.all()].filter(([id, { at }]) => id.startsWith(`${connectionId}.`) && at < before);
    await Promise.all(marks.map(([id]) => this.#signOuts.delete(id).catch(() => undefined)));
  }

  /** Learns which credentials were signed out in other windows, before one changes something: VS Code may tell nothing of it. */
  async reloadSignOuts(): Promise<void> {
    await this.#signOuts.reload();
  }

  /** Not every platform tells of another window's change: what was read is read again when it is next needed. */
  async reload(connections: readonly Connection[]): Promise<void> {
    if (this.#signOuts.isLoaded) {
      await this.#signOuts.reload();
    }
    await Promise.all(
      connections
        .filter(({ id }) => this.#read.has(id) && !this.#unstored.has(id))
        .map(async (connection) => {
          const before = await this.#read.get(connection.id)?.token.catch(() => undefined);
          const now = this.#isSignedOut(connection)
            ? undefined
            : await this.#readStored(connection).catch(() => before);
          if (now !== before) {
            this.#announce(connection.id);
          }
          if (now === undefined && before !== undefined) {
            this.#signedOut.fire(connection.id);
          }
        }),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#signedOut.dispose();
    this.#read.clear();
    this.#written.clear();
  }

  /** VS Code tells a window of its own changes too, some time later: what was loaded since then is not thrown away for them. */
  async #heard(connectionId: string): Promise<void> {
    if (this.#written.has(connectionId) || this.#read.has(connectionId)) {
      const stored = await this.#secrets.get(KEY + connectionId).then(
        (record) => ({ record }),
        () => undefined,
      );
      const isOwn = this.#written.has(connectionId) && stored?.record === this.#written.get(connectionId);
      if (stored !== undefined && isOwn) {
        return;
      }
      this.#written.delete(connectionId);
      if (stored !== undefined && stored.record === undefined) {
        this.#signedOut.fire(connectionId);
      }
    }
    this.#announce(connectionId);
  }

  #announce(connectionId: string): void {
    this.#read.delete(connectionId);
    this.#changed.fire(connectionId);
  }

  #isSignedOut(connection: Connection): boolean {
    return this.#signOuts.get(signOutId(connection)) !== undefined;
  }

  async #readStored(connection: Connection): Promise<string | undefined> {
    let stored: string | undefined;
    try {
      stored = await this.#secrets.get(KEY + connection.id);
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't read the access token from VS Code secret storage."), {
        next: l10n.t("Check the system's keychain, or sign in again."),
      });
    }
    let record: unknown;
    try {
      record = stored === undefined ? undefined : JSON.parse(stored);
    } catch {
      return undefined;
    }
    const parsed = v.safeParse(RECORD, record);
    if (!parsed.success) {
      return undefined;
    }
    const { token, origin, id } = parsed.output;
    // A token of another origin is treated as none: the connection was edited, or somebody tampered with it. So is one of another
    // sign-in: in a browser each window reads the storage once, and hears nothing of what others do to it.
    return origin === originOf(connection) && id === connection.credentialId ? token : undefined;
  }
}

function readingOf(connection: Connection, token: Promise<string | undefined>): Reading {
  return { origin: originOf(connection), id: connection.credentialId, token };
}

function signOutId({ id, credentialId }: Connection): string {
  return `${id}.${credentialId ?? 'none'}`;
}

/** What was read for another origin or sign-in is no answer. */
function isOf({ origin, id }: Reading, connection: Connection): boolean {
  return origin === originOf(connection) && id === connection.credentialId;
}
