/** Views for the wizard's page. Pure except for translation. */
import { lacksConsent, type Connection, userOf } from '../../../connections/connection.ts';
import { readOnlyReason, localizedRoleName } from '../../../connections/role.ts';
import { isIndexNamePart } from '../../../indices/indexName.ts';
import { isLoopbackHost } from '../../../service/http/baseUrl.ts';
import { exactBytes, type ReportedIndexSize } from '../../../service/indices/indexSize.ts';
import * as l10n from '@vscode/l10n';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { firstUnaccepted, type Caution } from '../../../truncation/cautions.ts';
import { percentToDelete, type DryRunReport } from '../../../truncation/dryRun.ts';
import {
  exceedsGoal,
  sizeLimitRefusal,
  notTightText,
  unsolvedText,
  type CutoffFitResult,
} from '../../../rowsByAge/fitSearch.ts';
import {
  cautionText,
  executionNotes,
  hasManyRows,
  noticeText,
  strategyTexts,
} from '../../../truncation/texts/reviewTexts.ts';
import { DEFAULT_BATCH_SIZE, GENTLE_BATCH_SIZE, checkDraft } from '../../../truncation/plan.ts';
import {
  cutoffProposalFor,
  reviewLines,
  bytesToDelete,
  canMerge,
  mergeAdvice,
  spaceNeeded,
} from '../../../truncation/texts/consequenceTexts.ts';
import { mergeRequest } from '../../../truncation/clusterRequests.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { nextStepText, statusText } from '../../../truncation/texts/statusTexts.ts';
import { lastTruncationCheckText, runningText } from '../../../truncation/texts/progressTexts.ts';
import type { Poll } from '../../../truncation/polls.ts';
import { canExecute, type DryRunReview, type TruncationState } from '../../../truncation/state.ts';
import { type Problem, problemView } from '../../../truncation/outcome.ts';
import type { TaskProgress } from '../../../truncation/taskEnd.ts';
import { askableTask, taskEndTime, shownStatusOf, type TruncationRecord } from '../../../truncation/record.ts';
import type { CutoffFitState, AgeHistogramState } from '../../../rowsByAge/ageHistogramSession.ts';
import type {
  DryRunReportView,
  TruncationTaskView,
  WizardPageView,
  CutoffFitView,
  AgeHistogramView,
} from '../protocol.ts';
import { plural, language } from '../../../language.ts';
import { aboutText, approximateSizesText, formatsOf, reportedSizeText, sizeText } from '../../../ui/formats.ts';
import { dailyGrowth } from '../../../rowsByAge/ageHistogram.ts';

/** Under review, or outdated. */
type ShownDryRun = Pick<DryRunReview, 'plan' | 'report' | 'at' | 'notice'>;

export interface WizardViewFacts {
  readonly state: TruncationState;
  readonly cautions: readonly Caution[];
  /** Undefined if it was removed while the wizard was open. */
  readonly connection: Connection | undefined;
  /** True if the server lists its indices only after a sign-in. */
  readonly isSignedOut?: boolean;
  readonly indices: WizardPageView['indices'];
  readonly indexSize: ReportedIndexSize;
  /** Name of the truncated index on the search cluster. */
  readonly indexName?: string | undefined;
  readonly forceFlagsKnown: boolean;
  readonly isOnPostgres: boolean;
  /** Undefined until the user asks for them. */
  readonly rowsByAge?: AgeHistogramState | undefined;
  /** Other activity on the server, a sentence each. */
  readonly serverNotes?: readonly string[];
  readonly record: TruncationRecord | undefined;
  /** ID of this wizard's truncation, sent or not. */
  readonly recordId: string;
  readonly progress: TaskProgress | undefined;
  /** Undefined before the first poll in this window. */
  readonly lastPoll?: Poll | undefined;
  /** True if another poll may change the outcome. */
  readonly canCheck: boolean;
  /** Set while the task can't be watched. */
  readonly watchProblem: Problem | undefined;
  readonly now: number;
  readonly locale: string;
  /** IANA name of the user's time zone. */
  readonly timeZone: string;
}

