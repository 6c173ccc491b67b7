/** Tokens that users create and revoke: each request is sent once, and its outcome is never understated. */
import type { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { SentRequest } from './network.ts';

interface SentMutation {
  /** How often a server received it. */
  reads: number;
}

export function isMutation({ body }: Pick<SentRequest, 'body'>): boolean {
  return body.includes('mutation');
}

/** Each request's body is unique, because it names another token. */
export class MutationPromises {
  readonly #sent = new Map<string, SentMutation>();

  /** @returns the broken promise, if any */
  left({ body }: SentRequest): string | undefined {
    const isRepeated = this.#sent.has(body);
    this.#sent.set(body, { reads: 0, ...this.#sent.get(body) });
    return isRepeated ? 'a creation or revocation is sent twice' : undefined;
  }

  read({ body }: SentRequest): string | undefined {
    const sent = this.#sent.get(body);
    return sent !== undefined && ++sent.reads > 1 ? 'a server receives a creation or revocation twice' : undefined;
  }

  /** @param part of the body that only this request has */
  reported(part: string, failure: ServiceFailure): string | undefined {
    const isRead = [...this.#sent].some(([body, { reads }]) => body.includes(part) && reads > 0);
    return failure.mayHaveActed || (!isRead && ![408, 421, 425].includes(failure.status ?? 0))
      ? undefined
      : 'a creation or revocation is reported as if nothing had happened, and the server may have acted';
  }
}
