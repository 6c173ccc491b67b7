/** What a pasted token may look like, and how it's taken out of the text that it was copied with. Pure. */
import * as l10n from '@vscode/l10n';
import { withoutQuotes } from '../http/baseUrl.ts';

/** Three parts in base64url, and no more. The first begins with `{"`. */
const JSON_WEB_TOKEN = /(?<![\w.-])eyJ[\w-]*\.[\w-]+\.[\w-]+(?![\w-]|\.[\w-])/g;
/** Anything with a scheme, or a host with a port. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/|^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}(?:[/?#]|$)/i;

/**
 * @returns the only JSON Web Token in the text, without the name of a variable, `Bearer` and quotation marks; any other
 * text without quotation marks around it.
 */
export function pastedToken(text: string): string {
  const [token, ...others] = text.match(JSON_WEB_TOKEN) ?? [];
  if (token !== undefined && others.length === 0) {
    return token;
  }
  return withoutQuotes(text);
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
  // As a known secret it would be masked wherever the server is named, even before something is deleted there.
  if (ADDRESS.test(token)) {
    return noTokenProblem();
  }
  return token.length > 8_192 ? l10n.t('Too long to be an access token.') : undefined;
}

/** Refuses what is something else than a token. */
export function noTokenProblem(): string {
  return l10n.t('Not an access token of a metadata service. Those are JSON Web Tokens: three parts separated by dots.');
}
