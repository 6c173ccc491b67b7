/**
 * Remembers tokens that a rotation replaced and that are still valid (globalState, nothing secret). The server
 * doesn't mark them; the tree does, until they are revoked.
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import { STORED_IDENTIFIER } from '../service/server/identifiers.ts';
import type { Memento } from '../platform/memento.ts';

const PREFIX = 'supersededToken.';
/** For all connections together; the newest are kept. */
const MOST_REMEMBERED = 500;

const MARK = v.object({
  /** Unix time in ms. */
  at: v.number(),
  /** ID of the replacement, if the server returned it. */
  by: v.optional(v.string()),
});
type SupersededMark = v.InferOutput<typeof MARK>;

export class SupersededTokens {
  readonly #memory: Memento;
  readonly #changed = new Emitter<string>();
  /** Fires the ID of a connection whose marks changed. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** When the token was replaced, as Unix time in ms; undefined if it wasn't. */
  supersededAt(connectionId: string, tokenId: string): number | undefined {
    return this.#mark(supersededKey(connectionId, tokenId))?.at;
  }

  /** @param by ID of the replacement. @param now Unix time in ms. */
  async mark(connectionId: string, tokenId: string, by: string | undefined, now = Date.now()): Promise<void> {
    if (!v.is(STORED_IDENTIFIER, tokenId)) {
      return;
    }
    const mine = supersededKey(connectionId, tokenId);
    const others = this.#memory
      .keys()
      .filter((key) => key.startsWith(PREFIX) && key !== mine)
      .map((key) => ({ key, at: this.#mark(key)?.at ?? Number.NEGATIVE_INFINITY }))
      .toSorted((a, b) => b.at - a.at);
    const forgotten = others.slice(MOST_REMEMBERED - 1).map(({ key }) => this.#memory.update(key, undefined));
    await this.#memory.update(mine, { at: now, by } satisfies SupersededMark);
    this.#changed.fire(connectionId);
    // Leftovers are deleted with the next mark.
    await Promise.allSettled(forgotten);
  }

  /** Removes a revoked token. Tokens that it replaced now point to its own successor, if any. */
  async forgetToken(connectionId: string, tokenId: string): Promise<void> {
    const revoked = supersededKey(connectionId, tokenId);
    const successor = this.#mark(revoked)?.by;
    const changes = this.#keys(connectionId).flatMap((key) => {
      const mark = this.#mark(key);
      if (key === revoked) {
        return [this.#memory.update(key, undefined)];
      }
      return mark?.by === tokenId
        ? [this.#memory.update(key, successor === undefined ? undefined : { ...mark, by: successor })]
        : [];
    });
    if (changes.length > 0) {
      try {
        await Promise.all(changes);
      } finally {
        this.#changed.fire(connectionId);
      }
    }
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await Promise.all(this.#keys(connectionId).map((key) => this.#memory.update(key, undefined)));
  }

  #keys(connectionId: string): string[] {
    const prefix = supersededKey(connectionId, '');
    return this.#memory.keys().filter((key) => key.startsWith(prefix));
  }

  #mark(key: string): SupersededMark | undefined {
    const parsed = v.safeParse(MARK, this.#memory.get(key));
    return parsed.success ? parsed.output : undefined;
  }
}

function supersededKey(connectionId: string, tokenId: string): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}
