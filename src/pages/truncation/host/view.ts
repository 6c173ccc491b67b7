/** The content of the truncation page. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import { type Connection, userOf } from '../../../connections/connection.ts';
import { lacksConsent } from '../../../connections/plainHttpConsent.ts';
import { nameWithRole, readOnlyReason } from '../../../connections/role.ts';
import { indexNameText } from '../../../indices/indexName.ts';
import { language } from '../../../language.ts';
import { MOST_DRY_RUNS } from '../../../rowsByAge/ageHistogram.ts';
import type { RowsByAgeState } from '../../../rowsByAge/rowsByAge.ts';
import { isLoopbackHost } from '../../../service/http/baseUrl.ts';
import { firstUnaccepted } from '../../../truncation/cautions.ts';
import { type Problem, problemView } from '../../../truncation/outcome.ts';
import { canExecute } from '../../../truncation/state.ts';
import { cutoffProposalFor } from '../../../truncation/texts/consequenceTexts.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { cautionText } from '../../../truncation/texts/reviewTexts.ts';
import { shortStatus } from '../../../truncation/texts/statusTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { connectionView, deleteLabel } from '../../kit/host/review.ts';
import type { RowsByAgeView, TruncationPageView } from '../protocol.ts';
import type { TruncationFacts } from './facts.ts';
import { outcomeView } from './outcomeView.ts';
import { reportView } from './reportView.ts';

export function truncationPageView(facts: TruncationFacts): TruncationPageView {
  const { state, connection, record, indexSize, timeZone } = facts;
  const review = 'review' in state ? state.review : undefined;
  // After sending, a failure is part of the outcome.
  const failure = record === undefined ? requestFailure(facts) : undefined;
  const isBeforeSending = record === undefined;
  const rowsByAge = facts.rowsByAge && rowsByAgeView(facts.rowsByAge);
  return {
    phase: state.phase,
    connection: pageConnection(connection),
    draft: state.draft,
    indexBytes: indexSize,
    proposal: cutoffProposalFor(state.draft)?.reason,
    canChooseStrategy: facts.forceFlagsKnown,
    rowsByAge,
    report: review && isBeforeSending ? reportView(review, facts) : undefined,
    cautions:
      review !== undefined && isBeforeSending && canExecute(review)
        ? facts.cautions.map((one) => ({
            kind: one.kind,
            text: cautionText(one, formatsOf(language(), timeZone)),
          }))
        : [],
    failure,
    outcome: record && outcomeView(record, facts),
    primary: primaryButton(facts),
    restore: { connectionId: connection.id, recordId: facts.record?.id },
  };
}

/** With the connection, since indices of several have the same names, and how it stands once it was sent. */
export function truncationTabTitle({
  connection,
  state,
  record,
  now,
}: Pick<TruncationFacts, 'connection' | 'state' | 'record' | 'now'>): string {
  const title = l10n.t('Truncate {0}', l10n.t('{0} ({1})', indexNameText(state.draft), nameWithRole(connection)));
  return record === undefined ? title : `${title} · ${shortStatus(record, undefined, now)}`;
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

function requestFailure({ state, record }: TruncationFacts): Problem | undefined {
  if (state.phase === 'failed') {
    const ended = endedStateProblem(state, record);
    return ended && problemView(ended);
  }
  const failing = 'failing' in state ? state.failing : undefined;
  return failing && problemView(failing);
}

function primaryButton(facts: TruncationFacts): TruncationPageView['primary'] {
  const { state, connection, cautions, record, isOverviewOpen } = facts;
  if (state.phase === 'editing' || state.phase === 'dryRunning') {
    return { intent: 'dryRun', label: l10n.t('Dry Run'), enabled: state.phase === 'editing', reason: undefined };
  }
  const isBefore = state.phase === 'reviewed' || state.phase === 'confirming' || state.phase === 'executing';
  if (!isBefore || (state.phase === 'executing' && record !== undefined)) {
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

function rowsByAgeView({ phase, histogram, failing }: RowsByAgeState): RowsByAgeView {
  const samples = histogram?.samples ?? [];
  return {
    state: phase,
    samples,
    total: histogram?.total ?? 0,
    at: histogram?.at ?? 0,
    left: phase === 'complete' ? MOST_DRY_RUNS : MOST_DRY_RUNS - samples.length,
    changedMeanwhile: histogram?.changedMeanwhile === true,
    failure: failing && problemView(failing),
  };
}
