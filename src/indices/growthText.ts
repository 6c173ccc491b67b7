/** How an index grows, in sentences. */
import * as l10n from '@vscode/l10n';
import { formatsOf } from '../ui/formats.ts';
import { DAYS_PER_MONTH, nextReached } from './growth.ts';
import type { Growth } from './growth.ts';

/** Undefined where it doesn't grow. */
export function growsText({ bytesPerMonth }: Growth, locale: string): string | undefined {
  return bytesPerMonth > 0 ? l10n.t('Grows by about {0} a month.', formatsOf(locale).size(bytesPerMonth)) : undefined;
}

/** Which size it reaches next, and when; undefined where that can't be told. */
export function reachesText(growth: Growth, bytes: number, locale: string): string | undefined {
  const next = nextReached(bytes, growth);
  if (next === undefined) {
    return undefined;
  }
  const { size, relative } = formatsOf(locale);
  const months = Math.round(next.days / DAYS_PER_MONTH);
  return l10n.t(
    'At this rate, it reaches {0} {1}.',
    size(next.bytes),
    months < 2 ? relative(next.days, 'day') : relative(months, 'month'),
  );
}
