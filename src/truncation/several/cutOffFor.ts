/** The cut-off of one of several indices by a limit, found as for an index alone: from its rows by age, and dry runs between them. */
import type { CountedGoal } from '../model/fitSearch.ts';
import { unsolvedText } from '../model/fitText.ts';
import { RowsByAgeCounts } from '../rowsByAge.ts';
import type { RowsByAgeParts } from '../rowsByAge.ts';
import type { FindCutOff } from './bulkItem.ts';

/** Of two indices that are looked at at a time, each makes one dry run at a time. */
export function cutOffFor(goal: CountedGoal, parts: Omit<RowsByAgeParts, 'atOnce'>): FindCutOff {
  return async ({ entityType, aspect }, signal) => {
    const target = { entityType, aspect };
    const counts = new RowsByAgeCounts({ ...parts, atOnce: 1 });
    const stop = (): void => counts.dispose();
    signal.addEventListener('abort', stop);
    const bound = { goal, bytes: parts.sizeOf(target) };
    try {
      await counts.fit(target, goal);
      // Nothing is known of it any more when it was aborted, or the connection is another person's or server's meanwhile.
      const { fit, failing } = counts.of(target) ?? {};
      const found = fit?.found;
      switch (found?.kind) {
        case undefined:
        case 'failed':
          return found?.failing ?? failing;
        case 'solved':
          return { ...found, bound };
        case 'unsolved':
          return { sentence: unsolvedText(found.why, goal) };
      }
    } finally {
      signal.removeEventListener('abort', stop);
      counts.dispose();
    }
  };
}
