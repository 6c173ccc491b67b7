/** How much space truncations free, and need before. Rows differ in size, so all of it is about so much. Pure but for the words. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import { percentOf } from './dryRun.ts';
import type { DryRunReport } from './dryRun.ts';

/** About so many bytes of space. */
export interface Freed {
  readonly bytes: number;
  /** When, in a few words, where the deletion by itself frees nothing. */
  readonly when?: string;
}

/** What a dry run of an index found, and its size in bytes, if it is known. */
export interface Measured {
  readonly report: DryRunReport;
  readonly size: number | undefined;
}

/** A reindex by itself frees nothing. Undefined where it can't be told. */
export function freedBy({ report: { rows, strategy }, size }: Measured): Freed | undefined {
  if (rows === undefined || size === undefined || strategy === 'unknown') {
    return undefined;
  }
  const bytes = Math.round((size * percentOf(rows)) / 100);
  return strategy === 'reindex' ? { bytes, when: l10n.t('once the old index is removed') } : { bytes };
}

/** What the deletions free, and what is freed later, each in sum. */
export function freedInSum(freed: readonly Freed[]): readonly Freed[] {
  return [freed.filter(({ when }) => when === undefined), freed.filter(({ when }) => when !== undefined)].flatMap(
    (part) => {
      const bytes = part.reduce((sum, one) => sum + one.bytes, 0);
      return part[0] === undefined ? [] : [{ ...part[0], bytes }];
    },
  );
}

/** What the copies that reindexes make take in sum: no old index is removed between them. Undefined where nothing is copied. */
export function spaceNeeded(truncations: readonly Measured[]): string | undefined {
  const kept = truncations
    .filter(({ report }) => report.strategy === 'reindex')
    .map(({ report: { rows }, size }) =>
      rows === undefined || size === undefined ? undefined : (size * (100 - percentOf(rows))) / 100,
    );
  if (kept.length === 0) {
    return undefined;
  }
  if (kept.includes(undefined)) {
    return l10n.t("The copy needs disk space for a while. How much is free isn't known.");
  }
  const bytes = formatsOf(language()).size(kept.reduce<number>((sum, one = 0) => sum + one, 0));
  return kept.length === 1
    ? l10n.t("The copy needs about {0} of disk space for a while. How much is free isn't known.", bytes)
    : l10n.t("The copies need about {0} of disk space for a while. How much is free isn't known.", bytes);
}
