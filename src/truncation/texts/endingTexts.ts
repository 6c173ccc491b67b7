/** How a truncation ended that didn't finish, and what to do next. */
import * as l10n from '@vscode/l10n';
import type { Problem, TruncationOutcome, UnknownOutcome } from '../outcome.ts';
import { hidesRows, keptBefore, repairOf, shownStatusOf, type TruncationRecord } from '../record.ts';
import type { TruncationState } from '../state.ts';
import { judgementTexts } from './judgementTexts.ts';
import { taskTexts } from './taskTexts.ts';

type Unfinished = Exclude<TruncationOutcome, { readonly kind: 'finished' }>;

/** What the words depend on besides the end. */
export type EndedTruncation = Pick<TruncationRecord, 'plan' | 'report' | 'baseline' | 'taskEnd' | 'taskId'>;

/** @param truncation Its record, or what a state knows of one without a record. */
export function endingProblem(ending: Unfinished, truncation: EndedTruncation): Problem {
  if (ending.kind === 'unknown') {
    return unknownProblem(ending, truncation);
  }
  switch (ending.reason) {
    case 'refused':
      return ending.failing;
    case 'stopped':
      return judgementTexts.stopped(truncation, ending.rowsLeft ?? 0);
    case 'neverBegan':
      return judgementTexts.neverBegan();
    case 'writesRefused':
      return judgementTexts.writesRefused();
    case 'endedEarly':
      return judgementTexts.endedEarly(truncation);
  }
}

/** The problem of a state that has ended, if it has one. @param record Undefined if the server refused it. */
export function endedStateProblem(state: TruncationState, record: TruncationRecord | undefined): Problem | undefined {
  return state.phase === 'failed' && state.ending.kind !== 'finished'
    ? endingProblem(state.ending, record ?? { ...state.review, taskId: state.taskId })
    : undefined;
}

/** Details of a failure, an unknown outcome or a lost response, beyond its sentence and next step. */
export function endingRemarks(record: TruncationRecord, now: number): readonly string[] {
  const { ending, taskEnd } = record;
  const missing = ending?.kind === 'unknown' ? ending.missing : undefined;
  const isStopped = ending?.kind === 'failed' && ending.reason === 'stopped';
  return [
    isStopped && taskEnd !== undefined ? judgementTexts.endedEarly(record).sentence : undefined,
    hidesRows(record)
      ? l10n.t('This extension deletes nothing from this index until searches find the rows to keep.')
      : undefined,
    missing === 'notAvailable'
      ? l10n.t('If all parts of the index are available, another job may have deleted rows.')
      : undefined,
    // Without a baseline, the rows may have been missing before.
    missing !== undefined && missing !== 'notAvailable' && record.baseline === undefined
      ? l10n.t('If another job deleted these rows, use "Forget Truncation".')
      : undefined,
    ending?.kind === 'failed' && repairOf(record) !== undefined ? staysUnrefreshedText() : undefined,
    isUnanswered(record, now) ? l10n.t('The request is never sent again automatically.') : undefined,
  ].filter((remark) => remark !== undefined);
}

/** A single refresh finds the rows once, and a system update makes no replicas (PROTOCOL.md §7.5). */
export function staysUnrefreshedText(): string {
  return l10n.t(
    'Unless an administrator sent all requests, rows written later may stay hidden, and the index may have no replicas.',
  );
}

function isUnanswered(record: TruncationRecord, now: number): boolean {
  const { ending, taskId } = record;
  // After a refused reindex, the request was answered.
  const isAnswered = ending?.kind === 'unknown' && (ending.reason === 'rowsHidden' || ending.reason === 'missing');
  return taskId === undefined && !isAnswered && ['lost', 'unanswered', 'unknown'].includes(shownStatusOf(record, now));
}

function unknownProblem(ending: UnknownOutcome, truncation: EndedTruncation): Problem {
  const { found, missing, reason } = ending;
  switch (reason) {
    case 'rowsHidden':
      return taskTexts.rowsHidden(found && found.kept + (found.toDelete ?? 0));
    case 'missing': {
      if (missing === 'copiesDisagree') {
        return judgementTexts.copiesDisagree();
      }
      const visible = found?.kept ?? 0;
      const expected = keptBefore(truncation) ?? visible;
      return missing !== undefined && visible < expected
        ? judgementTexts.missing({ kind: 'missing', cause: missing, visible, expected })
        : judgementTexts.foundAgain(visible, expected);
    }
    case 'notCounted':
    case 'superseded':
      return withCount(judgementTexts.notCounted(truncation, reason === 'notCounted'), found, truncation);
    case 'lostInTime':
      return withCount(taskTexts.lostInTime(), found, truncation);
    case 'lost':
      return withCount(lostText(ending), found, truncation);
  }
}

/** PostgreSQL responds with an error after the timeout of a deletion (PROTOCOL.md §10). */
function lostText({ answer }: UnknownOutcome): Problem {
  if (answer === undefined) {
    return taskTexts.lost();
  }
  const { status, serverText = '' } = answer;
  return {
    ...taskTexts.lost(),
    sentence:
      serverText === ''
        ? l10n.t('The deletion may or may not have started: the server reported an error (HTTP {0}).', status)
        : l10n.t(
            'The deletion may or may not have started: the server reported an error (HTTP {0}: {1}).',
            status,
            serverText,
          ),
  };
}

/** The request is never repeated: a count shows the progress. */
function withCount(problem: Problem, found: UnknownOutcome['found'], truncation: EndedTruncation): Problem {
  return found?.toDelete === undefined
    ? problem
    : { ...problem, next: judgementTexts.countedAgain(truncation, { ...found, toDelete: found.toDelete }) };
}
