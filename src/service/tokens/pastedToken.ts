/** Takes an access token out of the line that it was copied with. Pure. */

/** Three parts in base64url. The first begins with `{"`. */
const JSON_WEB_TOKEN = String.raw`eyJ[\w-]*\.[\w-]+\.[\w-]+`;
const QUOTE = `["'\`“”‘’]`;
/** `export NAME=TOKEN`, `token: "TOKEN",`, `-H "Authorization: Bearer TOKEN"`. */
const IN_A_LINE = new RegExp(
  String.raw`^(?:-\s+|(?:-H|--header)\s+|(?:export|set|setx)\s+|\$env:|\{ ?)?${QUOTE}?` +
    String.raw`(?:[\w-]+${QUOTE}?(?:[ \t]{0,4}[=:][ \t]{0,4}| ))?${QUOTE}?(?:[Bb]earer\s+)?${QUOTE}?(${JSON_WEB_TOKEN})${QUOTE}?[,;]? ?\}?$`,
);
const QUOTED = new RegExp(`^(["'\`])(.*)\\1$|^“(.*)”$`);

/** @returns the token without the name of a variable, `Bearer` and quotation marks; any other text without quotation marks around it. */
export function pastedToken(text: string): string {
  const line = text.trim();
  const [, token] = IN_A_LINE.exec(line) ?? [];
  const [, , inPlainQuotes, inQuotes] = QUOTED.exec(line) ?? [];
  return token ?? (inPlainQuotes ?? inQuotes ?? line).trim();
}
