/** How an index grew, in a sentence. */
import * as l10n from '@vscode/l10n';
import { plural } from '../language.ts';
import type { SizePrecision } from '../service/indices/indexSize.ts';
import { formatsOf } from '../ui/formats.ts';
import { sizeText } from '../ui/sizeText.ts';
import type { Growth } from './growth.ts';

/** Undefined where it didn't grow. */
export function grewText(
  growth: Growth | undefined,
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
