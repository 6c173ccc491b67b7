/** Tokens that users signed in with: each is sent to its own origin, and in clear only where that was allowed. */
import type { SentRequest } from './network.ts';

export class SignIns {
  /** The origin of each token. */
  readonly #origins = new Map<string, string>();
  /** Origins to which credentials may be sent without TLS. */
  readonly consents = new Set<string>();

  get tokens(): Iterable<string> {
    return this.#origins.keys();
  }

  get count(): number {
    return this.#origins.size;
  }

  typed(token: string, origin: string): void {
    this.#origins.set(token, origin);
  }

  /** @returns the broken promise, if any. */
  left({ url, authorization }: SentRequest): string | undefined {
    const token = tokenIn(authorization);
    if (token === undefined) {
      return undefined;
    }
    const origin = this.#origins.get(token);
    if (origin !== url.origin) {
      return `a credential of ${origin ?? 'nowhere'} is sent to ${url.origin}`;
    }
    return url.protocol === 'https:' || this.consents.has(url.origin)
      ? undefined
      : `a credential is sent in clear to ${url.origin}, which the user did not allow`;
  }
}

export function tokenIn(authorization: string | undefined): string | undefined {
  return authorization?.slice('Bearer '.length);
}
