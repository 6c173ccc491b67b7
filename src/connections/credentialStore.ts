/**
 * The only user of SecretStorage. Each connection has a key, with the access token and what belongs to it, so that
 * another browser, which shares the files but not the secrets, takes neither for the other's.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { disposeAll, Emitter, type Disposable } from '../platform/events.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { parseJson } from '../json.ts';
import type { AdditionalHeaders, SentSecrets } from '../service/http/transport.ts';
import { readTokenClaims } from '../service/tokens/tokenClaims.ts';
import type { Clock } from '../time.ts';
import { isSignedIn, isSignInOf, originOf, SIGN_IN, type Connection, type SignIn } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

const KEY = 'credential.';
const { isTokenless: _isTokenless, headerNames: _headerNames, ...WITH_TOKEN } = SIGN_IN.entries;
const CREDENTIAL = v.object({
  ...WITH_TOKEN,
  /** Undefined if there are additional headers alone. */
  token: v.optional(v.pipe(v.string(), v.minLength(1))),
  headers: v.optional(v.record(v.string(), v.string())),
});
type Credential = v.InferOutput<typeof CREDENTIAL>;

/** What a token doesn't say of itself. */
export type TokenOrigin = Pick<SignIn, 'user' | 'tokenId' | 'source'>;

