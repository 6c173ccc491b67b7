/** By what the cut-offs of several indices are set, as a person types it. Pure. */
import * as v from 'valibot';
import { readGoal, type FitKind } from '../../model/fitGoal.ts';

export interface Limit {
  readonly kind: FitKind;
  /** Each kind has its own: 90 days are not 90 GB. */
  readonly texts: Readonly<Record<FitKind, string>>;
}

/** The days are the wizard's. */
export const USUAL_LIMIT: Limit = { kind: 'keepDays', texts: { keepDays: '90', keepBytes: '', deleteRows: '' } };

const TEXT = v.pipe(v.string(), v.maxLength(32));
const LIMIT = v.object({
  kind: v.picklist(['keepDays', 'keepBytes', 'deleteRows']),
  texts: v.object({ keepDays: TEXT, keepBytes: TEXT, deleteRows: TEXT }),
});

/** What was kept of a page. */
export function parseLimit(kept: unknown): Limit {
  const parsed = v.safeParse(LIMIT, kept);
  return parsed.success ? parsed.output : USUAL_LIMIT;
}

export function textOf({ kind, texts }: Limit): string {
  return texts[kind];
}

export function withText(limit: Limit, text: string): Limit {
  return { ...limit, texts: { ...limit.texts, [limit.kind]: text } };
}

/** The goal that it means, or what is wrong with it. */
export function readLimit(limit: Limit): ReturnType<typeof readGoal> {
  return readGoal(limit.kind, textOf(limit));
}
