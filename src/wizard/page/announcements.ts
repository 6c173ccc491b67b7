/** What is new in a view: what a screen reader is told, and where the keyboard goes. Pure, so that "once, and not too often" is tested. */
import * as l10n from '@vscode/l10n';
import { countsText } from '../../truncation/texts/reviewTexts.ts';
import type { WizardView } from '../protocol.ts';
import type { Formats } from '../../ui/formats.ts';

/** A part of the page that just appeared and that a person waited for. */
export type PageArrival = 'failure' | 'task' | 'report';

/** Progress is told in steps of this many percent: each poll would talk over everything else. */
const TOLD_STEP = 10;

/**
 * The most important part that `after` has and `before` had not. In the first view that is what became of a truncation that was sent:
 * the person opened the page for it.
 */
export function arrivalIn(before: WizardView | undefined, after: WizardView): PageArrival | undefined {
  if (before === undefined) {
    return after.task === undefined ? undefined : 'task';
  }
  if (
    after.failure !== undefined &&
    (before.failure?.sentence !== after.failure.sentence || before.phase !== after.phase)
  ) {
    return 'failure';
  }
  if (after.task !== undefined && before.task === undefined) {
    return 'task';
  }
  const reportIsNew = before.report?.at !== after.report?.at || before.report?.notice !== after.report?.notice;
  // Just before executing the dry run is repeated: its report is news only where it has to be looked at again.
  return after.report !== undefined && reportIsNew && after.phase === 'reviewed' ? 'report' : undefined;
}

/** The sentence for the live region, or undefined when nothing is worth interrupting for. */
export function announcementFor(
  before: WizardView | undefined,
  after: WizardView,
  formats: Formats,
): string | undefined {
  const arrival = arrivalIn(before, after);
  if (arrival === 'failure') {
    return joinSentences(after.failure?.sentence, after.failure?.next);
  }
  if (arrival === 'report') {
    return reportSentence(after, formats);
  }
  if (before !== undefined && after.task !== undefined && taskMoved(before.task, after.task)) {
    const { state, isTrouble, sentence, next } = after.task;
    return joinSentences(sentence, state === 'running' && !isTrouble ? undefined : next);
  }
  if (before !== undefined && after.caution !== undefined && before.caution?.kind !== after.caution.kind) {
    return after.caution.text;
  }
  const counted = before === undefined ? undefined : countingSentence(before, after);
  if (counted !== undefined) {
    return counted;
  }
  if (before === undefined || before.phase === after.phase) {
    return undefined;
  }
  if (after.phase === 'confirming') {
    return l10n.t('Confirm in the prompt above to continue.');
  }
  return after.phase === 'dryRunning' || after.phase === 'executing' ? l10n.t('Waiting for the server…') : undefined;
}

/** What counting rows by age, or looking for a cut-off, came to. */
function countingSentence(before: WizardView, { rowsByAge, fit }: WizardView): string | undefined {
  if (fit !== undefined && fit.sentence !== '' && fit.sentence !== before.fit?.sentence) {
    return fit.sentence;
  }
  if (rowsByAge === undefined || rowsByAge.state === before.rowsByAge?.state) {
    return undefined;
  }
  switch (rowsByAge.state) {
    case 'loading':
      return l10n.t('Waiting for the server…');
    case 'failed':
      return joinSentences(rowsByAge.failure?.sentence, rowsByAge.failure?.next);
    case 'complete':
      return l10n.t('Rows by age are shown.');
    case 'stopped':
      return undefined;
  }
}

function reportSentence({ report }: WizardView, formats: Formats): string | undefined {
  if (report?.rowsToDelete === undefined || report.rowsTotal === undefined) {
    return joinSentences(
      report?.notice,
      l10n.t("This extension couldn't interpret the server's response. Read it before continuing."),
      report?.serverText,
    );
  }
  const { rowsToDelete: toDelete, rowsTotal: total, percent } = report;
  const counts = countsText({ toDelete, total, percent }, formats);
  return joinSentences(report.notice, counts, l10n.t('Strategy: {0}', report.strategy));
}

function taskMoved(before: WizardView['task'], after: NonNullable<WizardView['task']>): boolean {
  return (
    before === undefined ||
    before.state !== after.state ||
    before.isTrouble !== after.isTrouble ||
    // All rows are handled: what is new now is that the task is over.
    (after.percent === 100 && before.sentence !== after.sentence) ||
    (after.percent !== undefined &&
      Math.floor((before.percent ?? 0) / TOLD_STEP) !== Math.floor(after.percent / TOLD_STEP))
  );
}

function joinSentences(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** Goes to the heading of what arrived. That and the primary button are brought in sight where both fit; else the heading. */
export function goToArrival(page: HTMLElement, arrival: PageArrival): void {
  page.querySelector('#primary')?.scrollIntoView({ block: 'nearest' });
  page.querySelector<HTMLElement>(`#${arrival}-heading`)?.focus();
}
