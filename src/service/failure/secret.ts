/** A token string on its way from the server to the one place that may hold it. Printing it, in any way, prints nothing. */
export class TokenSecret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    rememberSecret(value);
  }

  /** The only way to the string. Each caller is one of the places that SECURITY.md lists. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '<secret>';
  }

  toJSON(): string {
    return '<secret>';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '<secret>';
  }
}

/** More than any window holds at a time. The one used longest ago is forgotten first. */
const MOST_REMEMBERED = 64;

/** The one used longest ago first. */
const secretsByUse = new Set<string>();
let secretList: readonly string[] = [];

/** Shorter ones are no tokens but slips of the hand, and stand in ordinary words. */
const SHORTEST_SECRET = 8;

export function rememberSecret(secret: string): void {
  if (secret.length < SHORTEST_SECRET) {
    return;
  }
  const isKnown = secretsByUse.delete(secret);
  secretsByUse.add(secret);
  if (isKnown) {
    return;
  }
  const [oldest] = secretsByUse;
  if (oldest !== undefined && secretsByUse.size > MOST_REMEMBERED) {
    secretsByUse.delete(oldest);
  }
  secretList = [...secretsByUse];
}

/** The same array until another secret is remembered: what is sought in texts is prepared once for each array. */
export function knownSecrets(): readonly string[] {
  return secretList;
}
