/**
 * Finds what belongs to a known secret in a text, however it was written down: whole, in part, percent-encoded, escaped as JSON
 * or HTML do, broken over lines or in other letters' case. A server that echoes a token does so in its own way.
 */

/** So many characters in a row of a secret give it away; fewer are coincidence. */
const TELLING_LENGTH = 12;

/** One written character: as it is, percent-encoded, or escaped. */
const WRITTEN = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[\s\S]|&#x[0-9a-f]{1,4};|&#\d{1,5};|&(?:amp|lt|gt|quot|apos);|[\s\S]/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/**
 * What may stand between two halves of a broken token and means nothing: white space, control and format characters, and
 * backslashes, which escaping doubles again and again.
 */
const MEANINGLESS = /[\s\p{C}\\]/u;

interface Reading {
  /** One code unit for each character that means something, ASCII letters in lower case. */
  readonly characters: string;
  /** Where each of them begins and ends in the text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The text with every trace of the secrets replaced. */
export function maskSecrets(text: string, secrets: readonly string[], replacement: string): string {
  const reading = read(text);
  const spans: [number, number][] = [];
  for (const secret of secrets) {
    spans.push(...tracesOf(read(secret).characters, reading));
  }
  let masked = '';
  let reached = 0;
  for (const [from, to] of joined(spans)) {
    masked += text.slice(reached, from) + replacement;
    reached = endOfToken(text, to);
  }
  return masked + text.slice(reached);
}

/** Where the token ends that a trace was found in: two tokens of one issuer begin alike, and the rest of another is as secret. */
function endOfToken(text: string, from: number): number {
  const rest = /[\w.-]*\w/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

function tracesOf(secret: string, { characters, from, to }: Reading): [number, number][] {
  const length = Math.min(TELLING_LENGTH, secret.length);
  if (length === 0) {
    return [];
  }
  const telling = new Set<string>();
  for (let at = 0; at + length <= secret.length; at++) {
    telling.add(secret.slice(at, at + length));
  }
  const spans: [number, number][] = [];
  for (let at = 0; at + length <= characters.length; at++) {
    if (telling.has(characters.slice(at, at + length))) {
      spans.push([from[at] ?? 0, to[at + length - 1] ?? 0]);
    }
  }
  return spans;
}

/** Overlapping and touching spans as one, in order. */
function joined(spans: readonly [number, number][]): [number, number][] {
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

function read(text: string): Reading {
  const characters: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    const character = meaningOf(written);
    if (!MEANINGLESS.test(character)) {
      characters.push(/[A-Z]/.test(character) ? character.toLowerCase() : character);
      from.push(index);
      to.push(index + written.length);
    }
  }
  return { characters: characters.join(''), from, to };
}

/** The code unit that was meant; a line break written as an escape means as little as a real one. */
function meaningOf(written: string): string {
  if (written.length === 1) {
    return written;
  }
  if (written.startsWith('%')) {
    return String.fromCharCode(Number.parseInt(written.slice(1), 16));
  }
  if (written.startsWith('&')) {
    const code = /&#(x?)([0-9a-f]+)/i.exec(written);
    return code === null
      ? (ENTITIES[written.toLowerCase()] ?? '&')
      : String.fromCharCode(Number.parseInt(code[2] ?? '0', code[1] === '' ? 10 : 16));
  }
  const escaped = written.slice(1);
  if (escaped.length > 1) {
    return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  }
  return 'nrtbf'.includes(escaped) ? '\n' : escaped;
}
