/** What can make a truncation a mistake. The user accepts each of them before rows are deleted. Pure. */
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../time.ts';
import type { DryRunReport } from './dryRun.ts';

export const CAUTION_KINDS = [
  'holdsState',
  'unreadable',
  'reindex',
  'future',
  'last24Hours',
  'muchYounger',
  'noRowStays',
  'clock',
] as const;

export type Caution =
  | { readonly kind: 'future' | 'last24Hours' | 'noRowStays' | 'reindex' }
  /** @property endTimeMillis Pipelines that last ran before it start over: Unix time in ms. */
  | { readonly kind: 'holdsState'; readonly endTimeMillis: number }
  /** A dry run doesn't say, in known words, how many rows would be deleted, or how. */
  | { readonly kind: 'unreadable' }
  /** Ages of the cutoff, now and at the last truncation of the index, in ms. */
  | { readonly kind: 'muchYounger'; readonly age: number; readonly lastAge: number }
  /** The times of a dry run by the server, or a gateway before it, and by this machine. Unix times in ms. */
  | { readonly kind: 'clock'; readonly answeredAt: number; readonly at: number };

/** The first one that isn't accepted. */
export function firstUnaccepted<T extends { readonly kind: Caution['kind'] }>(
  cautions: readonly T[],
  accepted: readonly Caution['kind'][],
): T | undefined {
  return cautions.find(({ kind }) => !accepted.includes(kind));
}

interface CautionFacts {
  /** Unix time in ms. Undefined while incomplete. */
  readonly endTimeMillis: number | undefined;
  /** Unix time in ms. */
  readonly now: number;
  /** Undefined before the dry run. */
  readonly review: { readonly report: DryRunReport; readonly at: number } | undefined;
  /** True for an index that holds the state of pipelines. */
  readonly holdsState: boolean;
  /** Truncations of the same index, in any order. */
  readonly earlier: readonly { readonly plan: { readonly endTimeMillis: number }; readonly sentAt: number }[];
}

/** Clocks that are kept by a server of time differ by less. */
const LARGEST_CLOCK_DIFFERENCE = 5 * MILLIS_PER_MINUTE;

export function cautionsFor({ endTimeMillis, now, review, holdsState, earlier }: CautionFacts): readonly Caution[] {
  if (endTimeMillis === undefined) {
    return [];
  }
  const last = earlier.toSorted((a, b) => b.sentAt - a.sentAt)[0];
  const lastAge = last === undefined ? 0 : last.sentAt - last.plan.endTimeMillis;
  const age = now - endTimeMillis;
  const { answeredAt, rows, strategy } = review?.report ?? {};
  const at = review?.at ?? now;
  const cautions: readonly (Caution | false)[] = [
    holdsState && { kind: 'holdsState', endTimeMillis },
    review !== undefined && (rows === undefined || strategy === 'unknown') && { kind: 'unreadable' },
    strategy === 'reindex' && { kind: 'reindex' },
    age < 0 ? { kind: 'future' } : age < MILLIS_PER_DAY && { kind: 'last24Hours' },
    // The day before now has a caution of its own.
    age >= MILLIS_PER_DAY && age < lastAge / 2 && { kind: 'muchYounger', age, lastAge },
    rows !== undefined && rows.total > 0 && rows.toDelete === rows.total && { kind: 'noRowStays' },
    answeredAt !== undefined &&
      Math.abs(answeredAt - at) > LARGEST_CLOCK_DIFFERENCE && { kind: 'clock', answeredAt, at },
  ];
  return cautions.filter((one) => one !== false);
}
