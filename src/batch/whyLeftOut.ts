/** Why an index is not deleted from together with others. Pure. */
import * as l10n from '@vscode/l10n';
import { holdsState } from '../indices/timeseriesAspects.ts';
import { holdsStateText } from '../truncation/texts/aspectTexts.ts';
import { noticeText } from '../truncation/texts/reviewTexts.ts';
import { canExecute } from '../truncation/state.ts';
import type { Problem } from '../truncation/problem.ts';
import type { DryRunReview, TruncationState } from '../truncation/state.ts';

/** Of a run after its dry run; undefined where nothing speaks against it, or nothing is known yet. */
export function whyLeftOut(state: TruncationState): Problem | undefined {
  if (state.phase === 'editing') {
    return state.failing ?? { sentence: l10n.t('Cancelled') };
  }
  return (
    whyNotRead(state) ??
    (hasOnlyNoRows(state) ? { sentence: l10n.t('No rows to delete') } : undefined) ??
    whyAlone(state)
  );
}

/** Lost state and a reindex, which can hide rows, are each a decision of its own: several at once are deleted by query only. */
export function whyAlone(state: TruncationState): Problem | undefined {
  const sentence = state.phase === 'reviewed' ? aloneSentence(state.review) : undefined;
  return sentence === undefined ? undefined : { sentence, next: l10n.t('Truncate it alone.') };
}

/** The page offers no index that holds state, but an earlier version may have left one unsent. */
function aloneSentence({ plan, report }: DryRunReview): string | undefined {
  if (holdsState(plan)) {
    return holdsStateText();
  }
  switch (report.strategy) {
    case 'deleteByQuery':
      return undefined;
    case 'reindex':
      return l10n.t('The server would reindex it.');
    case 'unknown':
      return l10n.t("The server doesn't say how it would delete.");
  }
}

/** Whether nothing but a lack of rows speaks against deleting. */
export function hasOnlyNoRows(state: TruncationState): boolean {
  return state.phase === 'reviewed' && whyNotRead(state) === undefined && !canExecute(state.review);
}

function whyNotRead(state: TruncationState): Problem | undefined {
  if (state.phase !== 'reviewed') {
    return undefined;
  }
  const { review, failing } = state;
  const notice = noticeText(review);
  if (failing !== undefined || notice !== undefined) {
    return failing ?? { sentence: notice ?? '' };
  }
  // Alone it can be read and deleted from after one more question: several at once are summed up in numbers.
  return review.report.rows === undefined ? { sentence: l10n.t('Row count not available') } : undefined;
}
