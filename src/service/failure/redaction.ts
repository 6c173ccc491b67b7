/** Keeps secrets and noise out of every text from a server before it is shown or stored. */
import * as l10n from '@vscode/l10n';
import type { ServerOperation } from './failure.ts';
import { maskKnownSecrets } from './secret.ts';
import { emptySecretElements, maskWebTokens, maskSecretShapes } from './secretShapes.ts';

/** In characters. Reading more never helps and costs time. */
const LONGEST_READ = 20_000;
/** Longest text that is shown, in characters. */
const LONGEST_SHOWN = 300;

/** Scripts and emoji need joiners and variants. Elsewhere, an invisible one makes a name look like another. */
const JOINERS = String.raw`\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}`;
/** Characters that a joiner or variant may follow: letters without case, marks, emoji. */
const JOINED = String.raw`(?![${JOINERS}])[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?`;
let disguising: RegExp | undefined;
/**
 * Control characters, line separators, invisible characters and changes of direction: they could disguise the text.
 * Built at first use, as below: sets of Unicode characters take time, and startup needs none of them.
 */
const disguisingCharacters = (): RegExp =>
  (disguising ??= new RegExp(
    String.raw`(?:(?![${JOINERS}])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]` +
      String.raw`|(?<!${JOINED})[${JOINERS}])+`,
    'gu',
  ));

let piledUp: RegExp | undefined;
/** No script needs more than four marks on one letter. A pile of them covers the lines around it. */
const piledUpMarks = (): RegExp => (piledUp ??= /([\p{Mn}\p{Me}\u200C\u200D]{4})[\p{Mn}\p{Me}\u200C\u200D]+/gu);

/** Java's frames and causes: on their own lines, after tabs, or with escaped line breaks. */
const STACK_TRACE = new RegExp(
  String.raw`(?:[\r\n\t]|\\[rnt]){1,16}[ \t]{0,16}` +
    String.raw`(?:at [\w$./<>]+\(|at [\w$./]+[.:]\w|\.\.\. \d+ (?:more|common)|Caused by:)` +
    String.raw`|\sat [\w$./<>]+\((?:[\w$. ]*\.(?:java|kt|scala)|Native Method|Unknown Source)`,
);

/** Replaces known secrets, and text that looks like a token or is named as a secret. */
export function redactSecrets(text: string): string {
  // Shapes first: two tokens of one issuer begin alike, and the rest of the other would have no shape any more.
  return maskKnownSecrets(maskSecretShapes(text));
}

/**
 * Masks known secrets and whole tokens in a name or in our own sentences.
 * Keeps values with a suspicious name: "deploy token: staging" is a valid name.
 */
export function redactTokens(text: string): string {
  return maskKnownSecrets(maskWebTokens(text));
}

/** True if the text contains an access token. Reads only the beginning, which is more than any field accepts. */
export function containsToken(text: string): boolean {
  const read = text.slice(0, LONGEST_READ);
  return redactTokens(read) !== read;
}

/** True if an ID contains an access token. The hash of a token has no dots, and may look like the beginning of one. */
export function idContainsToken(id: string): boolean {
  return /eyJ[\w-]{4,}\s*\.\s*[\w-]/.test(id) || maskKnownSecrets(id) !== id;
}

/**
 * Makes one showable line of a server's message: no secret, markup, stack trace, control or direction characters.
 * Undefined if nothing readable is left, and for a response that may hold a new secret.
 */
export function readableServerText(
  text: string,
  { answersSecret }: Pick<ServerOperation, 'answersSecret'>,
): string | undefined {
  if (answersSecret === true) {
    return undefined;
  }
  const withoutMarkup = emptySecretElements(text.slice(0, LONGEST_READ))
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<\/?[a-z!?][^>]*>?/gi, ' ');
  const withoutTrace = withoutMarkup.split(STACK_TRACE)[0] ?? '';
  const shown = shortenText(toOneLine(redactSecrets(withoutTrace)), LONGEST_SHOWN);
  return shown === '' ? undefined : shown;
}

/** Makes one line of a name from a server, with at most `longest` characters. */
export function plainLine(text: string, longest: number): string {
  return shortenText(toOneLine(text.slice(0, LONGEST_READ)), longest);
}

/** The same, but omits the middle: names that differ only at the end stay different. */
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
  return text.replace(disguisingCharacters(), ' ').replace(piledUpMarks(), '$1').replace(/\s+/g, ' ').trim();
}

/** Never cuts a character in half. */
function shortenText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** Rejects a name or value with an access token in it, since it would be stored or sent. */
export function tokenElsewhereProblem(text: string): string | undefined {
  return containsToken(text)
    ? l10n.t("This looks like an access token. Enter access tokens only where you're asked for one.")
    : undefined;
}
