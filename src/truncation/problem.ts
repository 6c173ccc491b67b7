/** Problem as the user sees it, with the next step. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inSentence } from '../ui/foreignText.ts';

export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
}

/** Omits details, which belong into the log. */
export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, ...(kind === 'signedOut' ? { isSignedOut: true } : {}) };
}

/** Escaped for a page. */
export function problemView({ sentence, next, isSignedOut }: Problem): Problem {
  return { sentence: inSentence(sentence), next: next && inSentence(next), isSignedOut };
}
