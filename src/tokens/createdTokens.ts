/**
 * Remembers tokens created here. Names and dates are stored in globalState, since some servers list neither.
 * Values are kept in memory until they are copied or the window closes.
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { MILLIS_PER_DAY } from '../time.ts';

const PREFIX = 'createdToken.';
/** For all connections together; the newest are kept. */
const MOST_REMEMBERED = 500;
/** Servers list expired tokens for a while, so keep their names as long. */
const REMEMBERED_AFTER_END_MILLIS = 30 * MILLIS_PER_DAY;

const RECORD = v.object({
  urn: v.string(),
  id: v.string(),
  actorUrn: v.string(),
  ownerUrn: v.optional(v.string()),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  createdAt: v.optional(v.number()),
  expiresAt: v.optional(v.nullable(v.number())),
});

export class CreatedTokens {
  readonly #memory: Memento;
  readonly #held = new Map<string, TokenSecret>();
  readonly #heldChanged = new Emitter<string>();
  /** Fires the ID of a connection whose held values changed. */
  readonly onDidChange = this.#heldChanged.event;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Also drops expired, damaged and excess entries. @param now Unix time in ms. */
  async rememberToken(connectionId: string, token: AccessToken, now = Date.now()): Promise<void> {
    const mine = createdTokenKey(connectionId, token.id);
    const others = this.#memory.keys().filter((one) => one.startsWith(PREFIX) && one !== mine);
    const worth = new Map(others.flatMap((one) => this.#rememberedSince(one, now)));
    const newest = [...worth].toSorted(([, a], [, b]) => b - a).slice(0, MOST_REMEMBERED - 1);
    const stays = new Set(newest.map(([one]) => one));
    const forgotten = others.filter((one) => !stays.has(one)).map((one) => this.#memory.update(one, undefined));
    await this.#memory.update(mine, token);
    // Leftovers are deleted with the next token.
    await Promise.allSettled(forgotten);
  }

  /** Adds remembered fields to a listed token. Fields from the server win. */
  withRemembered(connectionId: string, token: AccessToken): AccessToken {
    const parsed = v.safeParse(RECORD, this.#memory.get(createdTokenKey(connectionId, token.id)));
    if (!parsed.success) {
      return token;
    }
    const listed = Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined && value !== ''));
    return { ...parsed.output, ...listed } as AccessToken;
  }

  /** When it was created, as Unix time in ms. Undefined if not here. */
  createdAt(connectionId: string, tokenId: string | undefined): number | undefined {
    return tokenId === undefined
      ? undefined
      : this.withRemembered(connectionId, { urn: '', id: tokenId, actorUrn: '' }).createdAt;
  }

  async forgetToken(connectionId: string, tokenId: string): Promise<void> {
    this.releaseSecret(connectionId, tokenId);
    await this.#memory.update(createdTokenKey(connectionId, tokenId), undefined);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    const prefix = createdTokenKey(connectionId, '');
    this.releaseSecrets(connectionId);
    await Promise.all(
      this.#memory.keys().flatMap((one) => (one.startsWith(prefix) ? [this.#memory.update(one, undefined)] : [])),
    );
  }

  /** Holds a value that wasn't copied yet, so closing a notification by mistake loses nothing. */
  holdSecret(connectionId: string, tokenId: string, secret: TokenSecret): void {
    this.#held.set(createdTokenKey(connectionId, tokenId), secret);
    this.#heldChanged.fire(connectionId);
  }

  heldSecretOf(connectionId: string, tokenId: string): TokenSecret | undefined {
    return this.#held.get(createdTokenKey(connectionId, tokenId));
  }

  /** Drops a value that reached its place; it is offered once. */
  releaseSecret(connectionId: string, tokenId: string): void {
    if (this.#held.delete(createdTokenKey(connectionId, tokenId))) {
      this.#heldChanged.fire(connectionId);
    }
  }

  /** Number of values held for a connection. */
  heldSecretCount(connectionId: string): number {
    return [...this.#held.keys()].filter((one) => one.startsWith(createdTokenKey(connectionId, ''))).length;
  }

  /** Drops all values of a connection, as on sign-out. */
  releaseSecrets(connectionId: string): void {
    const count = this.heldSecretCount(connectionId);
    for (const held of this.#held.keys()) {
      if (held.startsWith(createdTokenKey(connectionId, ''))) {
        this.#held.delete(held);
      }
    }
    if (count > 0) {
      this.#heldChanged.fire(connectionId);
    }
  }

  /** Key and creation time of an entry that is still worth keeping at `now`. */
  #rememberedSince(memoryKey: string, now: number): readonly (readonly [string, number])[] {
    const parsed = v.safeParse(RECORD, this.#memory.get(memoryKey));
    if (!parsed.success || (parsed.output.expiresAt ?? now) + REMEMBERED_AFTER_END_MILLIS <= now) {
      return [];
    }
    return [[memoryKey, parsed.output.createdAt ?? 0]];
  }
}

function createdTokenKey(connectionId: string, tokenId: string): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}