export function wizardPageView(facts: WizardViewFacts): WizardPageView {
  const { state, connection, record } = facts;
  const checked = checkDraft(state.draft);
  const review = 'review' in state ? state.review : undefined;
  const outdated = 'outdated' in state ? state.outdated : undefined;
  const proposal = cutoffProposalFor(state.draft);
  const bytes = exactBytes(facts.indexSize);
  const rowsByAge = facts.rowsByAge && ageHistogramView(facts.rowsByAge, bytes);
  const fit = facts.rowsByAge?.fit;
  const isExact = facts.indexSize.precision === 'exact';
  const indexSize = reportedSizeText(facts.indexSize, formatsOf(facts.locale));
  // After sending, a failure is part of the task.
  const failure = record === undefined ? requestFailureView(facts) : undefined;
  // Counting rows and the dry run fail alike: say it once.
  const isSaidBelow = rowsByAge?.failure?.sentence === failure?.sentence;
  return {
    phase: state.phase,
    connection: connectionView(connection),
    indexSize,
    indexBytes: bytes,
    sizeNote: isExact ? undefined : approximateSizesText(),
    sizeLimitRefusal: isExact ? undefined : sizeLimitRefusal(),
    // Suggest only names that a plan accepts.
    indices: facts.indices.filter(({ entityType, aspect }) => isIndexNamePart(entityType) && isIndexNamePart(aspect)),
    problems: 'problems' in checked ? checked.problems : {},
    cautions: facts.cautions.map((one) => ({
      kind: one.kind,
      text: cautionText(one, formatsOf(facts.locale, facts.timeZone)),
    })),
    proposal,
    forceFlagsKnown: facts.forceFlagsKnown,
    canChooseStrategy: facts.forceFlagsKnown && !facts.isOnPostgres,
    defaultBatchSize: DEFAULT_BATCH_SIZE,
    rowsByAge: rowsByAge && { ...rowsByAge, failure: isSaidBelow ? undefined : rowsByAge.failure },
    fit: fit === undefined || isOutdatedFit(fit, state) ? undefined : cutoffFitView(fit, bytes),
    report: review ? dryRunReportView(review, facts) : outdated && dryRunReportView(outdated, facts),
    serverNotes: review === undefined || record !== undefined ? undefined : facts.serverNotes,
    failure,
    task: record && truncationTaskView(record, facts),
    primary: primaryButtonView(facts),
    canCancel: state.phase === 'dryRunning',
    restore: { connectionId: connection?.id ?? '', recordId: facts.recordId },
  };
}

/** True once the user has chosen another cutoff. */
function isOutdatedFit({ found }: CutoffFitState, { draft }: TruncationState): boolean {
  return found?.kind === 'solved' && found.endTimeMillis !== draft.endTimeMillis;
}

function connectionView(connection: Connection | undefined): WizardPageView['connection'] {
  if (connection === undefined) {
    return {
      name: '',
      baseUrl: '',
      actor: '',
      role: undefined,
      warning: l10n.t('This connection was removed. Close this page and select an index of another one.'),
    };
  }
  const { role } = connection;
  const { protocol, hostname } = new URL(connection.baseUrl);
  const isPlain = protocol === 'http:' && !isLoopbackHost(hostname) && !lacksConsent(connection);
  return {
    name: inPlainText(connection.name),
    baseUrl: inPlainText(connection.baseUrl),
    actor: inPlainText(userOf(connection)),
    role: role === 'production' || role === 'readOnly' ? { kind: role, name: localizedRoleName(role) } : undefined,
    warning: isPlain ? l10n.t("This connection isn't encrypted.") : undefined,
  };
}

function dryRunReportView(review: ShownDryRun, facts: WizardViewFacts): DryRunReportView {
  const { report, plan, at } = review;
  const { rows } = report;
  const { forceFlagsKnown, state } = facts;
  const outdated = outdatedReason(state);
  const size = facts.record === undefined ? sizeToDeleteView(report, facts) : undefined;
  const needed = facts.record === undefined ? spaceNeeded([{ report, size: facts.indexSize }]) : undefined;
  const notice =
    outdated === undefined
      ? (noticeText(review) ?? exceededLimitText(review, facts) ?? spellingText(report, facts))
      : undefined;
  const isReindex = report.strategy === 'reindex';
  return {
    rowsToDelete: rows?.toDelete,
    rowsTotal: rows?.total,
    percent: rows && percentToDelete(rows),
    sizeToDelete: size,
    executionNotes: facts.record === undefined ? executionNotes(rows?.toDelete) : [],
    smallBatchSize:
      facts.record === undefined && hasManyRows(rows?.toDelete) && plan.batchSize > GENTLE_BATCH_SIZE
        ? GENTLE_BATCH_SIZE
        : undefined,
    spaceNeeded: needed,
    strategy: strategyTexts[report.strategy].name(),
    strategyMeaning: strategyTexts[report.strategy].meaning(),
    strategyIsRisky: isReindex,
    aspectLines: reviewLines(plan, facts.timeZone),
    canForceDeleteByQuery:
      isReindex &&
      forceFlagsKnown &&
      plan.strategy !== 'deleteByQuery' &&
      (state.phase === 'reviewed' || mayDeleteByQueryInstead(state)),
    serverText: inPlainText(report.serverText),
    at,
    notice,
    outdated,
    // A failure has a button of its own.
    isSignedOut:
      (outdated !== undefined && facts.isSignedOut && requestFailureView(facts)?.isSignedOut !== true) || undefined,
  };
}

