/** Changes between two views: their announcement by a screen reader, and where the focus goes. */
import * as l10n from '@vscode/l10n';
import { countsText } from '../../../truncation/texts/reviewTexts.ts';
import type { WizardPageView } from '../protocol.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';

/** A new part that the user was waiting for, or `plan`: the fields, after going back to them. */
export type PageArrival = 'failure' | 'task' | 'report' | 'plan';

/** Announce progress in steps: each poll would interrupt. In percent. */
const TOLD_STEP = 10;

/**
 * The most important part that is new in `after`. In the first view only an outcome counts, because the user
 * opened the page to see it.
 */
export function arrivalBetween(before: WizardPageView | undefined, after: WizardPageView): PageArrival | undefined {
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
  if (before.report !== undefined && before.phase !== 'dryRunning' && after.report === undefined) {
    return after.phase === 'editing' ? 'plan' : undefined;
  }
  const reportIsNew = before.report?.at !== after.report?.at || before.report?.notice !== after.report?.notice;
  // The dry run is repeated right before executing. Its report is news only if it needs another review.
  return after.report !== undefined && reportIsNew && after.phase === 'reviewed' ? 'report' : undefined;
}

/** Text for the live region, if worth an interruption. */
export function announcementFor(
  before: WizardPageView | undefined,
  after: WizardPageView,
  formats: LocalizedFormats,
): string | undefined {
  const arrival = arrivalBetween(before, after);
  if (arrival === 'failure') {
    return joinSentences(after.failure?.sentence, after.failure?.next);
  }
  if (arrival === 'report') {
    return reportSentence(after, formats);
  }
  if (after.report?.outdated !== undefined && before?.report?.outdated !== after.report.outdated) {
    return after.report.outdated;
  }
  if (before !== undefined && after.task !== undefined && hasTaskMoved(before.task, after.task)) {
    const { state, isTrouble, sentence, next } = after.task;
    return joinSentences(sentence, state === 'running' && !isTrouble ? undefined : next);
  }
  const caution = before && after.cautions.find(({ kind }) => before.cautions.every((one) => one.kind !== kind));
  if (caution !== undefined) {
    return caution.text;
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

/** Announces the end of counting rows or of a fit. */
function countingSentence(before: WizardPageView, { rowsByAge, fit }: WizardPageView): string | undefined {
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

function reportSentence({ report }: WizardPageView, formats: LocalizedFormats): string | undefined {
  if (report?.rowsToDelete === undefined || report.rowsTotal === undefined || report.percent === undefined) {
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

function hasTaskMoved(before: WizardPageView['task'], after: NonNullable<WizardPageView['task']>): boolean {
  return (
    before === undefined ||
    before.state !== after.state ||
    before.isTrouble !== after.isTrouble ||
    // At 100 %, the end itself is news.
    (after.percent === 100 && before.sentence !== after.sentence) ||
    (after.percent !== undefined &&
      Math.floor((before.percent ?? 0) / TOLD_STEP) !== Math.floor(after.percent / TOLD_STEP))
  );
}

function joinSentences(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** Focuses the heading of the new part, and scrolls it into view. */
export function focusArrival(page: HTMLElement, arrival: PageArrival): void {
  if (arrival === 'plan') {
    // Going back removed its button. An edit keeps the focus where it is.
    if (document.activeElement === document.body) {
      const fields = [...page.querySelectorAll<HTMLElement>('.plan :is(input, select)')];
      (fields.find((field) => field.checkVisibility()) ?? page.querySelector<HTMLElement>('#primary'))?.focus({
        preventScroll: true,
      });
    }
    return;
  }
  const heading = page.querySelector<HTMLElement>(`#${arrival}-heading`);
  heading?.focus({ preventScroll: true });
  if (heading) {
    // The next step and the buttons of a failure are below its heading.
    scrollIntoPage(heading.closest('.callout') ?? heading, page);
  }
}

/** Scrolls the page alone: browsers' own functions would move VS Code's frames around it too, by some pixels. */
function scrollIntoPage(part: Element, page: HTMLElement): void {
  const { top, bottom } = part.getBoundingClientRect();
  const [upper = 0, lower = 0] = ['header', 'footer'].map((name) => {
    const edge = page.querySelector<HTMLElement>(name);
    return edge === null || getComputedStyle(edge).position === 'static' ? 0 : edge.offsetHeight;
  });
  const below = bottom - (window.innerHeight - lower);
  const above = top - upper;
  window.scrollBy(0, above < 0 ? above : Math.max(0, Math.min(below, above)));
}
