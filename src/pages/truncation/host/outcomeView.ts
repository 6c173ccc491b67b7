/** A truncation after it was sent, as the page draws it: the outcome first, the rest under "Details". */
import * as l10n from '@vscode/l10n';
import { language } from '../../../language.ts';
import type { Poll } from '../../../truncation/watching/pollHistory.ts';
import {
  markOf,
  statusOf,
  type TruncationStatus,
  taskEndTime,
  type TruncationRecord,
} from '../../../truncation/sentTruncation.ts';
import type { ReviewedIndex } from '../../../truncation/dryRun.ts';
import type { TaskProgress } from '../../../truncation/taskEnd.ts';
import { scopeText } from '../../../truncation/texts/consequenceTexts.ts';
import { endingRemarks } from '../../../truncation/texts/endingTexts.ts';
import { lastTruncationCheckText, runningText } from '../../../truncation/texts/progressTexts.ts';
import { nextStepText, problemBeforeEnd, spaceText } from '../../../truncation/texts/statusTexts.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import type { Fact } from '../../kit/protocol.ts';
import type { OutcomeView, TruncationIntent } from '../protocol.ts';
import { dryRunTimeFact, headlineOf, planFacts, requestFacts } from '../../kit/host/review.ts';

export interface OutcomeFacts {
  /** The current one in bytes, as listed. */
  readonly indexSize: number | undefined;
  /** Name of the index on the search cluster. */
  readonly indexName: string | undefined;
  /** Undefined before the first poll in this window. */
  readonly lastPoll: Poll | undefined;
  /** True if another poll may change the outcome. */
  readonly canCheck: boolean;
  /** Unix time in ms. */
  readonly now: number;
  /** IANA name of the user's time zone. */
  readonly timeZone: string;
}

export function outcomeView(record: TruncationRecord, facts: OutcomeFacts): OutcomeView {
  const { lastPoll, indexSize, now, canCheck } = facts;
  const { progress, problem } = lastPoll ?? {};
  const status = statusOf(record, now);
  const blocking = problemBeforeEnd(record, lastPoll);
  const next =
    problem === undefined ? nextStepText(record, now, canCheck) : (blocking ?? { next: problem.sentence }).next;
  return {
    mark: markOf(record, problem === undefined, now),
    isOver: status !== 'sending' && status !== 'running',
    headline: inSentence(blocking?.sentence ?? headlineOf(record, indexSize, progress, now)),
    next: next && inSentence(next),
    // The age is today's, and no user is named: the connection may have another one by now.
    scope: scopeText(record.plan.endTimeMillis, now, undefined, facts.timeZone),
    isSignedOut: problem?.isSignedOut,
    percent: percentDone(status, progress),
    pace: status === 'running' && problem === undefined ? runningText(progress, record, now) : undefined,
    lastCheck: lastCheckText(record, facts),
    canCheck,
    details: outcomeDetails(record, facts),
  };
}

function percentDone(status: TruncationStatus, progress: TaskProgress | undefined): number | undefined {
  if (status === 'finished') {
    return 100;
  }
  return progress?.total ? Math.min(100, (progress.done / progress.total) * 100) : undefined;
}

/** Undefined once no poll can change the outcome. After a reload, shows the count that decided it. */
function lastCheckText(
  record: TruncationRecord,
  { lastPoll, canCheck, now, timeZone }: OutcomeFacts,
): string | undefined {
  const stored = record.readers && { at: record.readers.at, count: record.readers };
  const check = lastPoll ?? stored;
  return check && canCheck ? lastTruncationCheckText(record, check, now, timeZone) : undefined;
}

function outcomeDetails(record: TruncationRecord, facts: OutcomeFacts): readonly Fact<TruncationIntent>[] {
  const formats = formatsOf(language(), facts.timeZone);
  const { taskId, sentAt, sizeBefore, plan, report, reviewedAt } = record;
  const endedAt = taskEndTime(record);
  return [
    ...endingRemarks(record, facts.now).flatMap((remark) => factOf(l10n.t('Note'), inSentence(remark))),
    ...factOf(l10n.t('Disk space'), record.ending?.kind === 'finished' ? spaceText(record) : undefined),
    ...requestFacts(record, { ...facts, place: 0, name: l10n.t('For an administrator') }),
    ...(taskId === undefined
      ? []
      : [
          {
            name: l10n.t('Task ID'),
            code: inPlainText(taskId),
            copy: { label: l10n.t('Copy'), intent: { type: 'copyTaskId' } },
          } as const,
        ]),
    ...factOf(taskId === undefined ? l10n.t('Sent') : l10n.t('Started'), formats.exactTime(sentAt)),
    ...factOf(l10n.t('Ended'), endedAt === undefined ? undefined : formats.exactTime(endedAt)),
    ...factOf(l10n.t('Size before'), sizeBefore === undefined ? undefined : formats.size(sizeBefore)),
    ...factOf(
      l10n.t('Rows to delete'),
      report.rows && l10n.t('{0} of {1}', formats.number(report.rows.toDelete), formats.number(report.rows.total)),
    ),
    ...dryRunFacts({ plan, report, at: reviewedAt }, facts.timeZone),
  ];
}

/** The plan and its dry run. @param timeZone The user's (IANA name). */
export function dryRunFacts({ plan, report, at }: ReviewedIndex, timeZone: string): readonly Fact[] {
  const { timeoutSeconds: timeout } = plan;
  const value = timeout === undefined ? l10n.t('No timeout') : formatsOf(language()).number(timeout);
  return [
    ...planFacts({ plan, report }, timeZone),
    { name: l10n.t('Timeout in seconds'), value },
    { name: l10n.t('Response to the dry run'), quoted: inPlainText(report.serverText) },
    dryRunTimeFact(at, timeZone),
  ];
}

/** None for an unknown value. */
function factOf(name: string, value: string | undefined): readonly Fact<TruncationIntent>[] {
  return value === undefined ? [] : [{ name, value }];
}
