/** A failure as users are told of it. Apart from the state machine, which isn't loaded at startup. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { Failing } from './state.ts';

export function failingOf({ kind, message, next }: ServiceFailure): Failing {
  return { sentence: message, next, ...(kind === 'signedOut' ? { isSignedOut: true } : {}) };
}
