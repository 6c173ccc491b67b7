/** The message about a job that ends while its page is hidden: how many were truncated, and the first reason if not all were. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../../language.ts';
import { joinSentences } from '../../../ui/textLines.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobState } from '../../../truncation/jobState.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { endMessage, problemMessage } from '../../../truncation/texts/statusTexts.ts';
import { wholeEnding } from '../../../truncation/record.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { deletedText, truncatedText } from './jobView.ts';

type EndedItem = Pick<JobItem, 'state' | 'record' | 'status' | 'exclusion'>;

interface JobEndFacts {
  readonly state: Pick<JobState, 'phase' | 'isStopping'>;
  /** Those that the user said yes to, also if that came too late. */
  readonly items: readonly EndedItem[];
  readonly connectionName: string;
  readonly isPageClosed: boolean;
}

interface JobEndMessage {
  readonly text: string;
  /** Something was not truncated, or it isn't certain. */
  readonly isTrouble: boolean;
}

/** Undefined if the user stopped the job, or its last item still runs: that one tells its own end. */
export function jobEndMessage({ state, items, connectionName, isPageClosed }: JobEndFacts): JobEndMessage | undefined {
  const closed = isPageClosed && !state.isStopping ? taskTexts.pageClosed() : undefined;
  const reasons = items.map((item) => reasonOf(item, connectionName, closed));
  const reason = reasons.find((text) => text !== undefined);
  if (reason !== undefined) {
    return { text: joinSentences(state.phase === 'ended' ? truncatedText(items) : undefined, reason), isTrouble: true };
  }
  return items.every(({ status }) => status === 'finished')
    ? { text: finishedText(items, connectionName), isTrouble: false }
    : undefined;
}

/** Undefined for one that runs, was stopped, or was found whole. @param closed Why the page left the rest unsent. */
function reasonOf(
  { state, record, status, exclusion }: EndedItem,
  connectionName: string,
  closed: Problem | undefined,
): string | undefined {
  if (record !== undefined) {
    const isOver = record.ending !== undefined && status !== 'running';
    return isOver && wholeEnding(record) === undefined ? endMessage(record, connectionName, true) : undefined;
  }
  const problem = endedStateProblem(state, record) ?? (status === 'notSent' ? (exclusion ?? closed) : undefined);
  return problem && problemMessage(state.draft, connectionName, problem);
}

function finishedText(items: readonly EndedItem[], connectionName: string): string {
  const texts = [formatsOf(language()).number(items.length), connectionName] as const;
  const deleted = deletedText(items);
  const truncated = plural(
    items.length,
    l10n.t('Truncated {0} index on {1}', ...texts),
    l10n.t('Truncated {0} indices on {1}', ...texts),
  );
  return deleted === undefined ? truncated : l10n.t('{0}: {1}', truncated, deleted);
}
