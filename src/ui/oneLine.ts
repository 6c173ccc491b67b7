/** What is said of a thing on one line, such as `8.1 GB · 62%`, without what is empty or not known. */
export function inOneLine(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
