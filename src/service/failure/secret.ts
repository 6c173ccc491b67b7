/**
 * Token strings, in memory only, and masking with those that are known: any server may echo any of them. One that is
 * encoded, broken up or in another case stays.
 */
import { MASK } from './secretShapes.ts';

/** A token string on its way from the server to the one place that may hold it. Printing it prints nothing. */
export class TokenSecret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    rememberSecret(value);
  }

  /** The only access to the string. Each caller is one of the places in SECURITY.md. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '<secret>';
  }

  toJSON(): string {
    return '<secret>';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '<secret>';
  }
}

const known = new Set<string>();
/** Every part of them that gives them away, by its length. */
const pieces = new Map<number, Set<string>>();

/** Shorter ones are slips of the hand, and occur in ordinary words. */
const SHORTEST_SECRET = 8;
/** So many characters in a row give a secret away. Fewer are coincidence. */
const PIECE_LENGTH = 12;

export function rememberSecret(secret: string): void {
  if (secret.length < SHORTEST_SECRET || known.has(secret)) {
    return;
  }
  known.add(secret);
  const length = Math.min(PIECE_LENGTH, secret.length);
  const ofLength = pieces.get(length) ?? new Set();
  pieces.set(length, ofLength);
  for (let at = 0; at + length <= secret.length; at++) {
    ofLength.add(secret.slice(at, at + length));
  }
}

/** Remembers the value of a header, and each part that a server may quote alone: a scheme's, or a cookie's. */
export function rememberHeader(value: string): void {
  for (const part of new Set([value, ...value.split(/[\s;,=]+/)])) {
    rememberSecret(part);
  }
}

export function isKnownSecret(text: string): boolean {
  return known.has(text);
}

/** Replaces every trace of the known secrets. */
export function maskKnownSecrets(text: string): string {
  let masked = '';
  let reached = 0;
  for (let at = 0; at < text.length; at++) {
    const end = traceEnd(text, at);
    if (end > at) {
      masked += text.slice(reached, at) + MASK;
      reached = end;
      at = end - 1;
    }
  }
  return masked + text.slice(reached);
}

/**
 * End of what a trace at that position belongs to: traces that overlap or touch, and the rest of the word, since two
 * tokens of one issuer begin alike. The position itself if there is no trace.
 */
function traceEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; at <= end; at++) {
    for (const [length, ofLength] of pieces) {
      if (ofLength.has(text.slice(at, at + length))) {
        end = Math.max(end, at + length);
      }
    }
  }
  const rest = /[\w.-]*\w/y;
  rest.lastIndex = end;
  return end > start && rest.test(text) ? rest.lastIndex : end;
}
