/**
 * The tokens that this window sent, received or looked into lately, in memory only. One server may repeat what another was sent, so
 * every text is masked with all of them.
 */

/** More than any window holds at a time. The one used longest ago is forgotten first. */
const MOST_REMEMBERED = 64;

let known: readonly string[] = [];

/** Shorter ones are no tokens but slips of the hand, and stand in ordinary words. */
const SHORTEST = 8;

export function rememberSecret(secret: string): void {
  if (secret.length >= SHORTEST && known[0] !== secret) {
    known = [secret, ...known.filter((other) => other !== secret)].slice(0, MOST_REMEMBERED);
  }
}

/** The latest first. The same array until another secret is remembered. */
export function knownSecrets(): readonly string[] {
  return known;
}
