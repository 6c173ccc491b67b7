/** How an index grows, in a sentence. */
import * as l10n from '@vscode/l10n';
import { formatsOf } from '../ui/formats.ts';
import type { Growth } from './growth.ts';

/** Undefined where it doesn't grow. */
export function growsText(growth: Growth | undefined, locale: string): string | undefined {
  return growth !== undefined && growth.bytesPerMonth > 0
    ? l10n.t('Grows by about {0} a month.', formatsOf(locale).size(growth.bytesPerMonth))
    : undefined;
}
