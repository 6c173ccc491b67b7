import type { Place } from './traces.ts';

/** This many consecutive characters of a secret reveal it. Fewer are a coincidence. */
const TELLING_LENGTH = 12;

/** Contents found in places over time, each once. */
export class Collection {
  readonly #last = new Map<string, string>();
  readonly places: Place[] = [];

  add(places: readonly Place[]): void {
    for (const { where, content } of places) {
      const before = this.#last.get(where);
      if (before === content) continue;
      this.#last.set(where, content);
      // A log only grows: its new end is enough, with some text before it in case a secret spans both.
      const grown = before !== undefined && content.startsWith(before);
      this.places.push({ where, content: grown ? content.slice(Math.max(0, before.length - 10_000)) : content });
    }
  }
}

/** Places with any revealing piece of a secret, whose characters are those of access tokens. */
export function placesWithPieces(places: readonly Place[], secrets: readonly string[]): string[] {
  const pieces = new Set(secrets.flatMap(piecesOf));
  return places.flatMap(({ where, content }) => {
    for (const [run] of content.matchAll(/[\w.-]{12,}/g)) {
      const piece = piecesOf(run).find((one) => pieces.has(one));
      if (piece !== undefined) return [`${where}: ${piece}`];
    }
    return [];
  });
}

function piecesOf(text: string): string[] {
  const count = Math.max(0, text.length - TELLING_LENGTH + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + TELLING_LENGTH));
}
