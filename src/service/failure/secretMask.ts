/**
 * Finds known secrets in a text, whole or in part: percent-encoded, escaped (JSON, HTML), base64, hex,
 * broken over lines or in another case. Each server echoes a token in its own way.
 */

/** So many characters in a row give a secret away. Fewer are coincidence. */
const PIECE_LENGTH = 12;
/** A shorter secret is found in encodings by coincidence. */
const SHORTEST_ENCODED = 8;

type TextSpan = readonly [from: number, to: number];

/** Replaces every trace of the secrets. */
export function maskKnownSecrets(text: string, secrets: readonly string[], replacement: string): string {
  const { plain, encoded } = searchIndexFor(secrets);
  if (plain.size === 0) {
    return text;
  }
  const reading = decodeCharacters(text);
  const spans = [
    ...findSecretTraces(plain, reading),
    ...decodedRuns(reading).flatMap((decoded) =>
      findSecretTraces(encoded, decoded).map(([from, to]): TextSpan => [from, encodedRunEnd(text, to)]),
    ),
  ];
  let masked = '';
  let reached = 0;
  for (const [from, to] of mergedSpans(spans)) {
    if (to > reached) {
      masked += text.slice(reached, Math.max(from, reached)) + replacement;
      reached = tokenEndFrom(text, to);
    }
  }
  return masked + text.slice(reached);
}

/** End of the token with a trace. Two tokens of one issuer begin alike, and the rest of the other is secret too. */
function tokenEndFrom(text: string, from: number): number {
  const rest = /[\w.-]*\w/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

/** End of the encoded text with a trace. */
function encodedRunEnd(text: string, from: number): number {
  const rest = /(?:[\w+/=-]|%3d|%2[bf])*/iy;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

function findSecretTraces(pieces: SecretPieces, { characters, from, to }: DecodedText): TextSpan[] {
  const lowered = lowerCaseAscii(characters);
  const spans: TextSpan[] = [];
  for (const [length, { whole, marks }] of pieces) {
    for (let at = 0; at + length <= lowered.length; at++) {
      if (marks[secretPieceHash(lowered, at, length)] === 1 && whole.has(lowered.slice(at, at + length))) {
        spans.push([from[at] ?? 0, to[at + length - 1] ?? 0]);
      }
    }
  }
  return spans;
}

/** Telling parts of secrets, by their length. */
type SecretPieces = ReadonlyMap<number, SecretPieceIndex>;

interface SecretPieceIndex {
  readonly whole: Set<string>;
  /** 1 for the hash of a piece. Almost every position of a text is rejected by this alone. */
  readonly marks: Uint8Array;
}

const HASH_COUNT = 0x1_0000;

/** Hashes the first, middle and last character. Collisions are possible. */
function secretPieceHash(text: string, at: number, length: number): number {
  const [first, middle, last] = [at, at + (length >> 1), at + length - 1];
  return (text.charCodeAt(first) * 1_021 + text.charCodeAt(middle) * 31 + text.charCodeAt(last)) % HASH_COUNT;
}

/** Built once: the secrets stay the same for thousands of names. */
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
      ofLength.marks[secretPieceHash(secret, at, length)] = 1;
    }
  }
  return pieces;
}

/** Lowercases ASCII only. Other letters may become longer and shift positions. */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Joins overlapping and touching spans, in order. */
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

/** One written character: literal, percent-encoded (also repeatedly) or escaped. */
const WRITTEN_CHARACTER = new RegExp(
  String.raw`%(?:25)*[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|` +
    String.raw`&#x[0-9a-f]{1,4};|&#\d{1,5};|&(?:amp|lt|gt|quot|apos);|[\s\S]`,
  'gi',
);
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

let meaningless: RegExp | undefined;
/**
 * Characters that may split a token without changing it: white space, control and format characters, marks,
 * invisible ones, and backslashes, which repeated escaping doubles.
 */
const meaninglessCharacter = (): RegExp => (meaningless ??= /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\\]/u);
/** A text without encoded or meaningless characters, as most of thousands of names are. */
const LITERAL_TEXT = /^[!-$'-[\]-~]*$/;

export interface DecodedText {
  /** One code unit for each meaningful character. */
  readonly characters: string;
  /** Start and end of each of them in the text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function decodeCharacters(text: string): DecodedText {
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

/** Decides for printable ASCII without the expression, which takes ten times as long. */
function isMeaningless(character: string): boolean {
  return character > ' ' && character <= '~' ? character === '\\' : meaninglessCharacter().test(character);
}

/** Decodes one written character. An escaped line break is as meaningless as a real one. */
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

/** A text encoding of bytes: so many characters for so many bytes. */
interface ByteEncoding {
  /** Runs that are long enough for a secret. */
  readonly run: RegExp;
  readonly characters: number;
  readonly bytes: number;
  /** @returns one character for each byte. */
  readonly decode: (run: string) => string;
}

const ENCODINGS: readonly ByteEncoding[] = [
  { run: /[\w+/-]{11,}/g, characters: 4, bytes: 3, decode: bytesFromBase64 },
  { run: /[0-9a-f]{16,}/gi, characters: 2, bytes: 1, decode: bytesFromHex },
];

/** A token is encoded together with its user, and that once more. Deeper nesting is deliberate. */
const DEEPEST = 2;

/** Decodes runs of base64, base64url and hex from every possible start. */
function decodedRuns(reading: DecodedText, depth = 1): DecodedText[] {
  const decoded = ENCODINGS.flatMap((encoding) =>
    Array.from(reading.characters.matchAll(encoding.run), ({ 0: run, index }) =>
      Array.from({ length: encoding.characters }, (_, skipped) =>
        decodeEncodedRun(reading, encoding, run.slice(skipped), index + skipped),
      ),
    ).flat(),
  );
  return depth === DEEPEST ? decoded : decoded.concat(decoded.flatMap((one) => decodedRuns(one, depth + 1)));
}

/** @param at Start of the run in the reading. */
function decodeEncodedRun({ from, to }: DecodedText, encoding: ByteEncoding, run: string, at: number): DecodedText {
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
  const startInReading = (index: number): number => at + Math.floor((index * characters) / bytes);
  const endInReading = (index: number): number => at + Math.ceil(((index + 1) * characters) / bytes) - 1;
  return {
    characters: meaningful,
    from: kept.map((index) => from[startInReading(index)] ?? 0),
    to: kept.map((index) => to[Math.min(endInReading(index), at + run.length - 1)] ?? 0),
  };
}

/** Accepts both alphabets and drops an incomplete end. */
function bytesFromBase64(run: string): string {
  const whole = run.length % 4 === 1 ? run.slice(0, -1) : run;
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

function bytesFromHex(run: string): string {
  return (run.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
}
