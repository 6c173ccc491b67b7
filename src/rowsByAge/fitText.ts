/** What is said of a cut-off that was looked for by a limit. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import type { FitGoal } from './fit.ts';
import { MOST_FIT_DRY_RUNS } from './fitSearch.ts';
import type { Fit } from './fitSearch.ts';

/** Of one that keeps its bound, where it isn't known whether a day more would. */
export function notTightText(): string {
  return l10n.t("Whether a later or earlier day fits better isn't known.");
}

/** Why a cut-off can't be found by a size. */
export function sizeLimitRefusal(): string {
  return l10n.t("Can't limit by size: this server version reports wrong sizes above 2.1 GB. Limit days or rows.");
}

/** Why there is none. */
export function unsolvedText(why: (Fit & { kind: 'unsolved' })['why'], goal: FitGoal): string {
  const { size } = formatsOf(language());
  switch (why) {
    case 'withinBound':
      return goal.kind === 'keepBytes'
        ? l10n.t("The index isn't larger than that.")
        : l10n.t('No more rows than your limit are older than a day.');
    case 'notReachable':
      return goal.kind === 'keepBytes'
        ? l10n.t('The rows of the last day alone take more than {0}.', size(goal.bytes))
        : l10n.t('The oldest day alone has more rows than that.');
    case 'noRows':
      return l10n.t('There are no rows to delete.');
    case 'sizeUnknown':
      return l10n.t("The size of the index isn't known.");
    case 'sizeApproximate':
      return sizeLimitRefusal();
    case 'unknown':
      return l10n.t('No cut-off was found within {0} dry runs.', MOST_FIT_DRY_RUNS);
  }
}
