/** The content of the truncation page. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import { type Connection, userOf, lacksConsent } from '../../../connections/connection.ts';
import { nameWithRole, readOnlyReason } from '../../../connections/role.ts';
import { indexNameText } from '../../../indices/indexName.ts';
import { shownNameText } from '../../../indices/timeseriesAspects.ts';
import { language } from '../../../language.ts';
import type { RowsByAgeState } from '../../../rowsByAge/ageHistogram.ts';
import { isLoopbackHost } from '../../../service/http/baseUrl.ts';
import { isTrueOfRelease } from '../../../service/server/facts.ts';
import { type Caution, firstUnaccepted } from '../../../truncation/cautions.ts';
import { type DryRunReport, canExecute, type DryRunReview } from '../../../truncation/dryRun.ts';
import { type Problem, problemText, problemView } from '../../../truncation/problem.ts';
import { recordOf, type TruncationState } from '../../../truncation/state.ts';
import { bytesToDelete, lossText, scopeText, unrecoverable } from '../../../truncation/texts/consequenceTexts.ts';
import { nothingToDeleteText, noticeText } from '../../../truncation/texts/reviewTexts.ts';
import { strategyTexts } from '../../../truncation/texts/strategyTexts.ts';
import { reasonForProposedAge } from '../../../truncation/proposedCutoff.ts';
import { shortStatus } from '../../../truncation/texts/statusTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { joinSentences } from '../../../ui/textLines.ts';
import {
  cautionViews,
  connectionView,
  deleteLabel,
  deleteQuestion,
  riskFacts,
  rowsView,
  shownSize,
} from '../../kit/host/review.ts';
import type { DryRunReportView, TruncationPageView } from '../protocol.ts';
import { dryRunFacts, type OutcomeFacts, outcomeView } from './outcomeView.ts';

export interface TruncationFacts extends OutcomeFacts {
  readonly state: TruncationState;
  readonly cautions: readonly Caution[];
  readonly connection: Connection;
  readonly rowsByAge: RowsByAgeState | undefined;
  /** True if the overview of the connection is open. */
  readonly isOverviewOpen: boolean;
  /** The server lists no names, as with PostgreSQL, which tells spellings apart. */
  readonly isNamedByUser: boolean;
  readonly forceFlagsKnown: boolean;
  /** Of the server, if it says so. */
  readonly release: string | undefined;
  /** Another truncation that may have hidden rows of the index, or still runs. */
  readonly blocking?: Problem | undefined;
}

export function truncationPageView(facts: TruncationFacts): TruncationPageView {
  const { state, connection, indexSize, rowsByAge } = facts;
  const record = recordOf(state);
  // After sending, the report and a failure are part of the outcome.
  const review = record === undefined && 'review' in state ? state.review : undefined;
  return {
    phase: state.phase,
    connection: pageConnection(connection),
    indexName: shownName(facts),
    draft: state.draft,
    indexBytes: indexSize,
    proposal: reasonForProposedAge(state.draft),
    canChooseStrategy: facts.forceFlagsKnown,
    rowsByAge: rowsByAge && { ...rowsByAge, failing: rowsByAge.failing && problemView(rowsByAge.failing) },
    report: review && reportView(review, facts),
    cautions: review !== undefined && canExecute(review) ? cautionViews(facts.cautions, facts.timeZone) : [],
    failure: record === undefined ? failureView(requestFailure(state)) : undefined,
    outcome: record && outcomeView(record, facts),
    primary: primaryButton(facts),
    restore: { connectionId: connection.id, recordId: record?.id },
  };
}

/** As the user spelled it where that decides which rows are found. */
function shownName({ state: { draft }, isNamedByUser }: Pick<TruncationFacts, 'state' | 'isNamedByUser'>): string {
  return isNamedByUser ? indexNameText(draft) : shownNameText(draft);
}

/** With the connection, since indices of several have the same names, and how it stands once it was sent. */
export function truncationTabTitle(
  facts: Pick<TruncationFacts, 'connection' | 'state' | 'isNamedByUser' | 'now'>,
): string {
  const { connection, state, now } = facts;
  const title = l10n.t('Truncate {0}', l10n.t('{0} ({1})', shownName(facts), nameWithRole(connection)));
  const record = recordOf(state);
  return record === undefined ? title : `${title} · ${shortStatus(record, undefined, now)}`;
}

/** Ends with the time of the reindex: Unix time in ms. */
const MADE_BY_REINDEX = /_(\d{13})$/;

