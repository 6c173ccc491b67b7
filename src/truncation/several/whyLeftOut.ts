/** Why an index is not deleted from together with others. Pure. */
import * as l10n from '@vscode/l10n';
import { noticeText } from '../model/noticeText.ts';
import { mayExecute } from '../model/state.ts';
import type { Failing, TruncationState } from '../model/state.ts';

/** Of a run after its dry run; undefined where nothing speaks against it, or nothing is known yet. */
export function whyLeftOut(state: TruncationState): Failing | undefined {
  if (state.phase === 'editing') {
    return state.failing ?? { sentence: l10n.t('Cancelled') };
  }
  return (
    whyNotRead(state) ??
    (hasOnlyNoRows(state) ? { sentence: l10n.t('No rows to delete') } : undefined) ??
    whyAlone(state)
  );
}

/** Several at once are deleted by query only: a reindex can hide rows, so each one is a decision of its own. */
export function whyAlone(state: TruncationState): Failing | undefined {
  const strategy = state.phase === 'reviewed' ? state.review.report.strategy : 'deleteByQuery';
  if (strategy === 'deleteByQuery') {
    return undefined;
  }
  return {
    sentence:
      strategy === 'reindex'
        ? l10n.t('The server would reindex it.')
        : l10n.t("The server doesn't say how it would delete."),
    next: l10n.t('Truncate it alone.'),
  };
}

/** Whether nothing but a lack of rows speaks against deleting. */
export function hasOnlyNoRows(state: TruncationState): boolean {
  return state.phase === 'reviewed' && whyNotRead(state) === undefined && !mayExecute(state.review);
}

function whyNotRead(state: TruncationState): Failing | undefined {
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
