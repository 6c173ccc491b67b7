/** The characters that a text means, whatever they are written as, and where each of them stands. */

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
