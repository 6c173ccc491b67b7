/**
 * Keeps secrets and noise out of every text that came from a server before anybody sees or stores it.
 */
import { maskSecrets } from './secretMask.ts';

const MASK = '<redacted>';

/** Anything of the shape of a JSON Web Token, whole, cut off or broken over lines. */
const JSON_WEB_TOKEN = /eyJ[\w-]{4,}(?:\s*\.\s*[\w-]*|\s+[\w-]{16,})*/g;
const BEARER = /\bBearer\s+[^\s"'<>,;]{6,}/gi;
/** `"accessToken": "…"`, `password=…`: a value whose name says that it is one. */
const NAMED =
  /(\b(?:access_?token|id_?token|refresh_?token|authorization|password|secret|cookie)["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|[^\s"',;&}]+)/gi;

/** How much of a text is looked at, in characters: more never helps, and looking costs time. */
const LONGEST_READ = 20_000;
/** What people get to read of it. */
const LONGEST_SHOWN = 300;

/** Control characters, line separators, and invisible ones that turn the direction of text could disguise what is said. */
const DISGUISING =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]+/gu;

/** Java's frames and causes: on lines of their own, after tabs, or with the line breaks written as escapes. */
const STACK_TRACE = new RegExp(
  String.raw`(?:[\r\n\t]|\\[rnt]){1,16}[ \t]{0,16}(?:at [\w$./<>]+\(|at [\w$./]+[.:]\w|\.\.\. \d+ (?:more|common)|Caused by:)` +
    String.raw`|\sat [\w$./<>]+\((?:[\w$. ]*\.(?:java|kt|scala)|Native Method|Unknown Source)`,
);

/** Replaces known secrets, in whatever way they are written, and what looks like a token or says that it is a secret. */
export function mask(text: string, secrets: readonly string[]): string {
  // Shapes first: two tokens of one issuer begin alike, and what is left of the other would have no shape any more.
  return maskSecrets(maskShapes(text), secrets, MASK);
}

/**
 * One line of a server's message, fit to be shown: no markup, no stack trace, no control or direction characters, not too long.
 * Undefined when nothing readable is left.
 */
export function readable(text: string, secrets: readonly string[]): string | undefined {
  const withoutMarkup = text
    .slice(0, LONGEST_READ)
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<\/?[a-z!?][^>]*(?:>|$)/gi, ' ');
  const withoutTrace = withoutMarkup.split(STACK_TRACE)[0] ?? '';
  // Shapes are looked for again in the one line: there a token that was broken by invisible characters is whole.
  const shown = cut(maskShapes(oneLine(mask(withoutTrace, secrets))), LONGEST_SHOWN);
  return shown === '' ? undefined : shown;
}

/** A name that a server gave, as one line of at most so many characters. */
export function plain(text: string, longest: number): string {
  return cut(oneLine(text.slice(0, LONGEST_READ)), longest);
}

function maskShapes(text: string): string {
  return text.replace(BEARER, `Bearer ${MASK}`).replace(NAMED, `$1${MASK}`).replace(JSON_WEB_TOKEN, MASK);
}

function oneLine(text: string): string {
  return text.replace(DISGUISING, ' ').replace(/\s+/g, ' ').trim();
}

/** Never in the middle of a character. */
function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
