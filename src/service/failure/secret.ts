/** Token strings, and those that texts are masked with: in memory only, as any server may echo any of them. */

/** A token string on its way from the server to the one place that may hold it. Printing it prints nothing. */
export class TokenSecret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    rememberSecret(value);
  }

  /** The only access to the string. Each caller is one of the places in SECURITY.md. */
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

/** More than any window holds at a time. The least recently used one is forgotten first. */
const MOST_REMEMBERED = 256;

/** Least recently used first. */
const secretsByUse = new Set<string>();
let secretList: readonly string[] = [];

/** Shorter ones are slips of the hand, and occur in ordinary words. */
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

/** Remembers the value of a header, and each part that a server may quote alone: a scheme's, or a cookie's. */
export function rememberHeader(value: string): void {
  for (const part of new Set([value, ...value.split(/[\s;,=]+/)])) {
    rememberSecret(part);
  }
}

/** Returns the same array until another secret is remembered: masking prepares its index once for each array. */
export function knownSecrets(): readonly string[] {
  return secretList;
}
