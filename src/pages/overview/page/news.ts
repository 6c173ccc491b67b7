/** Decides what is announced, and what gets the focus, when a view of the overview arrives. */
import * as l10n from '@vscode/l10n';
import { asSentence } from '../../../language.ts';
import type { PageNews } from '../../kit/page/pageElement.ts';
import type { OverviewPageView } from '../protocol.ts';
import { AGE_ID } from './choose.ts';
import { JOB_HEADING_ID } from './job.ts';

export function newsOf({
  job: { phase, items, sum, question, tally, outcome, current },
  rows,
  failure,
}: Pick<OverviewPageView, 'job' | 'rows' | 'failure'>): PageNews {
  const focus = JOB_HEADING_ID;
  switch (phase) {
    case 'choosing': {
      const texts = [failure?.headline && asSentence(failure.headline), failure?.sentence, failure?.next];
      // The age is there once there are rows.
      return rows.length === 0 ? { arrival: 'empty', texts } : { arrival: phase, focus: AGE_ID, texts };
    }
    case 'dryRunning':
      return { arrival: phase, focus, texts: [l10n.t('counting…')] };
    case 'planned':
      return {
        arrival: phase,
        focus,
        texts: [asSentence(question), tally, ...(sum.count === 0 ? reasonsOf(items) : [])],
      };
    case 'confirming':
      // A no leads back to the button.
      return { arrival: `planned ${phase}`, texts: [] };
    case 'executing':
      return { arrival: phase, focus, texts: [current?.name] };
    case 'ended':
      return { arrival: phase, focus, texts: [outcome?.headline] };
  }
}

/** The distinct reasons why indices aren't in the plan. */
function reasonsOf(items: OverviewPageView['job']['items']): string[] {
  const reasons = items.flatMap(({ remark, cautions }) => [
    ...cautions.map(({ text }) => text),
    ...(remark ? [remark] : []),
  ]);
  return [...new Set(reasons)].map(asSentence);
}
