/** A failure as users are told of it. Apart from the state machine, which isn't loaded at startup. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { Problem } from './state.ts';

export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, ...(kind === 'signedOut' ? { isSignedOut: true } : {}) };
}