/** Why the figures on the page no longer count. */
function outdatedReason(state: TruncationState): string | undefined {
  if ('outdated' in state) {
    return state.outdated?.reason.sentence;
  }
  return state.phase === 'reviewed' && state.review.notice === 'tooOld' ? noticeText(state.review) : undefined;
}

/** Other servers refuse names that they don't have. */
function spellingText({ rows }: DryRunReport, { isOnPostgres }: WizardViewFacts): string | undefined {
  return isOnPostgres && rows?.total === 0
    ? l10n.t('No rows were found. With PostgreSQL, that may mean that the entity type or the aspect is misspelled.')
    : undefined;
}

/** Rows may have been written since the fit, so its own dry run can exceed the limit. */
function exceededLimitText(
  { plan, report }: ShownDryRun,
  { rowsByAge, indexSize, record }: WizardViewFacts,
): string | undefined {
  const fit = rowsByAge?.fit;
  const isFitted = fit?.found?.kind === 'solved' && fit.found.endTimeMillis === plan.endTimeMillis;
  return record === undefined && isFitted && exceedsGoal(fit.goal, report.rows, exactBytes(indexSize))
    ? l10n.t("This cutoff doesn't meet your limit.")
    : undefined;
}

/** An estimate, because rows differ in size. */
function sizeToDeleteView(
  report: DryRunReport,
  { indexSize, locale }: WizardViewFacts,
): DryRunReportView['sizeToDelete'] {
  const toDelete = bytesToDelete({ report, size: indexSize });
  const { size } = formatsOf(locale);
  return indexSize.bytes === undefined || toDelete === undefined
    ? undefined
    : {
        bytes: aboutText(size(toDelete)),
        // {0} is the size of the whole index, in small print below that of the rows to delete.
        ofAll: l10n.t('of {0}', size(indexSize.bytes)),
      };
}

/** Never offer a retry after a failure that may hide rows. */
function mayDeleteByQueryInstead(state: TruncationState): boolean {
  return state.phase === 'failed' && state.taskId === undefined && state.ending.kind === 'failed';
}

function requestFailureView({ state, record }: WizardViewFacts): Problem | undefined {
  if (state.phase === 'failed') {
    const ended = endedStateProblem(state, record);
    return ended && problemView(ended);
  }
  const failing = 'failing' in state ? state.failing : undefined;
  // A change of the connection is no failure: its figures stay, with the reason.
  const isOutdatedOnly = 'outdated' in state && state.outdated?.reason === failing;
  return failing && !isOutdatedOnly ? problemView(failing) : undefined;
}

function truncationTaskView(record: TruncationRecord, facts: WizardViewFacts): TruncationTaskView {
  const { progress, watchProblem, now, locale, indexName } = facts;
  const formats = formatsOf(locale);
  const { sizeBefore, sizePrecision } = record;
  const status = shownStatusOf(record, now);
  const pace = status === 'running' && watchProblem === undefined ? runningText(progress, record, now) : undefined;
  const lastLook = lastCheckText(record, facts);
  const endedAt = taskEndTime(record);
  const nextStep = watchProblem === undefined ? nextStepText(record, now) : watchProblem.next;
  return {
    id: record.taskId && inPlainText(record.taskId),
    state: taskViewState(status),
    canCheck: facts.canCheck,
    isTrouble: watchProblem !== undefined,
    isSignedOut: watchProblem?.isSignedOut,
    lastLook,
    sentence: inSentence(watchProblem?.sentence ?? statusText(record, progress, now)),
    next: nextStep && inSentence(nextStep),
    percent:
      status === 'finished' ? 100 : progress?.total ? Math.min(100, (progress.done / progress.total) * 100) : undefined,
    failures: record.ending?.kind === 'failed' ? record.ending.failures.map((failure) => inPlainText(failure)) : [],
    requests: clusterRequestsOf(record, status),
    pace,
    sizeBefore: sizeBefore === undefined ? undefined : sizeText(sizeBefore, sizePrecision ?? 'exact', formats),
    merge: canMerge(record) ? { advice: mergeAdvice(), request: mergeRequest(indexName).trim() } : undefined,
    startedAt: record.sentAt,
    endedAt,
  };
}

function taskViewState(status: ReturnType<typeof shownStatusOf>): TruncationTaskView['state'] {
  switch (status) {
    case 'sending':
      return 'running';
    case 'unanswered':
    case 'lost':
      return 'unknown';
    default:
      return status;
  }
}

/** Undefined once no poll can change the outcome. After a reload, shows the count that decided it. */
function lastCheckText(record: TruncationRecord, facts: WizardViewFacts): string | undefined {
  const stored = record.readers && { at: record.readers.at, count: record.readers };
  const check = facts.lastPoll ?? stored;
  return check && facts.canCheck ? lastTruncationCheckText(record, check, facts.now, facts.timeZone) : undefined;
}

