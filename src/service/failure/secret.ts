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

let secrets: readonly string[] = [];

/** Shorter ones are slips of the hand, and occur in ordinary words. */
const SHORTEST_SECRET = 8;

export function rememberSecret(secret: string): void {
  if (secret.length >= SHORTEST_SECRET && !secrets.includes(secret)) {
    secrets = [...secrets, secret];
  }
}

/** Remembers the value of a header, and each part that a server may quote alone: a scheme's, or a cookie's. */
export function rememberHeader(value: string): void {
  for (const part of new Set([value, ...value.split(/[\s;,=]+/)])) {
    rememberSecret(part);
  }
}

/** Returns the same array until another secret is remembered: masking prepares its index once for each array. */
export function knownSecrets(): readonly string[] {
  return secrets;
}