function reportView(dryRun: DryRunReview, facts: TruncationFacts): DryRunReportView {
  const { report, plan, at } = dryRun;
  const { connection, indexSize: size, timeZone } = facts;
  const isHarmless = report.rows?.toDelete === 0;
  return {
    heading: heading(report),
    scope: scopeText(plan.endTimeMillis, at, connection, timeZone),
    rows: report.rows && {
      ...rowsView(report.rows),
      size: isHarmless ? undefined : shownSize(bytesToDelete({ report, size }), size),
    },
    consequences: isHarmless
      ? undefined
      : joinSentences(lossText(plan, timeZone), unrecoverable(connection.role === 'production')),
    strategy: strategyTexts[report.strategy].name(),
    // Few decisions need them.
    details: [...riskFacts(), ...dryRunFacts(dryRun, timeZone)],
    at,
    notice: noticeText(dryRun) ?? hiddenRows(dryRun, facts),
  };
}

function heading({ rows }: DryRunReport): string {
  if (rows === undefined) {
    return l10n.t('Delete an unknown number of rows?');
  }
  return rows.toDelete === 0 ? nothingToDeleteText(rows) : deleteQuestion(rows);
}

/** A reindex can hide every row of its index, or copy none (PROTOCOL.md §7.5): the index isn't empty then. */
function hiddenRows(
  { report }: DryRunReview,
  { blocking, indexName, release, timeZone }: TruncationFacts,
): string | undefined {
  if (report.rows?.total !== 0) {
    return undefined;
  }
  const [, madeAt] = MADE_BY_REINDEX.exec(indexName ?? '') ?? [];
  if (blocking !== undefined || madeAt === undefined) {
    return blocking && problemText(blocking);
  }
  const date = formatsOf(language(), timeZone).date(Number(madeAt));
  return isTrueOfRelease('leavesIndexUnrefreshed', release) === false
    ? l10n.t(
        'This index was created by a reindex on {0}, which may have left its rows in the old index. Ask an administrator to look for them there.',
        date,
      )
    : l10n.t(
        'This index was created by a reindex on {0}, which may have hidden its rows or left them in the old index. Ask an administrator to refresh the index, or to look for them there.',
        date,
      );
}

function pageConnection(connection: Connection): TruncationPageView['connection'] {
  const { protocol, hostname } = new URL(connection.baseUrl);
  const isPlain = protocol === 'http:' && !isLoopbackHost(hostname) && !lacksConsent(connection);
  return {
    ...connectionView(connection),
    actor: inPlainText(userOf(connection)),
    warning: isPlain ? l10n.t("This connection isn't encrypted.") : undefined,
  };
}

/** Why nothing was counted or deleted, if so. */
export function requestFailure(state: TruncationState): Problem | undefined {
  return 'failing' in state ? state.failing : undefined;
}

/** Not every problem is a failure that can be reported. */
function failureView(problem: Problem | undefined): TruncationPageView['failure'] {
  return problem && { ...problemView(problem), hasDetails: problem.failure !== undefined };
}

function primaryButton(facts: TruncationFacts): TruncationPageView['primary'] {
  const { state, connection, cautions, isOverviewOpen } = facts;
  if (state.phase === 'editing' || state.phase === 'dryRunning') {
    return { intent: 'dryRun', label: l10n.t('Dry Run'), enabled: state.phase === 'editing', reason: undefined };
  }
  const isBefore = state.phase === 'reviewed' || state.phase === 'confirming' || state.phase === 'executing';
  if (!isBefore || recordOf(state) !== undefined) {
    const label = isOverviewOpen ? l10n.t('Back to Overview') : l10n.t('Close');
    return { intent: 'close', label, enabled: true, reason: undefined };
  }
  const { review, draft } = state;
  const label = deleteLabel(review.report.rows?.toDelete);
  if (state.phase !== 'reviewed') {
    return { intent: 'execute', label, enabled: false, reason: undefined };
  }
  if (review.notice === 'tooOld') {
    return { intent: 'dryRun', label: l10n.t('Dry Run Again'), enabled: true, reason: undefined };
  }
  if (!canExecute(review)) {
    return { intent: 'goBack', label: l10n.t('Back'), enabled: true, reason: undefined };
  }
  const isReadOnly = connection.role === 'readOnly';
  return {
    intent: 'execute',
    label,
    enabled: !isReadOnly && firstUnaccepted(cautions, draft.acceptedCautions) === undefined,
    reason: isReadOnly ? readOnlyReason() : undefined,
  };
}
