/**
 * Finds what belongs to a known secret in a text, however it was written down: whole, in part, percent-encoded, escaped as JSON
 * or HTML do, as base64 or hex, broken over lines or in other letters' case. A server that echoes a token does so in its own way.
 */
import { decodings, read } from './reading.ts';
import type { Reading } from './reading.ts';

/** So many characters in a row of a secret give it away; fewer are coincidence. */
const TELLING_LENGTH = 12;
/** A shorter secret is found encoded by coincidence. */
const SHORTEST_ENCODED = 8;

type Span = readonly [from: number, to: number];

/** The text with every trace of the secrets replaced. */
export function maskSecrets(text: string, secrets: readonly string[], replacement: string): string {
  const { plain, encoded } = soughtFor(secrets);
  if (plain.size === 0) {
    return text;
  }
  const reading = read(text);
  const spans = [
    ...tracesOf(plain, reading),
    ...decodings(reading).flatMap((decoded) =>
      tracesOf(encoded, decoded).map(([from, to]): Span => [from, endOfRun(text, to)]),
    ),
  ];
  let masked = '';
  let reached = 0;
  for (const [from, to] of joined(spans)) {
    if (to > reached) {
      masked += text.slice(reached, Math.max(from, reached)) + replacement;
      reached = endOfToken(text, to);
    }
  }
  return masked + text.slice(reached);
}

/** Where the token ends that a trace was found in: two tokens of one issuer begin alike, and the rest of another is as secret. */
function endOfToken(text: string, from: number): number {
  const rest = /[\w.-]*\w/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

/** Where the encoded text ends that a trace was found in. */
function endOfRun(text: string, from: number): number {
  const rest = /(?:[\w+/=-]|%3d|%2[bf])*/iy;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

function tracesOf(pieces: Pieces, { characters, from, to }: Reading): Span[] {
  const sought = inSmallLetters(characters);
  const spans: Span[] = [];
  for (const [length, { whole, marks }] of pieces) {
    for (let at = 0; at + length <= sought.length; at++) {
      if (marks[markOf(sought, at, length)] === 1 && whole.has(sought.slice(at, at + length))) {
        spans.push([from[at] ?? 0, to[at + length - 1] ?? 0]);
      }
    }
  }
  return spans;
}

/** Parts of secrets that give them away, by their length. */
type Pieces = ReadonlyMap<number, Telling>;

interface Telling {
  readonly whole: Set<string>;
  /** 1 where there is a part of that mark: nearly all places of a text are passed over by this alone. */
  readonly marks: Uint8Array;
}

const MARKS = 0x1_0000;

/** A number for the first, the middle and the last character of a part; others may have the same. */
function markOf(text: string, at: number, length: number): number {
  const [first, middle, last] = [at, at + (length >> 1), at + length - 1];
  return (text.charCodeAt(first) * 1_021 + text.charCodeAt(middle) * 31 + text.charCodeAt(last)) % MARKS;
}

/** The known secrets are the same for thousands of names. */
let sought: { readonly of: readonly string[]; readonly plain: Pieces; readonly encoded: Pieces } | undefined;

function soughtFor(secrets: readonly string[]): NonNullable<typeof sought> {
  if (sought?.of !== secrets) {
    const meant = secrets.map((secret) => inSmallLetters(read(secret).characters));
    sought = { of: secrets, plain: tellingPieces(meant, 1), encoded: tellingPieces(meant, SHORTEST_ENCODED) };
  }
  return sought;
}

function tellingPieces(secrets: readonly string[], shortest: number): Pieces {
  const pieces = new Map<number, Telling>();
  for (const secret of secrets.filter((one) => one.length >= shortest)) {
    const length = Math.min(TELLING_LENGTH, secret.length);
    const ofLength = pieces.get(length) ?? { whole: new Set<string>(), marks: new Uint8Array(MARKS) };
    pieces.set(length, ofLength);
    for (let at = 0; at + length <= secret.length; at++) {
      ofLength.whole.add(secret.slice(at, at + length));
      ofLength.marks[markOf(secret, at, length)] = 1;
    }
  }
  return pieces;
}

/** Other letters may become longer, and would no longer stand where they stood. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Overlapping and touching spans as one, in order. */
function joined(spans: readonly Span[]): Span[] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      result.push([from, to]);
    }
  }
  return result;
}
