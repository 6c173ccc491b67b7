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
  return whyNotRead(state) ?? (hasOnlyNoRows(state) ? { sentence: l10n.t('No rows to delete') } : undefined);
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
