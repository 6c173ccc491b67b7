/** Sentences about a server's indices. */
import * as l10n from '@vscode/l10n';
import { indexNameOf } from './indexName.ts';
import type { IndexSize, SizePrecision } from '../service/indices/indexSize.ts';
import { language, plural } from '../language.ts';
import { formatsOf, sizeText } from '../ui/formats.ts';
import type { IndexGrowth } from './sizeHistory.ts';

export function isForeignIndex(index: IndexSize): boolean {
  return !index.isTotal && indexNameOf(index) === undefined;
}

/** Shown beside the name. */
export function shortForeignIndexText(): string {
  return l10n.t('may belong to another installation');
}

export function foreignIndexText(): string {
  return l10n.t("May belong to another installation: its name isn't one of this server's indices.");
}

/** @param leftOut At least 1. */
export function leftOutText(leftOut: number): string {
  const count = formatsOf(language()).number(leftOut);
  return plural(
    leftOut,
    l10n.t("{0} more index on the server isn't listed here", count),
    l10n.t("{0} more indices on the server aren't listed here", count),
  );
}

/** Undefined if it didn't grow. */
export function growthText(
  growth: IndexGrowth | undefined,
  locale: string,
  precision: SizePrecision = 'exact',
): string | undefined {
  if (growth === undefined || growth.bytes <= 0) {
    return undefined;
  }
  const formats = formatsOf(locale);
  const [bytes, days] = [sizeText(growth.bytes, precision, formats), formats.number(growth.days)];
  return plural(
    growth.days,
    l10n.t('Grew by {0} in {1} day.', bytes, days),
    l10n.t('Grew by {0} in {1} days.', bytes, days),
  );
}
