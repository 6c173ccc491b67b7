/** Takes an access token out of the text that it was copied with. Pure. */

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
