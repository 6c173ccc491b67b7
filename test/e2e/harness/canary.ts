import { spellingsOf, type Place } from './traces.ts';

/** So many characters in a row of a secret give it away; fewer are coincidence. */
const TELLING_LENGTH = 12;

/** Of a piece; looked up at every few characters of a content, so that no piece can be missed and little is looked up. */
const PROBE_LENGTH = 6;

/** Contents found in places over time, each once. */
export class Collection {
  readonly #last = new Map<string, string>();
  readonly places: Place[] = [];

  add(places: readonly Place[]): void {
    for (const { where, content } of places) {
      const before = this.#last.get(where);
      if (before === content) continue;
      this.#last.set(where, content);
      // A log has only grown: its end is new, with a bit before it, should a secret stand across.
      const grown = before !== undefined && content.startsWith(before);
      this.places.push({ where, content: grown ? content.slice(Math.max(0, before.length - 10_000)) : content });
    }
  }
}

/** Where a secret stands, or any telling piece of it, in one of the spellings in which it could be carried off. */
export function placesWithPieces(places: readonly Place[], secrets: readonly string[]): string[] {
  const spellings = secrets.flatMap((secret) =>
    spellingsOf(secret).map((text) => ({
      text,
      length: Math.max(TELLING_LENGTH, Math.ceil((TELLING_LENGTH * text.length) / secret.length)),
    })),
  );
  const pieces = new Map<number, Set<string>>();
  const probes = new Set<string>();
  for (const { text, length } of spellings) {
    const ofLength = pieces.get(length) ?? new Set();
    pieces.set(length, ofLength);
    for (let at = 0; at + length <= text.length; at += 1) ofLength.add(text.slice(at, at + length));
    for (let at = 0; at + PROBE_LENGTH <= text.length; at += 1) probes.add(text.slice(at, at + PROBE_LENGTH));
  }
  const stride = TELLING_LENGTH - PROBE_LENGTH + 1;
  const pieceIn = (content: string): string | undefined => {
    for (let at = 0; at + PROBE_LENGTH <= content.length; at += stride) {
      if (!probes.has(content.slice(at, at + PROBE_LENGTH))) continue;
      for (const [length, ofLength] of pieces) {
        for (let from = Math.max(0, at + PROBE_LENGTH - length); from <= at; from += 1) {
          const piece = content.slice(from, from + length);
          if (ofLength.has(piece)) return piece;
        }
      }
    }
    return undefined;
  };
  return places.flatMap(({ where, content }) => {
    const piece = pieceIn(content);
    return piece === undefined ? [] : [`${where}: ${piece}`];
  });
}
