/**
 * Remembers tokens created here. Names and dates are stored in files, since some servers list neither.
 * Values stay in memory, to be copied as often as the user asks, until the window closes or the token is gone.
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import { tokenUrn, type AccessToken } from '../service/tokens/accessToken.ts';
import { type Clock, MILLIS_PER_DAY, MILLIS_PER_HOUR, systemClock } from '../time.ts';
import { tokenFileId, tokenFilesOf } from './tokenFiles.ts';

/** For all connections together; the newest are kept. */
const MOST_REMEMBERED = 500;
/** Servers list expired tokens for a while, so keep their names as long. */
const REMEMBERED_AFTER_END_MILLIS = 30 * MILLIS_PER_DAY;

const RECORD = v.object({
  connectionId: v.string(),
  token: v.object({
    urn: v.string(),
    id: v.string(),
    actorUrn: v.string(),
    ownerUrn: v.optional(v.string()),
    name: v.optional(v.string()),
    description: v.optional(v.string()),
    createdAt: v.optional(v.number()),
    expiresAt: v.optional(v.nullable(v.number())),
  }),
});
interface RememberedToken {
  readonly connectionId: string;
  readonly token: AccessToken;
}

/** A value in memory. */
interface HeldSecret {
  readonly secret: TokenSecret;
  wasCopied: boolean;
  /** Cancels the timer that drops it when the token expires. */
  stopTimer: () => void;
}

export class CreatedTokens {
  readonly #files: FileStore<RememberedToken>;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  /** Created in this window, by file: a listing without names may be faster than the disk, which may also fail. */
  readonly #createdHere = new Map<string, AccessToken>();
  readonly #held = new Map<string, HeldSecret>();
  readonly #heldChanged = new Emitter<string>();
  /** Fires the ID of a connection whose held values changed. */
  readonly onDidChange = this.#heldChanged.event;

  constructor(folder: Folder, clock: Pick<Clock, 'now' | 'after'> = systemClock) {
    this.#files = new FileStore(folder, parseRecord);
    this.#clock = clock;
  }

  /** Reads the files once. Before, names and dates are missing. Never throws. */
  async load(): Promise<void> {
    await this.#files.load().catch(() => undefined);
  }

  /** Reads what other windows remember. Never throws. */
  async reload(): Promise<void> {
    await this.#files.reload().catch(() => undefined);
  }

