/**
 * Keeps secrets and noise out of every text that came from a server before anybody sees or stores it.
 */

/** Anything of the shape of a JSON Web Token, whole or cut off. */
const JSON_WEB_TOKEN = /eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,2}/g;
const BEARER = /\bBearer\s+[^\s"'<>,;]+/gi;
const MASK = '<redacted>';

/** What people get to read of a server's text, in characters. */
const LONGEST_SERVER_TEXT = 300;

/** Replaces known secrets, in clear and percent-encoded, and whatever looks like a token. */
export function mask(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret !== '') {
      masked = masked.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK);
    }
  }
  return masked.replace(BEARER, `Bearer ${MASK}`).replace(JSON_WEB_TOKEN, MASK);
}

/**
 * One line of a server's message, fit to be shown: no markup, no stack trace, no control or direction characters, not too long.
 * Undefined when nothing readable is left.
 */
export function readable(text: string, secrets: readonly string[]): string | undefined {
  const withoutMarkup = text
    .slice(0, 20_000)
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<\/?[a-z!][^>]*(?:>|$)/gi, ' ');
  const withoutTrace = withoutMarkup.split(/\r?\n\s*(?:at |\.\.\. \d+ more|Caused by:)/)[0] ?? '';
  const oneLine = mask(withoutTrace, secrets)
    // Control characters, line separators and the characters that turn the direction of text could disguise what is said.
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (oneLine === '') {
    return undefined;
  }
  return oneLine.length > LONGEST_SERVER_TEXT ? `${oneLine.slice(0, LONGEST_SERVER_TEXT - 1)}…` : oneLine;
}
