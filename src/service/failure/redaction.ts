/**
 * Keeps secrets and noise out of every text that came from a server before anybody sees or stores it.
 */
import { maskKnownSecrets } from './secretMask.ts';
import { knownSecrets } from './secret.ts';
import { maskXmlElements, maskIssuedTokens, maskSecretShapes } from './secretShapes.ts';

const MASK = '<redacted>';

/** How much of a text is looked at, in characters: more never helps, and looking costs time. */
const LONGEST_READ = 20_000;
/** What people get to read of it. */
const LONGEST_SHOWN = 300;

/** Scripts and emoji need joiners and variants: an invisible one elsewhere makes a name look like another. */
const JOINERS = String.raw`\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}`;
/** What a joiner or a variant belongs to: letters without case, marks, emoji. */
const JOINED = String.raw`(?![${JOINERS}])[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?`;
/** Control characters, line separators, and what is not seen or turns the direction of text: they could disguise what is said. */
const DISGUISING = new RegExp(
  String.raw`(?:(?![${JOINERS}])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]|(?<!${JOINED})[${JOINERS}])+`,
  'gu',
);

/** No script needs more than four marks above and below one letter: a pile of them covers the lines around it. */
const PILED_UP = /([\p{Mn}\p{Me}\u200C\u200D]{4})[\p{Mn}\p{Me}\u200C\u200D]+/gu;

/** Java's frames and causes: on lines of their own, after tabs, or with the line breaks written as escapes. */
const STACK_TRACE = new RegExp(
  String.raw`(?:[\r\n\t]|\\[rnt]){1,16}[ \t]{0,16}(?:at [\w$./<>]+\(|at [\w$./]+[.:]\w|\.\.\. \d+ (?:more|common)|Caused by:)` +
    String.raw`|\sat [\w$./<>]+\((?:[\w$. ]*\.(?:java|kt|scala)|Native Method|Unknown Source)`,
);

/** Replaces known secrets, in whatever way they are written, and what looks like a token or says that it is a secret. */
export function redactText(text: string, secrets: readonly string[]): string {
  // Shapes first: two tokens of one issuer begin alike, and what is left of the other would have no shape any more.
  return maskKnownSecrets(maskSecretShapes(text), secrets, MASK);
}

/**
 * A name, or a sentence of ours with what it quotes, without known secrets and whole tokens. A value stays although the word before
 * it says that it is a secret: "deploy token: staging" is a name as good as any.
 */
export function redactTokens(text: string): string {
  return maskKnownSecrets(maskIssuedTokens(text), knownSecrets(), MASK);
}

/** Whether a typed text contains an access token. Reads the beginning only, which is more than any field accepts. */
export function containsToken(text: string): boolean {
  const read = text.slice(0, LONGEST_READ);
  return redactTokens(read) !== read;
}

/**
 * One line of a server's message, fit to be shown: no markup, no stack trace, no control or direction characters, not too long.
 * Undefined when nothing readable is left.
 */
export function readableServerText(text: string, secrets: readonly string[]): string | undefined {
  const withoutMarkup = maskXmlElements(text.slice(0, LONGEST_READ), '')
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<\/?[a-z!?][^>]*>?/gi, ' ');
  const withoutTrace = withoutMarkup.split(STACK_TRACE)[0] ?? '';
  // Shapes are looked for again in the one line: there a token that was broken by invisible characters is whole.
  const shown = shortenText(maskSecretShapes(toOneLine(redactText(withoutTrace, secrets))), LONGEST_SHOWN);
  return shown === '' ? undefined : shown;
}

/** A name that a server gave, as one line of at most so many characters. */
export function plainLine(text: string, longest: number): string {
  return shortenText(toOneLine(text.slice(0, LONGEST_READ)), longest);
}

/** The same, with what is too much left out in the middle: names that differ only in how they end stay different. */
export function plainLineKeepingEnds(text: string, longest: number): string {
  const read = text.length > 2 * LONGEST_READ ? `${text.slice(0, LONGEST_READ)} ${text.slice(-LONGEST_READ)}` : text;
  const line = toOneLine(read);
  if (line.length <= longest) {
    return line;
  }
  const head = Math.ceil((longest - 1) / 2);
  const end = line.slice(line.length - (longest - 1 - head)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${line.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}…${end}`;
}

function toOneLine(text: string): string {
  return text.replace(DISGUISING, ' ').replace(PILED_UP, '$1').replace(/\s+/g, ' ').trim();
}

/** Never in the middle of a character. */
function shortenText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
