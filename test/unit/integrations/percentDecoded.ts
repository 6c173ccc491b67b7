/** Has a character for each escaped byte of a path; a lone percent sign stands for itself. */
export function percentDecoded(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
