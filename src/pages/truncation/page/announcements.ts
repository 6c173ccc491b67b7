/** Changes between two views: their announcement by a screen reader, and where the focus goes. */
import * as l10n from '@vscode/l10n';
import type { OutcomeView, TruncationPageView } from '../protocol.ts';

/** A new part that the user was waiting for, or `plan`: the fields, at first or after going back to them. */
export type PageArrival = 'failure' | 'outcome' | 'report' | 'plan';

/** Announce progress in steps: each poll would interrupt. In percent. */
const TOLD_STEP = 10;

/** The most important part that is new in `after`. @param before Undefined for a page that was just opened. */
export function arrivalBetween(
  before: TruncationPageView | undefined,
  after: TruncationPageView,
): PageArrival | undefined {
  if (before === undefined) {
    return after.outcome !== undefined ? 'outcome' : after.phase === 'editing' ? 'plan' : undefined;
  }
  if (
    after.failure !== undefined &&
    (before.failure?.sentence !== after.failure.sentence || before.phase !== after.phase)
  ) {
    return 'failure';
  }
  if (after.outcome !== undefined && before.outcome === undefined) {
    return 'outcome';
  }
  const hasLeft = before.report !== undefined || before.outcome !== undefined;
  if (hasLeft && before.phase !== 'dryRunning' && after.report === undefined && after.outcome === undefined) {
    return after.phase === 'editing' ? 'plan' : undefined;
  }
  const reportIsNew = before.report?.at !== after.report?.at || before.report?.notice !== after.report?.notice;
  // The dry run is repeated right before executing. Its report is news only if it needs another review.
  return after.report !== undefined && reportIsNew && after.phase === 'reviewed' ? 'report' : undefined;
}

/** Text for the live region, if worth an interruption. */
export function announcementFor(before: TruncationPageView | undefined, after: TruncationPageView): string | undefined {
  const arrival = arrivalBetween(before, after);
  if (arrival === 'failure') {
    return joinSentences(after.failure?.sentence, after.failure?.next);
  }
  if (arrival === 'report') {
    return reportSentence(after);
  }
  if (before === undefined) {
    return undefined;
  }
  if (after.outcome !== undefined && hasMoved(before.outcome, after.outcome)) {
    const { mark, headline, next } = after.outcome;
    return joinSentences(headline, mark === 'running' ? undefined : next);
  }
  return countingSentence(before, after) ?? phaseSentence(before, after);
}

/** Announces the end of counting rows. */
function countingSentence(before: TruncationPageView, { rowsByAge }: TruncationPageView): string | undefined {
  if (rowsByAge === undefined || rowsByAge.phase === before.rowsByAge?.phase) {
    return undefined;
  }
  return rowsByAge.phase === 'failed'
    ? joinSentences(rowsByAge.failing?.sentence, rowsByAge.failing?.next)
    : rowsByAge.phase === 'complete'
      ? l10n.t('Rows by age are shown.')
      : undefined;
}

function phaseSentence(before: TruncationPageView, { phase }: TruncationPageView): string | undefined {
  if (before.phase === phase) {
    return undefined;
  }
  if (phase === 'confirming') {
    return l10n.t('Waiting for your confirmation.');
  }
  return phase === 'dryRunning' || phase === 'executing' ? l10n.t('Waiting for the server…') : undefined;
}

function reportSentence({ report, cautions }: TruncationPageView): string | undefined {
  const warnings = cautions.map(({ text }) => text);
  // Without rows to delete, no strategy is used.
  const strategy = report?.rows?.toDelete ? l10n.t('Strategy: {0}', report.strategy) : undefined;
  return joinSentences(report?.notice, report?.heading, strategy, ...warnings);
}

function hasMoved(before: OutcomeView | undefined, after: OutcomeView): boolean {
  return (
    before === undefined ||
    before.mark !== after.mark ||
    // At 100 %, the end itself is news.
    (after.percent === 100 && withoutSize(before.headline) !== withoutSize(after.headline)) ||
    (after.percent !== undefined &&
      Math.floor((before.percent ?? 0) / TOLD_STEP) !== Math.floor(after.percent / TOLD_STEP))
  );
}

/** The size behind the number of rows is read again after the end, which is no news. */
function withoutSize(headline: string): string | undefined {
  return headline.split(' · ')[0];
}

function joinSentences(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}
