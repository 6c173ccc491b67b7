import { rememberSecret } from './failure/knownSecrets.ts';

/** A token string on its way from the server to the one place that may hold it. Printing it, in any way, prints nothing. */
export class Secret {
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
