/** Problems of a truncation, as they are shown. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inSentence } from '../ui/foreignText.ts';

/** Problem as the user sees it, with the next step. */
export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
  /** For "Copy Details for a Report". Neither stored nor sent to a page. */
  readonly failure?: ServiceFailure | undefined;
}

/** The sentence, and what to do next. */
export function problemText({ sentence, next }: Problem): string {
  return next === undefined ? sentence : `${sentence} ${next}`;
}

/** Its text omits details, which belong into the log. */
export function problemOf(failure: ServiceFailure): Problem {
  const { kind, message, next } = failure;
  return { sentence: message, next, isSignedOut: kind === 'signedOut' || undefined, failure };
}

/** Escaped for a page. */
export function problemView({ sentence, next, isSignedOut }: Problem): Problem {
  return { sentence: inSentence(sentence), next: next && inSentence(next), isSignedOut };
}
