/** Turns a judgement into the ending that is stored and shown. Pure but for the translated words. */
import { judgementTexts } from './texts/judgementTexts.ts';
import type { Judgement } from './readerJudgement.ts';
import { strategyUsed } from './record.ts';
import type { TruncationRecord } from './record.ts';
import type { Outcome } from './state.ts';

/** Undefined while nothing can be said. */
export function endingOf(record: TruncationRecord, judgement: Judgement): Outcome | undefined {
  const failures = record.taskEnd?.failures ?? [];
  switch (judgement.kind) {
    case 'open':
      return undefined;
    case 'clean':
      return finished(record, { readers: 'clean' });
    case 'rowsLeft':
      return finished(record, { readers: 'rowsLeft', rowsLeft: judgement.rows });
    case 'stopped':
      return { kind: 'failed', failing: judgementTexts.stopped(record, judgement.rows), failures, readers: 'whole' };
    case 'neverBegan':
      return { kind: 'failed', failing: judgementTexts.neverBegan(), failures, readers: 'whole' };
    case 'writesRefused':
      return { kind: 'failed', failing: judgementTexts.writesRefused(), failures, readers: 'whole' };
    case 'missing':
      return {
        kind: 'unknown',
        failing: judgementTexts.missing(judgement, record),
        hidesRows: judgement.cause !== 'notAvailable',
        missing: judgement.cause,
      };
    case 'copiesDisagree':
      return {
        kind: 'unknown',
        failing: judgementTexts.copiesDisagree(),
        hidesRows: strategyUsed(record) !== 'deleteByQuery',
        missing: 'copiesDisagree',
      };
  }
}

/** Of a truncation whose rows can't be counted, or tell nothing about it any more. */
export function endingUnchecked(record: TruncationRecord, isLatest: boolean): Outcome {
  switch (record.taskEnd?.kind) {
    case 'whole':
      return finished(record, { readers: 'notChecked' });
    case 'short':
    case 'neverBegan':
      return { kind: 'failed', failing: judgementTexts.endedEarly(record), failures: record.taskEnd.failures ?? [] };
    default:
      return { kind: 'unknown', failing: judgementTexts.notCounted(record, isLatest) };
  }
}

function finished(
  { report, taskEnd }: TruncationRecord,
  readers: Pick<Extract<Outcome, { kind: 'finished' }>, 'readers' | 'rowsLeft'>,
): Outcome {
  const isCounted = report.strategy === 'deleteByQuery' && taskEnd?.done !== undefined;
  // A task that deleted none of the rows that are gone says nothing about how many those were.
  const deleted = isCounted ? taskEnd.done || undefined : report.rows?.toDelete;
  return { kind: 'finished', deleted, versionConflicts: taskEnd?.versionConflicts ?? 0, ...readers };
}
