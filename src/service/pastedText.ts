/** Text as it was copied from a file, a chat or a mail. */
const QUOTED = /^(?:(["'`])(.*)\1|“(.*)”|<(.*)>)$/;

/** The text without the quotation marks or angle brackets around it, and without blanks at its ends. */
export function withoutQuotes(text: string): string {
  const line = text.trim();
  const [, , inPlainQuotes, inQuotes, inBrackets] = QUOTED.exec(line) ?? [];
  return (inPlainQuotes ?? inQuotes ?? inBrackets ?? line).trim();
}
