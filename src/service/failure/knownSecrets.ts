/**
 * The tokens that this window sent, received or looked into lately, in memory only. One server may repeat what another was sent, so
 * every text is masked with all of them.
 */

/** More than any window holds at a time. The one used longest ago is forgotten first. */
const MOST_REMEMBERED = 64;

/** The one used longest ago first. */
const byUse = new Set<string>();
let known: readonly string[] = [];

/** Shorter ones are no tokens but slips of the hand, and stand in ordinary words. */
const SHORTEST = 8;

export function rememberSecret(secret: string): void {
  if (secret.length < SHORTEST) {
    return;
  }
  const isKnown = byUse.delete(secret);
  byUse.add(secret);
  if (isKnown) {
    return;
  }
  const [oldest] = byUse;
  if (oldest !== undefined && byUse.size > MOST_REMEMBERED) {
    byUse.delete(oldest);
  }
  known = [...byUse];
}

/** The same array until another secret is remembered: what is sought in texts is prepared once for each array. */
export function knownSecrets(): readonly string[] {
  return known;
}
