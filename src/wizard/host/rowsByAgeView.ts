/** Views of the rows by age and of a fitted cutoff. Pure but for the translated texts. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../language.ts';
import { inSentence } from '../../ui/foreignText.ts';
import { formatsOf } from '../../ui/formats.ts';
import { notTightText, unsolvedText, type CutOffFitResult } from '../../rowsByAge/fitSearch.ts';
import { dailyGrowth } from '../../rowsByAge/ageHistogram.ts';
import { problemView } from '../../truncation/problem.ts';
import type { CutOffFitState, AgeHistogramState } from '../../rowsByAge/ageHistogramSession.ts';
import type { FitView, RowsByAgeView } from '../protocol.ts';

/** @param bytes Size of the index, if known. */
export function rowsByAgeView(
  { phase, curve, failing }: AgeHistogramState,
  bytes: number | undefined,
): RowsByAgeView | undefined {
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
export function fitView({ goal, found }: CutOffFitState, bytes: number | undefined): FitView {
  if (found === undefined) {
    return { state: 'solving', goal, sentence: '' };
  }
  if (found.kind === 'failed') {
    return { state: 'unsolved', goal, sentence: inSentence(found.failing.sentence) };
  }
  return found.kind === 'solved'
    ? { state: 'solved', goal, sentence: solvedText(found, bytes) }
    : { state: 'unsolved', goal, sentence: unsolvedText(found.why, goal) };
}

function solvedText({ sample, isTight }: CutOffFitResult & { kind: 'solved' }, bytes: number | undefined): string {
  if (sample === undefined) {
    return l10n.t('Filled in. Run the dry run to count the rows.');
  }
  const { number, size } = formatsOf(language());
  const rows = number(sample.rows);
  const deletes =
    bytes === undefined
      ? plural(sample.rows, l10n.t('Filled in: deletes {0} row.', rows), l10n.t('Filled in: deletes {0} rows.', rows))
      : plural(
          sample.rows,
          l10n.t('Filled in: deletes {0} row and keeps about {1}.', rows, size(keptBytes(sample, bytes))),
          l10n.t('Filled in: deletes {0} rows and keeps about {1}.', rows, size(keptBytes(sample, bytes))),
        );
  return isTight ? deletes : `${deletes} ${notTightText()}`;
}

function keptBytes({ rows, total }: { readonly rows: number; readonly total: number }, bytes: number): number {
  return total === 0 ? 0 : (bytes * (total - rows)) / total;
}
