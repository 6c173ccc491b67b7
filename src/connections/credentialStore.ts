/**
 * The only user of SecretStorage. Each connection has a key, with the access token and its origin: a shared key
 * would lose writes of other windows, and a token without its origin could be sent elsewhere.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore } from '../platform/durableStore.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { type Clock, MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../time.ts';
import { originOf, type Connection } from './connection.ts';

const KEY = 'credential.';
/** Marks a signed-out credential, which other windows may still hold. */
const SIGNED_OUT = 'signedOut.';
const SIGN_OUT = v.object({
  /** Unix time in ms. */
  at: v.number(),
});
/** No window holds an old credential longer. A mark also waits until the credential is deleted. */
const SIGN_OUT_REMEMBERED_MILLIS = 90 * MILLIS_PER_DAY;
const RECORD = v.object({
  token: v.pipe(v.string(), v.minLength(1)),
  origin: v.string(),
  /** The `credentialId` of the connection when it was stored. */
  id: v.optional(v.string()),
  /** The one that a rotation replaced, or null: it has this token until the connection is saved with the new one. */
  replacedId: v.optional(v.nullable(v.string())),
  /** Of a rotation: the ID of the token, if known, and when it was stored, as Unix time in ms. */
  tokenId: v.optional(v.string()),
  replacedAt: v.optional(v.number()),
});
/** A rotation that hasn't saved its connection after this time was interrupted. */
const LONGEST_REPLACEMENT_MILLIS = MILLIS_PER_MINUTE;

/** The token of a rotation that hasn't saved its connection. */
interface UnsavedReplacement {
  /** ID of the token, if known. */
  readonly tokenId: string | undefined;
  /** False while another window may be about to save the connection. */
  readonly isInterrupted: boolean;
}

/** A credential, with the connection's state when it was read. */
interface CredentialReading {
  readonly origin: string;
  readonly id: string | undefined;
  readonly token: Promise<string | undefined>;
}

/** `memory` if the secret storage failed: lost with the window. */
export type CredentialPlace = 'stored' | 'memory';

