/**
 * What this extension knows of tokens it created: name and dates, which a server that follows the interface description does not
 * list (globalState, nothing secret); and, until it is copied or the window closes, the string itself (memory only).
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { MILLIS_PER_DAY } from '../time.ts';

const PREFIX = 'createdToken.';
/** Of all connections together; the newest stay. */
const MOST_REMEMBERED = 500;
/** Servers list what has ended for a while, and its name says what it was. */
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
  /** The id of a connection of which another string is held now, or one no more. */
  readonly onDidChange = this.#heldChanged.event;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** @param now Unix time in ms. What ended long ago, what is damaged and what is too much is forgotten then. */
  async remember(connectionId: string, token: AccessToken, now = Date.now()): Promise<void> {
    const mine = key(connectionId, token.id);
    const others = this.#memory.keys().filter((one) => one.startsWith(PREFIX) && one !== mine);
    const worth = new Map(others.flatMap((one) => this.#createdAt(one, now)));
    const newest = [...worth].toSorted(([, a], [, b]) => b - a).slice(0, MOST_REMEMBERED - 1);
    const stays = new Set(newest.map(([one]) => one));
    const forgotten = others.filter((one) => !stays.has(one)).map((one) => this.#memory.update(one, undefined));
    await this.#memory.update(mine, token);
    // Those that could not be deleted are deleted with the next token.
    await Promise.allSettled(forgotten);
  }

  /** A listed token with what is known of it besides. What the server says wins. */
  complete(connectionId: string, token: AccessToken): AccessToken {
    const parsed = v.safeParse(RECORD, this.#memory.get(key(connectionId, token.id)));
    if (!parsed.success) {
      return token;
    }
    const told = Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined && value !== ''));
    return { ...parsed.output, ...told } as AccessToken;
  }

  async forget(connectionId: string, tokenId: string): Promise<void> {
    this.release(connectionId, tokenId);
    await this.#memory.update(key(connectionId, tokenId), undefined);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    const prefix = key(connectionId, '');
    this.releaseAll(connectionId);
    await Promise.all(
      this.#memory.keys().flatMap((one) => (one.startsWith(prefix) ? [this.#memory.update(one, undefined)] : [])),
    );
  }

  /** Keeps a string that was not copied yet: a notification closed by mistake must not lose it. */
  hold(connectionId: string, tokenId: string, secret: TokenSecret): void {
    this.#held.set(key(connectionId, tokenId), secret);
    this.#heldChanged.fire(connectionId);
  }

  held(connectionId: string, tokenId: string): TokenSecret | undefined {
    return this.#held.get(key(connectionId, tokenId));
  }

  /** The string reached its place: it is offered once. */
  release(connectionId: string, tokenId: string): void {
    if (this.#held.delete(key(connectionId, tokenId))) {
      this.#heldChanged.fire(connectionId);
    }
  }

  /** How many strings of a connection are held. */
  heldCount(connectionId: string): number {
    return [...this.#held.keys()].filter((one) => one.startsWith(key(connectionId, ''))).length;
  }

  /** A string is held no longer than its connection is signed in. */
  releaseAll(connectionId: string): void {
    const count = this.heldCount(connectionId);
    for (const held of this.#held.keys()) {
      if (held.startsWith(key(connectionId, ''))) {
        this.#held.delete(held);
      }
    }
    if (count > 0) {
      this.#heldChanged.fire(connectionId);
    }
  }

  /** What is still worth remembering at `now`: its key and when it was created. */
  #createdAt(memoryKey: string, now: number): readonly (readonly [string, number])[] {
    const parsed = v.safeParse(RECORD, this.#memory.get(memoryKey));
    if (!parsed.success || (parsed.output.expiresAt ?? now) + REMEMBERED_AFTER_END_MILLIS <= now) {
      return [];
    }
    return [[memoryKey, parsed.output.createdAt ?? 0]];
  }
}

function key(connectionId: string, tokenId: string): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}
