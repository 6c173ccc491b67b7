/** Texts of the questions before rows are deleted. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../indices/indexName.ts';
import { type DryRunReport, percentToDelete } from './dryRun.ts';
import { type CutOffCaution } from './plan.ts';
import { stateQuestion } from './texts/aspectTexts.ts';
import { strategyTexts } from './texts/reviewTexts.ts';
import type { DryRunReview } from './state.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** Facts to know before confirming, ready to be shown. */
export interface TruncationQuestion {
  /** `entityType/aspect`, which the user has to type. */
  readonly target: string;
  /** In the user's time zone, with its name. */
  readonly cutOff: string;
  readonly caution: CutOffCaution | undefined;
  /** Undefined if the server's text was not understood. */
  readonly rows:
    | { readonly toDelete: number; readonly share: string; readonly question: string; readonly yes: string }
    | undefined;
  readonly serverText: string;
  readonly strategyMeaning: string;
  readonly isReindex: boolean;
  /** Asked first. Undefined unless the index holds state. */
  readonly state: ReturnType<typeof stateQuestion>;
}

export function truncationQuestion(
  { plan, report }: DryRunReview,
  caution: CutOffCaution | undefined,
  timeZone: string,
): TruncationQuestion {
  const { fullTime } = formatsOf(language(), timeZone);
  return {
    target: indexNameText(plan),
    cutOff: fullTime(plan.endTimeMillis),
    caution,
    rows: report.rows === undefined ? undefined : rowTexts(report.rows, indexNameText(plan)),
    serverText: report.serverText,
    strategyMeaning: strategyTexts[report.strategy].meaning(),
    isReindex: report.strategy === 'reindex',
    state: stateQuestion(plan, timeZone),
  };
}

function rowTexts(rows: NonNullable<DryRunReport['rows']>, target: string): TruncationQuestion['rows'] {
  const { number, percent } = formatsOf(language());
  const [toDelete, total] = [number(rows.toDelete), number(rows.total)];
  const share = percent(percentToDelete(rows));
  return {
    toDelete: rows.toDelete,
    share: plural(
      rows.total,
      l10n.t('{0} of {1} row ({2})', toDelete, total, share),
      l10n.t('{0} of {1} rows ({2})', toDelete, total, share),
    ),
    question: plural(
      rows.toDelete,
      l10n.t('Delete {0} row of {1}?', toDelete, target),
      l10n.t('Delete {0} rows of {1}?', toDelete, target),
    ),
    yes: plural(rows.toDelete, l10n.t('Delete {0} Row', toDelete), l10n.t('Delete {0} Rows', toDelete)),
  };
}