/** The part of VS Code's secret storage that is used. */
export type SecretStorage = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export class CredentialStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #store: ConnectionStore;
  readonly #clock: Clock;
  /** As this window read or stored it last, since reading may show a prompt. */
  readonly #read = new Map<string, Promise<string | undefined>>();
  readonly #changed = new Emitter<string>();
  /** Fires with the connection's ID when a credential changes anywhere. */
  readonly onDidChange = this.#changed.event;
  readonly #signedOut = new Emitter<string>();
  /** Fires with the connection's ID when any window signs out. */
  readonly onDidSignOut = this.#signedOut.event;
  readonly #subscriptions: readonly Disposable[];
  #seen: ReadonlyMap<string, Connection>;

  constructor(secrets: SecretStorage, store: ConnectionStore, clock: Clock) {
    this.#secrets = secrets;
    this.#store = store;
    this.#clock = clock;
    this.#seen = this.#connections();
    this.#subscriptions = [
      store.onDidChange(() => this.#noticeSignOuts()),
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(KEY)) {
          void this.#readAgain(key.slice(KEY.length));
        }
      }),
    ];
  }

  /**
   * Reads the access token of a connection. Undefined if signed out.
   * @throws ServiceFailure `storage` if the secret storage fails.
   */
  async read(connection: Connection): Promise<string | undefined> {
    return (await this.readSecrets(connection)).token;
  }

  /** Reads what the requests of a connection are sent with. @throws as `read` does. */
  async readSecrets(connection: Connection): Promise<SentSecrets> {
    const { token, headers } = (await this.#readCredential(connection)) ?? {};
    return { token, headers };
  }

  async #readCredential(connection: Connection): Promise<Credential | undefined> {
    const { id } = connection;
    let reading = this.#read.get(id);
    if (reading === undefined) {
      reading = this.#readSecret(id);
      this.#read.set(id, reading);
      // Asked for again the next time.
      reading.catch(() => this.#read.get(id) === reading && this.#read.delete(id));
    }
    const stored = await reading;
    if (this.#read.get(id) === reading) {
      await this.#learn(id, stored);
    }
    await this.#deleteLeftover(id, stored);
    return this.#credentialOf(connection, stored);
  }

  /**
   * Stores the credential of a stored connection in place of the former one.
   * @param headers Undefined if those that are stored stay.
   * @throws ServiceFailure `storage` if it can't be stored. The former one stays.
   */
  async store(
    connection: Connection,
    token: string | undefined,
    origin: TokenOrigin = {},
    headers?: AdditionalHeaders,
  ): Promise<void> {
    // Before anything is waited for: a sign-out meanwhile is later.
    const storedAt = later(this.#clock.now(), connection.signIn?.storedAt, connection.signedOutAt);
    const kept = headers ?? (await this.readSecrets(connection)).headers;
    const text = JSON.stringify(newCredential(originOf(connection), storedAt, { ...origin, token, headers: kept }));
    // Before VS Code reports the change.
    this.#read.set(connection.id, Promise.resolve(text));
    try {
      await this.#secrets.store(KEY + connection.id, text);
    } catch {
      // The next read gets the former credential.
      this.#read.delete(connection.id);
      throw new ServiceFailure('storage', l10n.t("Couldn't save the access token in VS Code secret storage."), {
        next: l10n.t("Check whether the system's keychain is asking for something, then try again."),
      });
    }
    await this.#announce(connection.id);
  }

  /**
   * Signs out everywhere, even where the token can't be deleted: a browser's window may write an old secret back.
   * @throws ServiceFailure `storage` if it can't be deleted, or other windows may not learn of it.
   */
  async signOut({ id }: Connection): Promise<void> {
    const noting = this.#store.change(id, ({ signIn, signedOutAt }) => ({
      signedOutAt: later(this.#clock.now(), signIn?.storedAt, signedOutAt),
    }));
    // Without the time, the token must still be deleted.
    const [noted] = await Promise.allSettled([noting]);
    await this.delete(id);
    if (noted.status === 'rejected') {
      throw new ServiceFailure(
        'storage',
        l10n.t("Deleted the access token, but couldn't save that the connection is signed out."),
        { next: l10n.t('Sign out again, or close all other windows: one in a browser may still use the token.') },
      );
    }
  }

  /** Deletes the credential of a connection. @throws ServiceFailure `storage` if that fails. */
  async delete(connectionId: string): Promise<void> {
    await this.forget(connectionId);
    await this.#announce(connectionId);
    this.#signedOut.fire(connectionId);
  }

  /**
   * Deletes the credential of a connection that is being removed. Fires no event, since its rows would then query the
   * server without a token.
   * @throws as `delete` does.
   */
  async forget(connectionId: string): Promise<void> {
    // Before VS Code reports the change.
    this.#read.set(connectionId, Promise.resolve(undefined));
    try {
      await this.#secrets.delete(KEY + connectionId);
    } catch {
      this.#read.delete(connectionId);
      throw new ServiceFailure('storage', l10n.t("Couldn't delete the access token from VS Code secret storage."), {
        next: l10n.t('Try again, and revoke the token on the server to be safe.'),
      });
    }
  }

  /**
   * Notes the user that the server names for the token with which this connection signs in, in the copy alone: it's
   * asked for again in the next session.
   */
  async learnUser(connectionId: string, user: string): Promise<void> {
    const { signIn } = this.#store.get(connectionId) ?? {};
    if (signIn !== undefined && isSignedIn({ signIn }) && signIn.user !== user) {
      await this.#store.learnSignIn(connectionId, { ...signIn, user });
    }
  }

  /** True if any window has signed out, or signed in again. Reads the storage, since VS Code reports changes later. */
  async hasEnded(connection: Connection): Promise<boolean> {
    const { id, signIn } = connection;
    const stored = await this.#readSecret(id).then(
      (text) => ({ text }),
      () => undefined,
    );
    return stored !== undefined && this.#credentialOf(connection, stored.text)?.storedAt !== signIn?.storedAt;
  }

  /** Reads changes of other windows, which not every platform reports. */
  async reload(): Promise<void> {
    await Promise.all([...this.#read.keys()].map((id) => this.#readAgain(id)));
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    this.#changed.dispose();
    this.#signedOut.dispose();
    this.#read.clear();
  }

  /** Ends an interrupted sign-out, and one that a browser's window undid. If it fails, the next reading tries again. */
  async #deleteLeftover(id: string, stored: string | undefined): Promise<void> {
    const { signedOutAt } = this.#store.get(id) ?? {};
    if (stored === undefined || signedOutAt === undefined) {
      return;
    }
    const parsed = v.safeParse(CREDENTIAL, parseJson(stored));
    if (!parsed.success || parsed.output.storedAt <= signedOutAt) {
      const now = await this.#readSecret(id).catch(() => undefined);
      if (now === stored) {
        await this.#secrets.delete(KEY + id).then(undefined, () => undefined);
      }
    }
  }

  /** VS Code reports the window's own changes too, which must not drop loaded lists. */
  async #readAgain(id: string): Promise<void> {
    const reading = this.#read.get(id);
    // Reading may show a prompt, so not before it is needed.
    if (reading === undefined) {
      this.#changed.fire(id);
      return;
    }
    const [before, now] = await Promise.allSettled([reading, this.#readSecret(id)]);
    if (now.status === 'rejected' || this.#read.get(id) !== reading) {
      return;
    }
    if (before.status === 'rejected' || before.value !== now.value) {
      this.#read.set(id, Promise.resolve(now.value));
      await this.#announce(id);
      if (now.value === undefined) {
        this.#signedOut.fire(id);
      }
    }
  }

  #noticeSignOuts(): void {
    const before = this.#seen;
    this.#seen = this.#connections();
    for (const connection of this.#store.all()) {
      const { id, signedOutAt } = connection;
      if (before.has(id) && before.get(id)?.signedOutAt !== signedOutAt) {
        this.#changed.fire(id);
        this.#signedOut.fire(id);
      }
    }
    const isThere = new Set([...this.#seen.keys(), ...this.#store.unreadable()]);
    const gone = [...before.values()].filter(({ id, signIn }) => signIn !== undefined && !isThere.has(id));
    for (const { id } of gone) {
      // Another browser removed it, which has secrets of its own.
      void this.#secrets.delete(KEY + id).then(undefined, () => undefined);
      void this.#store.learnSignIn(id, undefined);
    }
  }

  #connections(): ReadonlyMap<string, Connection> {
    return new Map(this.#store.all().map((connection) => [connection.id, connection]));
  }

  async #announce(id: string): Promise<void> {
    const learned = this.#learn(id, await this.#read.get(id)?.catch(() => undefined));
    // Not after VS Code's storage: requests since then would be canceled.
    this.#changed.fire(id);
    await learned;
  }

  /** Copies what is known of the credential to where no secret has to be read. */
  async #learn(id: string, stored: string | undefined): Promise<void> {
    const connection = this.#store.get(id);
    if (connection !== undefined) {
      const credential = this.#credentialOf(connection, stored);
      await this.#store.learnSignIn(id, credential && signInOf(credential, connection.signIn));
    }
  }

  /** Undefined if signed out. */
  #credentialOf({ id, baseUrl }: Connection, stored: string | undefined): Credential | undefined {
    const parsed = v.safeParse(CREDENTIAL, stored === undefined ? undefined : parseJson(stored));
    const signedOutAt = this.#store.get(id)?.signedOutAt;
    return parsed.success && isSignInOf(parsed.output, { baseUrl, signedOutAt }) ? parsed.output : undefined;
  }

  async #readSecret(id: string): Promise<string | undefined> {
    try {
      return await this.#secrets.get(KEY + id);
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't read the access token from VS Code secret storage."), {
        next: l10n.t("Check whether the system's keychain is asking for something, then try again."),
      });
    }
  }
}

/** @param storedAt Unix time in ms. */
function newCredential(
  origin: string,
  storedAt: number,
  { token, headers = {}, user, tokenId, source }: TokenOrigin & SentSecrets,
): Credential {
  const claims = token === undefined ? undefined : readTokenClaims(token);
  return {
    token,
    origin,
    storedAt,
    user,
    tokenId,
    source,
    endsAt: claims?.expiresAtMillis ?? undefined,
    ...(claims?.type === 'SESSION' && { isSession: true }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** @param known The copy, in which the user may have been learned since. */
function signInOf({ token, headers, ...signIn }: Credential, known: SignIn | undefined): SignIn {
  const isSame = known?.storedAt === signIn.storedAt && known.user !== undefined;
  return {
    ...signIn,
    ...(isSame && { user: known.user }),
    ...(token === undefined && { isTokenless: true }),
    ...(headers !== undefined && { headerNames: Object.keys(headers) }),
  };
}

/** Now, but later than each of the others, whatever the clock says. Unix times in ms. */
export function later(now: number, ...others: readonly (number | undefined)[]): number {
  return Math.max(now, ...others.map((other) => (other === undefined ? now : other + 1)));
}
