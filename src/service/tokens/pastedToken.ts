/** What a pasted token may look like, and how it's taken out of the text that it was copied with. Pure. */
import * as l10n from '@vscode/l10n';

/** Three parts in base64url, and no more. The first begins with `{"`. */
const JSON_WEB_TOKEN = /(?<![\w.-])eyJ[\w-]*\.[\w-]+\.[\w-]+(?![\w-]|\.[\w-])/g;
const QUOTED = /^(["'`])(.*)\1$|^“(.*)”$/;

/**
 * @returns the only JSON Web Token in the text, without the name of a variable, `Bearer` and quotation marks; any other
 * text without quotation marks around it.
 */
export function pastedToken(text: string): string {
  const [token, ...others] = text.match(JSON_WEB_TOKEN) ?? [];
  if (token !== undefined && others.length === 0) {
    return token;
  }
  const line = text.trim();
  const [, , inPlainQuotes, inQuotes] = QUOTED.exec(line) ?? [];
  return (inPlainQuotes ?? inQuotes ?? line).trim();
}

/** Explains why a text can't be an access token, which becomes a header value. Undefined if it can, or is empty. */
export function pastedTokenProblem(text: string): string | undefined {
  const token = pastedToken(text);
  if (/^Bearer\s/i.test(token)) {
    return l10n.t('Paste only the token, without "Bearer".');
  }
  if (!/^[\x21-\x7E]*$/.test(token)) {
    return l10n.t("Access tokens can't contain spaces, line breaks or accented characters.");
  }
  return token.length > 8_192 ? l10n.t('Too long to be an access token.') : undefined;
}
