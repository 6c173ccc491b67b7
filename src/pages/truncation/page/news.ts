/** Decides what is announced, and what gets the focus, when a view of one truncation arrives. */
import * as l10n from '@vscode/l10n';
import { asSentence } from '../../../language.ts';
import type { PageNews } from '../../kit/page/pageElement.ts';
import type { TruncationPageView } from '../protocol.ts';

/**
 * @param firstFieldId ID of the field that sets the cutoff.
 * @param check What the check found that the user asked for last.
 */
export function newsOf(view: TruncationPageView, firstFieldId: string, check?: string): PageNews {
  const { phase, failure, outcome, report } = view;
  if (outcome !== undefined) {
    return { arrival: 'outcome', focus: 'outcome-heading', texts: outcomeTexts(phase, outcome, check) };
  }
  if (phase === 'dryRunning' || phase === 'executing') {
    // A dry run that is canceled leads nowhere new.
    return { arrival: phase === 'dryRunning' ? 'plan' : phase, texts: [l10n.t('Waiting for the server…')] };
  }
  const part = reportNews(view) ?? { arrival: 'plan', focus: firstFieldId, texts: countingTexts(view) };
  return failure === undefined || phase === 'confirming'
    ? part
    : {
        arrival: `${part.arrival} ${failure.sentence}`,
        focus: 'failure-heading',
        texts: [failure.sentence, failure.next, ...(report === undefined ? countingTexts(view) : [])],
      };
}

function outcomeTexts(
  phase: TruncationPageView['phase'],
  { mark, headline, next }: NonNullable<TruncationPageView['outcome']>,
  check: string | undefined,
): PageNews['texts'] {
  if (mark === 'running') {
    // Each poll would interrupt.
    return [phase === 'executing' ? l10n.t('Waiting for the server…') : l10n.t('Running on the server…'), check];
  }
  // The size behind the number of rows is read again after the end, which is no news.
  return [asSentence(headline.split(' · ')[0] ?? ''), next];
}

function reportNews({ phase, report, cautions }: TruncationPageView): PageNews | undefined {
  if (report === undefined) {
    return undefined;
  }
  const { at, notice, heading, rows, strategy } = report;
  // Without rows to delete, no strategy is used.
  const how = rows?.toDelete ? l10n.t('Strategy: {0}', strategy) : undefined;
  const arrival = `report ${at} ${notice ?? ''}`;
  return phase === 'confirming'
    ? { arrival: `${arrival} ${phase}`, texts: [l10n.t('Waiting for your confirmation.')] }
    : { arrival, focus: 'report-heading', texts: [notice, heading, how, ...cautions.map(({ text }) => text)] };
}

function countingTexts({ rowsByAge }: TruncationPageView): PageNews['texts'] {
  switch (rowsByAge?.phase) {
    case 'counting':
      return [l10n.t('Waiting for the server…')];
    case 'failed':
      return [rowsByAge.failing?.sentence, rowsByAge.failing?.next];
    case 'complete':
      return [l10n.t('Rows by age are shown.')];
    default:
      return [];
  }
}
