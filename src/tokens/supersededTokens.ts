/**
 * Tokens that were replaced by a rotation and are still valid, since nobody has revoked them (globalState, nothing secret). Nothing on
 * the server says so; their rows do, until they are revoked.
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import { STORED_IDENTIFIER } from '../service/server/identifiers.ts';
import type { Memento } from '../platform/memento.ts';

const PREFIX = 'supersededToken.';
/** Of all connections together; the newest stay. */
const MOST_REMEMBERED = 500;

const MARK = v.object({
  /** When it was replaced: Unix time in ms. */
  at: v.number(),
  /** Id of the token that replaced it, where the server told it. */
  by: v.optional(v.string()),
});
type Mark = v.InferOutput<typeof MARK>;

export class SupersededTokens {
  readonly #memory: Memento;
  readonly #changed = new Emitter<string>();
  /** The id of a connection whose marks are different now. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** When the token was replaced: Unix time in ms; undefined: it was not. */
  since(connectionId: string, tokenId: string): number | undefined {
    return this.#mark(keyOf(connectionId, tokenId))?.at;
  }

  /** @param by Id of the token that replaces it. @param now Unix time in ms. */
  async mark(connectionId: string, tokenId: string, by: string | undefined, now = Date.now()): Promise<void> {
    if (!v.is(STORED_IDENTIFIER, tokenId)) {
      return;
    }
    const mine = keyOf(connectionId, tokenId);
    const others = this.#memory
      .keys()
      .filter((key) => key.startsWith(PREFIX) && key !== mine)
      .map((key) => ({ key, at: this.#mark(key)?.at ?? Number.NEGATIVE_INFINITY }))
      .toSorted((a, b) => b.at - a.at);
    const forgotten = others.slice(MOST_REMEMBERED - 1).map(({ key }) => this.#memory.update(key, undefined));
    await this.#memory.update(mine, { at: now, ...(by === undefined ? {} : { by }) } satisfies Mark);
    this.#changed.fire(connectionId);
    // Those that could not be deleted are deleted with the next mark.
    await Promise.allSettled(forgotten);
  }

  /** The token was revoked. What it had replaced is replaced by its own successor, or by nothing any more. */
  async forget(connectionId: string, tokenId: string): Promise<void> {
    const revoked = keyOf(connectionId, tokenId);
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
    const prefix = keyOf(connectionId, '');
    return this.#memory.keys().filter((key) => key.startsWith(prefix));
  }

  #mark(key: string): Mark | undefined {
    const parsed = v.safeParse(MARK, this.#memory.get(key));
    return parsed.success ? parsed.output : undefined;
  }
}

function keyOf(connectionId: string, tokenId: string): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}
