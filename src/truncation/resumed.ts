/** Looking again at a truncation that was sent before. */
import { draftFrom } from './plan.ts';
import { taskTexts } from './texts/taskTexts.ts';
import type { TruncationState } from './state.ts';
import type { TruncationRecord } from './record.ts';

/** The state that a sent truncation is in: as it was written down, whichever window sent it. */
export function resumed(record: TruncationRecord): TruncationState {
  const { plan, report, reviewedAt: at, taskId, ending } = record;
  // Nothing is executed from it again: no access fits.
  const review = { plan, report, at, access: '', monotonicAt: 0 };
  const draft = draftFrom(plan);
  if (ending === undefined) {
    return taskId === undefined
      ? { phase: 'failed', draft, review, taskId, ending: { kind: 'unknown', failing: taskTexts.lost() } }
      : { phase: 'running', draft, review, taskId };
  }
  return ending.kind === 'finished'
    ? { phase: 'finished', draft, review, taskId, ending }
    : { phase: 'failed', draft, review, taskId, ending };
}
