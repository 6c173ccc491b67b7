/** A problem as it is shown to the user: what happened, and the next step. */
import type { ServiceFailure } from '../service/failure/failure.ts';

export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
}

/** Omits the details of the failure, which the caller keeps for the log. */
export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, ...(kind === 'signedOut' ? { isSignedOut: true } : {}) };
}
