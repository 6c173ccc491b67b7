/** A problem as the user reads it: what happened, and what to do next. */
import type { ServiceFailure } from '../service/failure/failure.ts';

export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
}

/** The details of the failure stay with the caller. */
export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, ...(kind === 'signedOut' ? { isSignedOut: true } : {}) };
}