/** The part of VS Code's secret storage that is used. */
export type SecretStorage = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export class CredentialStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #signOuts: DurableStore<v.InferOutput<typeof SIGN_OUT>>;
  readonly #clock: Clock;
  readonly #changed = new Emitter<string>();
  readonly #subscription: Disposable;
  /** Read once each, since reading may show a prompt. */
  readonly #read = new Map<string, CredentialReading>();
  /** Credentials that the secret storage refused. */
  readonly #unstored = new Map<string, CredentialReading>();
  /** The text that this window stored last. Undefined if deleted. */
  readonly #written = new Map<string, string | undefined>();
  /** Records of rotations whose connection wasn't saved when they were read. */
  readonly #replacements = new Map<string, Omit<v.InferOutput<typeof RECORD>, 'token'>>();
  /** Connections whose credential this window read or stored at any time. */
  readonly #used = new Set<string>();
  /** Sign-outs that need no event: from before, or fired already. */
  readonly #knownSignOuts = new Set<string>();
  /** Fires with the connection's ID when a credential changes anywhere. */
  readonly onDidChange = this.#changed.event;
  readonly #signedOut = new Emitter<string>();
  /** Fires with the connection's ID when any window signs out. */
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
        void this.#onSecretChanged(key.slice(KEY.length));
      }
    });
  }

  /**
   * Reads the access token of a connection. Undefined if signed out.
   * @throws ServiceFailure `storage` if the secret storage fails.
   */
  async read(connection: Connection): Promise<string | undefined> {
    await this.#loadSignOuts();
    if (!this.#isSignedOut(connection)) {
      return this.#readTokenOnce(connection);
    }
    await this.#deleteLeftover(connection);
    return undefined;
  }

  /** Ends an interrupted sign-out, without an event: it counts as signed out already. */
  async #deleteLeftover(connection: Connection): Promise<void> {
    if ((await this.#readStoredToken(connection).catch(() => undefined)) !== undefined) {
      this.#written.set(connection.id, undefined);
      // Keep the mark, so that the next reading tries again.
      await this.#secrets.delete(KEY + connection.id).then(undefined, () => undefined);
    }
  }

  #readTokenOnce(connection: Connection): Promise<string | undefined> {
    const { id } = connection;
    this.#used.add(id);
    const known = [this.#unstored.get(id), this.#read.get(id)].find(
      (one) => one !== undefined && isReadingOf(one, connection),
    );
    if (known !== undefined) {
      return known.token;
    }
    const reading = credentialReadingOf(connection, this.#readStoredToken(connection));
    this.#read.set(id, reading);
    reading.token.catch(() => {
      if (this.#read.get(id) === reading) {
        this.#read.delete(id);
      }
    });
    return reading.token;
  }

  /**
   * Stores a credential. @param connection To be saved with a new `credentialId`, to which only this credential
   * belongs.
   */
  async store(connection: Connection, token: string): Promise<CredentialPlace> {
    let kept: CredentialPlace = 'stored';
    this.#used.add(connection.id);
    this.#unstored.delete(connection.id);
    const record = JSON.stringify({ token, origin: originOf(connection), id: connection.credentialId });
    this.#written.set(connection.id, record);
    try {
      await this.#secrets.store(KEY + connection.id, record);
    } catch {
      // Keep it for this window. The caller informs the user.
      kept = 'memory';
      this.#unstored.set(connection.id, credentialReadingOf(connection, Promise.resolve(token)));
    }
    this.#read.set(connection.id, credentialReadingOf(connection, Promise.resolve(token)));
    this.#changed.fire(connection.id);
    return kept;
  }

  /**
   * Replaces a credential. Before and after the connection is saved with its new `credentialId`, it has a token that
   * works, since the stored one belongs to both.
   * @param connection With the `credentialTokenId` of the new token.
   * @param replacedId The `credentialId` from before.
   * @throws ServiceFailure `storage` if it can't be stored. The former credential stays.
   */
  async replace(connection: Connection, token: string, replacedId: string | undefined): Promise<void> {
    const { id, credentialId, credentialTokenId } = connection;
    const before = this.#written.get(id);
    const record = JSON.stringify({
      token,
      origin: originOf(connection),
      id: credentialId,
      replacedId: replacedId ?? null,
      tokenId: credentialTokenId,
      replacedAt: this.#clock.now(),
    });
    const wasWritten = this.#written.has(id);
    this.#written.set(id, record);
    try {
      await this.#secrets.store(KEY + id, record);
    } catch {
      this.#written.delete(id);
      if (wasWritten) {
        this.#written.set(id, before);
      }
      throw new ServiceFailure('storage', l10n.t("Couldn't save the access token in VS Code secret storage."), {
        next: l10n.t('This connection still uses its former token.'),
      });
    }
    this.#unstored.delete(id);
    this.#read.set(id, credentialReadingOf(connection, Promise.resolve(token)));
    this.#changed.fire(id);
  }

  /** For a connection whose credential was read. Undefined if it was saved with that one. */
  unsavedReplacement({ id, credentialId }: Connection): UnsavedReplacement | undefined {
    const record = this.#replacements.get(id);
    if (record === undefined || (record.replacedId ?? undefined) !== credentialId) {
      return undefined;
    }
    const { tokenId, replacedAt = 0 } = record;
    return { tokenId, isInterrupted: this.#clock.now() - replacedAt > LONGEST_REPLACEMENT_MILLIS };
  }

  /** When any window signed out of this connection last, as Unix time in ms. */
  lastSignOut(connectionId: string): number {
    return Math.max(0, ...this.#marksOf(connectionId).map(([, { at }]) => at));
  }

  /** Signs out everywhere, even if the credential can't be deleted. */
  async markSignedOut(connection: Connection): Promise<void> {
    await this.#loadSignOuts();
    const mark = signOutMarkId(connection);
    this.#knownSignOuts.add(mark);
    // Without the mark, the credential must still be deleted.
    await this.#signOuts.put(mark, { at: this.#clock.now() }).catch(() => undefined);
    this.#announceChange(connection.id);
    this.#signedOut.fire(connection.id);
  }

  /** Deletes the credential. @throws ServiceFailure `storage` if that fails. */
  async forgetCredential(connectionId: string): Promise<void> {
    await this.#deleteSecret(connectionId);
    await this.#forgetMarks(connectionId, this.#clock.now() - SIGN_OUT_REMEMBERED_MILLIS);
  }

  /** For a removed connection. @throws ServiceFailure as `forgetCredential` does. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#deleteSecret(connectionId);
    await this.#forgetMarks(connectionId, Infinity);
  }

  async #deleteSecret(connectionId: string): Promise<void> {
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
      // It may have been read during the deletion.
      this.#read.delete(connectionId);
      this.#changed.fire(connectionId);
    }
  }

  /** @param before Unix time in ms. */
  async #forgetMarks(connectionId: string, before: number): Promise<void> {
    await this.#loadSignOuts();
    const marks = this.#marksOf(connectionId).filter(([, { at }]) => at < before);
    await Promise.all(marks.map(([id]) => this.#signOuts.delete(id).catch(() => undefined)));
  }

  #marksOf(connectionId: string): [id: string, v.InferOutput<typeof SIGN_OUT>][] {
    return [...this.#signOuts.all()].filter(([mark]) => mark.startsWith(`${connectionId}.`));
  }

  /** Reads sign-outs that VS Code may not report. */
  async reloadSignOuts(): Promise<void> {
    await this.#loadSignOuts();
    await this.#signOuts.reload();
    for (const mark of [...this.#signOuts.all().keys()].filter((one) => !this.#knownSignOuts.has(one))) {
      this.#knownSignOuts.add(mark);
      this.#signedOut.fire(connectionIdOf(mark));
    }
  }

  /** True if any window has signed out, or signed in again. Reads the storage, since VS Code reports changes later. */
  async hasEnded(connection: Connection): Promise<boolean> {
    await this.reloadSignOuts();
    const { record } = (await this.#readRecord(connection.id)) ?? {};
    const isOthers = record !== undefined && this.#tokenIn(record, connection) === undefined;
    return this.#isSignedOut(connection) || (isOthers && !this.#unstored.has(connection.id));
  }

  async #loadSignOuts(): Promise<void> {
    if (!this.#signOuts.isLoaded) {
      await this.#signOuts.load();
      [...this.#signOuts.all().keys()].forEach((mark) => this.#knownSignOuts.add(mark));
    }
  }

  /** Reads changes of other windows, which not every platform reports. */
  async reload(connections: readonly Connection[]): Promise<void> {
    if (this.#signOuts.isLoaded) {
      await this.reloadSignOuts();
    }
    const used = connections.filter(({ id }) => this.#used.has(id) && !this.#unstored.has(id));
    await Promise.all(used.map((connection) => this.#reloadCredential(connection)));
  }

  async #reloadCredential(connection: Connection): Promise<void> {
    const { id } = connection;
    const reading = this.#read.get(id);
    const stored = await this.#readRecord(id);
    if (reading !== undefined) {
      const before = await reading.token.catch(() => undefined);
      const now = this.#isSignedOut(connection)
        ? undefined
        : stored === undefined
          ? before
          : this.#tokenIn(stored.record, connection);
      if (now !== before) {
        this.#announceChange(id);
      }
    }
    // The mark of a sign-out may be missing. A token of another sign-in is none.
    if (stored !== undefined && stored.record === undefined) {
      this.#signedOut.fire(id);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#signedOut.dispose();
    this.#read.clear();
    this.#written.clear();
  }

  /**
   * Handles a change of the secret storage. VS Code reports the window's own changes too, which must not drop
   * loaded lists.
   */
  async #onSecretChanged(connectionId: string): Promise<void> {
    if (this.#written.has(connectionId) || this.#used.has(connectionId)) {
      const stored = await this.#readRecord(connectionId);
      const isOwn = this.#written.has(connectionId) && stored?.record === this.#written.get(connectionId);
      if (stored !== undefined && isOwn) {
        return;
      }
      this.#written.delete(connectionId);
      if (stored !== undefined && stored.record === undefined) {
        this.#signedOut.fire(connectionId);
      }
    }
    this.#announceChange(connectionId);
  }

  /** @returns undefined if the secret storage fails. */
  #readRecord(connectionId: string): Promise<{ readonly record: string | undefined } | undefined> {
    return Promise.resolve(this.#secrets.get(KEY + connectionId)).then(
      (record) => ({ record }),
      () => undefined,
    );
  }

  #announceChange(connectionId: string): void {
    this.#read.delete(connectionId);
    this.#changed.fire(connectionId);
  }

  #isSignedOut(connection: Connection): boolean {
    return this.#signOuts.get(signOutMarkId(connection)) !== undefined;
  }

  async #readStoredToken(connection: Connection): Promise<string | undefined> {
    const stored = await this.#readRecord(connection.id);
    if (stored === undefined) {
      throw new ServiceFailure('storage', l10n.t("Couldn't read the access token from VS Code secret storage."), {
        next: l10n.t("Check the system's keychain, or sign in again."),
      });
    }
    return this.#tokenIn(stored.record, connection);
  }

  /** Returns the token of a stored record if it belongs to the connection. */
  #tokenIn(stored: string | undefined, connection: Connection): string | undefined {
    let value: unknown;
    try {
      value = stored === undefined ? undefined : JSON.parse(stored);
    } catch {
      return undefined;
    }
    const parsed = v.safeParse(RECORD, value);
    if (!parsed.success) {
      return undefined;
    }
    const { token, ...record } = parsed.output;
    const { origin, id, replacedId } = record;
    // Ignore a token of another origin, left by an edit or planted, and one of another sign-in: in a browser,
    // each window reads the storage once and isn't informed of changes.
    const isSaved = id === connection.credentialId;
    const isReplaced = !isSaved && replacedId !== undefined && (replacedId ?? undefined) === connection.credentialId;
    if (isReplaced) {
      this.#replacements.set(connection.id, record);
    } else {
      this.#replacements.delete(connection.id);
    }
    return origin === originOf(connection) && (isSaved || isReplaced) ? token : undefined;
  }
}

function credentialReadingOf(connection: Connection, token: Promise<string | undefined>): CredentialReading {
  return { origin: originOf(connection), id: connection.credentialId, token };
}

function signOutMarkId({ id, credentialId }: Connection): string {
  return `${id}.${credentialId ?? 'none'}`;
}

function connectionIdOf(mark: string): string {
  return mark.slice(0, mark.indexOf('.'));
}

/** Returns false for a reading of another origin or sign-in. */
function isReadingOf({ origin, id }: CredentialReading, connection: Connection): boolean {
  return origin === originOf(connection) && id === connection.credentialId;
}
