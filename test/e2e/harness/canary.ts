import { spellingsOf, type Place } from './traces.ts';

/** This many consecutive characters of a secret reveal it. Fewer are a coincidence. */
const TELLING_LENGTH = 12;

/**
 * Length of a probe. A content is probed every few characters, so that no piece is missed and few lookups are needed.
 */
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
      // A log only grows: its new end is enough, with some text before it in case a secret spans both.
      const grown = before !== undefined && content.startsWith(before);
      this.places.push({ where, content: grown ? content.slice(Math.max(0, before.length - 10_000)) : content });
    }
  }
}

/** Places with a secret, or any revealing piece of it, in any spelling in which it could leak. */
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