function clusterRequestsOf(
  record: TruncationRecord,
  status: ReturnType<typeof shownStatusOf>,
): TruncationTaskView['requests'] {
  if (record.ending?.kind === 'unknown' && record.ending.missing !== undefined) {
    return ['repair'];
  }
  return status === 'running' && record.taskEnd === undefined && askableTask(record) !== undefined ? ['cancel'] : [];
}

function primaryButtonView({ state, connection, locale, cautions }: WizardViewFacts): WizardPageView['primary'] {
  const isThere = connection !== undefined;
  switch (state.phase) {
    case 'editing':
    case 'dryRunning':
      return primaryButton(
        'dryRun',
        state.outdated === undefined ? l10n.t('Dry Run') : l10n.t('Dry Run Again'),
        isThere && state.phase === 'editing' && 'plan' in checkDraft(state.draft),
      );
    case 'reviewed': {
      const { review, draft } = state;
      if (!canExecute(review) || review.notice === 'tooOld') {
        return primaryButton('dryRun', l10n.t('Dry Run Again'), isThere);
      }
      const label = deleteButtonLabel(review, locale);
      return connection?.role === 'readOnly'
        ? primaryButton('execute', label, false, readOnlyReason())
        : primaryButton('execute', label, isThere && firstUnaccepted(cautions, draft.acceptedCautions) === undefined);
    }
    case 'confirming':
    case 'executing':
      return primaryButton('execute', deleteButtonLabel(state.review, locale), false);
    case 'running':
    case 'finished':
      return primaryButton('startOver', l10n.t('New Truncation'), isThere);
    case 'failed':
      return primaryButton('startOver', l10n.t('Start Over'), isThere);
  }
}

function primaryButton(
  intent: WizardPageView['primary']['intent'],
  label: string,
  enabled: boolean,
  reason?: string,
): WizardPageView['primary'] {
  return { intent, label, enabled, reason };
}

function deleteButtonLabel({ report }: DryRunReview, locale: string): string {
  if (report.rows === undefined) {
    return l10n.t('Delete Rows…');
  }
  const { toDelete } = report.rows;
  const count = formatsOf(locale).number(toDelete);
  return plural(toDelete, l10n.t('Delete {0} Row…', count), l10n.t('Delete {0} Rows…', count));
}

/** @param bytes Size of the index, if known. */
export function ageHistogramView(
  { phase, curve, failing }: AgeHistogramState,
  bytes: number | undefined,
): AgeHistogramView | undefined {
  if (phase === 'idle') {
    return undefined;
  }
  const growth = curve?.isComplete ? dailyGrowth(curve, bytes) : undefined;
  return {
    state: phase,
    samples: curve?.samples ?? [],
    total: curve?.total ?? 0,
    ahead: curve?.ahead ?? 0,
    at: curve?.at ?? 0,
    growth,
    changedMeanwhile: curve?.changedMeanwhile === true,
    failure: failing && problemView(failing),
  };
}

/** @param bytes Size of the index, if known. */
export function cutoffFitView({ goal, found }: CutoffFitState, bytes: number | undefined): CutoffFitView {
  if (found === undefined) {
    return { state: 'solving', goal, sentence: '' };
  }
  if (found.kind === 'failed') {
    return { state: 'unsolved', goal, sentence: inSentence(found.failing.sentence) };
  }
  return found.kind === 'solved'
    ? { state: 'solved', goal, sentence: solvedFitText(found, bytes) }
    : { state: 'unsolved', goal, sentence: unsolvedText(found.why, goal) };
}

function solvedFitText({ sample, isTight }: CutoffFitResult & { kind: 'solved' }, bytes: number | undefined): string {
  const { number, size } = formatsOf(language());
  const rows = number(sample.rows);
  const deletes =
    bytes === undefined
      ? plural(
          sample.rows,
          l10n.t('Cutoff filled in: {0} row would be deleted.', rows),
          l10n.t('Cutoff filled in: {0} rows would be deleted.', rows),
        )
      : plural(
          sample.rows,
          l10n.t(
            'Cutoff filled in: {0} row would be deleted, and about {1} kept.',
            rows,
            size(remainingBytes(sample, bytes)),
          ),
          l10n.t(
            'Cutoff filled in: {0} rows would be deleted, and about {1} kept.',
            rows,
            size(remainingBytes(sample, bytes)),
          ),
        );
  return isTight ? deletes : `${deletes} ${notTightText()}`;
}

function remainingBytes({ rows, total }: { readonly rows: number; readonly total: number }, bytes: number): number {
  return total === 0 ? 0 : (bytes * (total - rows)) / total;
}
