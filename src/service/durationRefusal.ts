/** What a server's refusal says about durations (PROTOCOL.md §5.4), in whichever of its wordings. Read, and never shown. */
import { DURATIONS, DURATION_MILLIS } from './server/durations.ts';
import type { IsoDuration, TokenDuration } from './server/durations.ts';
import { isoMillis } from './isoDuration.ts';

export interface DurationRefusal {
  /** Values of the enum that it rules out. */
  readonly refused: readonly TokenDuration[];
  /** The lengths that are allowed instead, in ms; undefined where it names none. */
  readonly lengths: readonly number[] | undefined;
}

/** "Allowed durations: [PT1H, P1D]" of the first wording, "ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1D])" of the later one. */
const ALLOWED = /(?:allowed durations:|ACCESS_TOKEN_ALLOWED_DURATIONS \(currently:)\s*\[?([^\])]*)/i;
const ABOUT_DURATION =
  /no expiry is disabled|never-expiring access tokens .*cannot be created|unrecognized access token duration|access token duration .* (?:is not allowed|could not be mapped)|enum '?"?AccessTokenDuration/i;
/** No administrator lets people choose among more. */
const MOST_LENGTHS = 50;

/** What the server's words say about durations, or undefined when they are about something else. */
export function durationRefusal(asked: TokenDuration | IsoDuration, text: string): DurationRefusal | undefined {
  const lengths = lengthsIn(ALLOWED.exec(text)?.[1]?.split(',') ?? []);
  if (lengths.length > 0) {
    const isRuledOut = (duration: TokenDuration): boolean => {
      const millis = DURATION_MILLIS[duration];
      // Of tokens without an end a list of lengths says nothing: only a refusal of one does.
      return millis === null ? duration === asked : !lengths.includes(millis);
    };
    return { refused: DURATIONS.filter(isRuledOut), lengths };
  }
  return ABOUT_DURATION.test(text)
    ? { refused: typeof asked === 'string' ? [asked] : [], lengths: undefined }
    : undefined;
}

/** Lengths in ms that are written in ISO 8601, each once; what is none is passed over. */
export function lengthsIn(texts: readonly unknown[]): readonly number[] {
  const lengths = texts
    .slice(0, MOST_LENGTHS)
    .flatMap((text) => (typeof text === 'string' ? (isoMillis(text) ?? []) : []));
  return [...new Set(lengths)];
}
