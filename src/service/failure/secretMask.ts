/**
 * Finds what belongs to a known secret in a text, however it was written down: whole, in part, percent-encoded, escaped as JSON
 * or HTML do, as base64 or hex, broken over lines or in other letters' case. A server that echoes a token does so in its own way.
 */

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

/** One written character: as it is, percent-encoded once or again and again, or escaped. */
const WRITTEN =
  /%(?:25)*[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|&#x[0-9a-f]{1,4};|&#\d{1,5};|&(?:amp|lt|gt|quot|apos);|[\s\S]/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/**
 * Characters that may split a token without changing it: white space, control and format characters, marks, invisible ones, and
 * backslashes, which escaping doubles again and again.
 */
const MEANINGLESS = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\\]/u;
/** Nothing in such a text is written in another way, or means nothing: most names are like that, and there are thousands. */
const AS_IT_IS = /^[!-$'-[\]-~]*$/;

export interface Reading {
  /** One code unit for each character that means something. */
  readonly characters: string;
  /** Where each of them begins and ends in the text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export function read(text: string): Reading {
  if (AS_IT_IS.test(text)) {
    const from = Array.from(text, (_, at) => at);
    return { characters: text, from, to: from.map((at) => at + 1) };
  }
  const characters: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    const character = meaningOf(written);
    if (!isMeaningless(character)) {
      characters.push(character);
      from.push(index);
      to.push(index + written.length);
    }
  }
  return { characters: characters.join(''), from, to };
}

/** The printable characters of ASCII are told without the expression, which takes ten times as long. */
function isMeaningless(character: string): boolean {
  return character > ' ' && character <= '~' ? character === '\\' : MEANINGLESS.test(character);
}

/** The code unit that was meant; a line break written as an escape means as little as a real one. */
function meaningOf(written: string): string {
  if (written.length === 1) {
    return written;
  }
  if (written.startsWith('%')) {
    return String.fromCharCode(Number.parseInt(written.slice(-2), 16));
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

/** How bytes are written as text: so many characters of one alphabet make so many bytes. */
interface Encoding {
  /** Runs that are long enough to hold a secret. */
  readonly run: RegExp;
  readonly characters: number;
  readonly bytes: number;
  /** @returns One character for each byte. */
  readonly decode: (run: string) => string;
}

const ENCODINGS: readonly Encoding[] = [
  { run: /[\w+/-]{11,}/g, characters: 4, bytes: 3, decode: fromBase64 },
  { run: /[0-9a-f]{16,}/gi, characters: 2, bytes: 1, decode: fromHex },
];

/** A token is encoded together with its user, and that once more; deeper it is hidden on purpose. */
const DEEPEST = 2;

/** Decodes runs of base64, base64url and hex from each place where the encoding may begin. */
export function decodings(reading: Reading, depth = 1): Reading[] {
  const decoded = ENCODINGS.flatMap((encoding) =>
    Array.from(reading.characters.matchAll(encoding.run), ({ 0: run, index }) =>
      Array.from({ length: encoding.characters }, (_, skipped) =>
        decode(reading, encoding, run.slice(skipped), index + skipped),
      ),
    ).flat(),
  );
  return depth === DEEPEST ? decoded : decoded.concat(decoded.flatMap((one) => decodings(one, depth + 1)));
}

/** @param at Where the run begins in the reading. */
function decode({ from, to }: Reading, encoding: Encoding, run: string, at: number): Reading {
  const { characters, bytes } = encoding;
  const text = encoding.decode(run);
  const kept: number[] = [];
  let meaningful = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (!isMeaningless(character)) {
      meaningful += character;
      kept.push(index);
    }
  }
  const place = (index: number): number => at + Math.floor((index * characters) / bytes);
  const end = (index: number): number => at + Math.ceil(((index + 1) * characters) / bytes) - 1;
  return {
    characters: meaningful,
    from: kept.map((index) => from[place(index)] ?? 0),
    to: kept.map((index) => to[Math.min(end(index), at + run.length - 1)] ?? 0),
  };
}

/** Both alphabets; what is left of an encoding that was cut off is dropped. */
function fromBase64(run: string): string {
  const whole = run.length % 4 === 1 ? run.slice(0, -1) : run;
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

function fromHex(run: string): string {
  return (run.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
}
