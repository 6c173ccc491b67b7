/** The list of a receipt in Markdown: each name with its value, without the marks of code. */
export function receiptFacts(markdown: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...markdown.matchAll(/^- (?<name>[^:]+): (?<value>.*)$/gm)].map(({ groups }) => [
      groups?.['name'] ?? '',
      (groups?.['value'] ?? '').replace(/^`(?<kept>.*)`$/, '$<kept>'),
    ]),
  );
}
