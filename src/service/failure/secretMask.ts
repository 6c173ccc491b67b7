/**
 * Finds what belongs to a known secret in a text, however it was written down: whole, in part, percent-encoded, escaped as JSON
 * or HTML do, as base64 or hex, broken over lines or in other letters' case. A server that echoes a token does so in its own way.
 */

/** So many characters in a row of a secret give it away; fewer are coincidence. */
const PIECE_LENGTH = 12;
/** A shorter secret is found encoded by coincidence. */
const SHORTEST_ENCODED = 8;

type TextSpan = readonly [from: number, to: number];

/** The text with every trace of the secrets replaced. */
export function maskKnownSecrets(text: string, secrets: readonly string[], replacement: string): string {
  const { plain, encoded } = searchIndexFor(secrets);
  if (plain.size === 0) {
    return text;
  }
  const reading = decodeCharacters(text);
  const spans = [
    ...findTraces(plain, reading),
    ...decodedRuns(reading).flatMap((decoded) =>
      findTraces(encoded, decoded).map(([from, to]): TextSpan => [from, endOfRun(text, to)]),
    ),
  ];
  let masked = '';
  let reached = 0;
  for (const [from, to] of mergedSpans(spans)) {
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

function findTraces(pieces: SecretPieces, { characters, from, to }: DecodedText): TextSpan[] {
  const lowered = lowerCaseAscii(characters);
  const spans: TextSpan[] = [];
  for (const [length, { whole, marks }] of pieces) {
    for (let at = 0; at + length <= lowered.length; at++) {
      if (marks[pieceHash(lowered, at, length)] === 1 && whole.has(lowered.slice(at, at + length))) {
        spans.push([from[at] ?? 0, to[at + length - 1] ?? 0]);
      }
    }
  }
  return spans;
}

/** Parts of secrets that give them away, by their length. */
type SecretPieces = ReadonlyMap<number, SecretPieceIndex>;

interface SecretPieceIndex {
  readonly whole: Set<string>;
  /** 1 where there is a part of that mark: nearly all places of a text are passed over by this alone. */
  readonly marks: Uint8Array;
}

const HASH_COUNT = 0x1_0000;

/** A number for the first, the middle and the last character of a part; others may have the same. */
function pieceHash(text: string, at: number, length: number): number {
  const [first, middle, last] = [at, at + (length >> 1), at + length - 1];
  return (text.charCodeAt(first) * 1_021 + text.charCodeAt(middle) * 31 + text.charCodeAt(last)) % HASH_COUNT;
}

/** The known secrets are the same for thousands of names. */
let searchIndex:
  | { readonly of: readonly string[]; readonly plain: SecretPieces; readonly encoded: SecretPieces }
  | undefined;

function searchIndexFor(secrets: readonly string[]): NonNullable<typeof searchIndex> {
  if (searchIndex?.of !== secrets) {
    const meant = secrets.map((secret) => lowerCaseAscii(decodeCharacters(secret).characters));
    searchIndex = {
      of: secrets,
      plain: indexSecretPieces(meant, 1),
      encoded: indexSecretPieces(meant, SHORTEST_ENCODED),
    };
  }
  return searchIndex;
}

function indexSecretPieces(secrets: readonly string[], shortest: number): SecretPieces {
  const pieces = new Map<number, SecretPieceIndex>();
  for (const secret of secrets.filter((one) => one.length >= shortest)) {
    const length = Math.min(PIECE_LENGTH, secret.length);
    const ofLength = pieces.get(length) ?? { whole: new Set<string>(), marks: new Uint8Array(HASH_COUNT) };
    pieces.set(length, ofLength);
    for (let at = 0; at + length <= secret.length; at++) {
      ofLength.whole.add(secret.slice(at, at + length));
      ofLength.marks[pieceHash(secret, at, length)] = 1;
    }
  }
  return pieces;
}

/** Other letters may become longer, and would no longer stand where they stood. */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Overlapping and touching spans as one, in order. */
function mergedSpans(spans: readonly TextSpan[]): TextSpan[] {
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
const WRITTEN_CHARACTER =
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
const LITERAL_TEXT = /^[!-$'-[\]-~]*$/;

export interface DecodedText {
  /** One code unit for each character that means something. */
  readonly characters: string;
  /** Where each of them begins and ends in the text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export function decodeCharacters(text: string): DecodedText {
  if (LITERAL_TEXT.test(text)) {
    const from = Array.from(text, (_, at) => at);
    return { characters: text, from, to: from.map((at) => at + 1) };
  }
  const characters: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (const { 0: written, index } of text.matchAll(WRITTEN_CHARACTER)) {
    const character = meantCharacter(written);
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
function meantCharacter(written: string): string {
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
interface ByteEncoding {
  /** Runs that are long enough to hold a secret. */
  readonly run: RegExp;
  readonly characters: number;
  readonly bytes: number;
  /** @returns One character for each byte. */
  readonly decode: (run: string) => string;
}

const ENCODINGS: readonly ByteEncoding[] = [
  { run: /[\w+/-]{11,}/g, characters: 4, bytes: 3, decode: fromBase64 },
  { run: /[0-9a-f]{16,}/gi, characters: 2, bytes: 1, decode: fromHex },
];

/** A token is encoded together with its user, and that once more; deeper it is hidden on purpose. */
const DEEPEST = 2;

/** Decodes runs of base64, base64url and hex from each place where the encoding may begin. */
export function decodedRuns(reading: DecodedText, depth = 1): DecodedText[] {
  const decoded = ENCODINGS.flatMap((encoding) =>
    Array.from(reading.characters.matchAll(encoding.run), ({ 0: run, index }) =>
      Array.from({ length: encoding.characters }, (_, skipped) =>
        decodeRun(reading, encoding, run.slice(skipped), index + skipped),
      ),
    ).flat(),
  );
  return depth === DEEPEST ? decoded : decoded.concat(decoded.flatMap((one) => decodedRuns(one, depth + 1)));
}

/** @param at Where the run begins in the reading. */
function decodeRun({ from, to }: DecodedText, encoding: ByteEncoding, run: string, at: number): DecodedText {
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
