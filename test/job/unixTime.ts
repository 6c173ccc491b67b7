/** Unix time in seconds, as the script reads it. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