  /** Also drops expired and excess entries. @param now Unix time in ms. @throws what the file system throws. */
  async rememberToken(connectionId: string, token: AccessToken, now = Date.now()): Promise<void> {
    const mine = tokenFileId(connectionId, token.id);
    this.#createdHere.set(mine, token);
    await this.#files.change(mine, () => ({ connectionId, token }));
    const newestFirst = [...this.#files.all()]
      .filter(([id, one]) => id === mine || (one.token.expiresAt ?? now) + REMEMBERED_AFTER_END_MILLIS > now)
      .toSorted(([, a], [, b]) => (b.token.createdAt ?? 0) - (a.token.createdAt ?? 0));
    const stays = new Set([mine, ...newestFirst.map(([id]) => id)].slice(0, MOST_REMEMBERED));
    const forgotten = [...this.#files.all().keys()].filter((id) => !stays.has(id));
    forgotten.forEach((id) => this.#createdHere.delete(id));
    // Leftovers are deleted with the next token.
    await Promise.allSettled(forgotten.map((id) => this.#files.remove(id)));
  }

  /** Adds remembered fields to a listed token. Fields from the server win. */
  withRemembered(connectionId: string, token: AccessToken): AccessToken {
    const file = tokenFileId(connectionId, token.id);
    const remembered = this.#createdHere.get(file) ?? this.#files.get(file)?.token;
    if (remembered === undefined) {
      return token;
    }
    const listed = Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined && value !== ''));
    return { ...remembered, ...listed };
  }

  /** When it was created, as Unix time in ms. Undefined if not here. */
  createdAt(connectionId: string, tokenId: string | undefined): number | undefined {
    return tokenId === undefined ? undefined : this.rememberedToken(connectionId, tokenId).createdAt;
  }

  /** A token that isn't listed: with its ID alone if it wasn't created here. */
  rememberedToken(connectionId: string, id: string): AccessToken {
    return this.withRemembered(connectionId, { urn: tokenUrn(id), id, actorUrn: '' });
  }

  async forgetToken(connectionId: string, tokenId: string): Promise<void> {
    this.releaseSecret(connectionId, tokenId);
    const file = tokenFileId(connectionId, tokenId);
    this.#createdHere.delete(file);
    await this.#files.remove(file);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    this.releaseSecrets(connectionId);
    await this.#files.reload();
    await Promise.all(tokenFilesOf(this.#files, connectionId).map((id) => this.#files.remove(id)));
  }

  /**
   * Holds a new value, so that closing its dialog or copying it once loses nothing.
   * @param expiresAt Unix time in ms, when the value is dropped; null or undefined: never or unknown.
   */
  holdSecret(connectionId: string, tokenId: string, secret: TokenSecret, expiresAt?: number | null): void {
    const key = createdTokenKey(connectionId, tokenId);
    this.#held.get(key)?.stopTimer();
    const held: HeldSecret = { secret, wasCopied: false, stopTimer: () => undefined };
    this.#held.set(key, held);
    this.#heldChanged.fire(connectionId);
    const dropWhenExpired = (): void => {
      const left = (expiresAt ?? Number.POSITIVE_INFINITY) - this.#clock.now();
      if (left <= 0) {
        this.releaseSecret(connectionId, tokenId);
      } else if (left < Number.POSITIVE_INFINITY) {
        // Timers overflow after 24 days, and stand still while the machine sleeps.
        held.stopTimer = this.#clock.after(Math.min(left, MILLIS_PER_HOUR), dropWhenExpired);
      }
    };
    dropWhenExpired();
  }

  heldSecretOf(connectionId: string, tokenId: string): TokenSecret | undefined {
    return this.#held.get(createdTokenKey(connectionId, tokenId))?.secret;
  }

  /** ID of the token with this value, if this window holds it. */
  heldIdOf(connectionId: string, value: string): string | undefined {
    const prefix = createdTokenKey(connectionId, '');
    const key = [...this.#held].find(([one, { secret }]) => one.startsWith(prefix) && secret.reveal() === value)?.[0];
    return key?.slice(prefix.length);
  }

  /** Keeps a value that was copied: it can be copied again, but no longer counts as one that would be lost. */
  markCopied(connectionId: string, tokenId: string): void {
    const held = this.#held.get(createdTokenKey(connectionId, tokenId));
    if (held?.wasCopied === false) {
      held.wasCopied = true;
      this.#heldChanged.fire(connectionId);
    }
  }

  wasCopied(connectionId: string, tokenId: string): boolean {
    return this.#held.get(createdTokenKey(connectionId, tokenId))?.wasCopied ?? false;
  }

  /** Drops a value that is no longer needed. */
  releaseSecret(connectionId: string, tokenId: string): void {
    this.#release(connectionId, [tokenId]);
  }

  /** Number of values of a connection that were never copied. */
  uncopiedCount(connectionId: string): number {
    return this.#heldTokenIds(connectionId).filter((id) => !this.wasCopied(connectionId, id)).length;
  }

  /** Drops all values of a connection, as on sign-out. */
  releaseSecrets(connectionId: string): void {
    this.#release(connectionId, this.#heldTokenIds(connectionId));
  }

  #release(connectionId: string, tokenIds: readonly string[]): void {
    const keys = tokenIds.map((id) => createdTokenKey(connectionId, id)).filter((key) => this.#held.has(key));
    for (const key of keys) {
      this.#held.get(key)?.stopTimer();
      this.#held.delete(key);
    }
    if (keys.length > 0) {
      this.#heldChanged.fire(connectionId);
    }
  }

  #heldTokenIds(connectionId: string): string[] {
    const prefix = createdTokenKey(connectionId, '');
    return [...this.#held.keys()].flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  }
}

function parseRecord(stored: unknown): RememberedToken | undefined {
  const parsed = v.safeParse(RECORD, stored);
  return parsed.success ? (parsed.output as RememberedToken) : undefined;
}

/** Of a value in memory. */
function createdTokenKey(connectionId: string, tokenId: string): string {
  return `${connectionId}.${tokenId}`;
}
