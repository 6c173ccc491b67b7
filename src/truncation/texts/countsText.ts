import * as l10n from '@vscode/l10n';
import { plural } from '../../language.ts';
import type { Formats } from '../../ui/formats.ts';

/** What a screen reader says of a dry run's counts. @param percent Undefined where it isn't told. */
export function countsText(
  {
    toDelete,
    total,
    percent,
  }: { readonly toDelete: number; readonly total: number; readonly percent: number | undefined },
  formats: Formats,
): string {
  const counts = [
    formats.number(toDelete),
    formats.number(total),
    percent === undefined ? '' : formats.percent(percent),
  ] as const;
  return plural(
    total,
    l10n.t('Dry run complete. {0} of {1} row, {2}, would be deleted.', ...counts),
    l10n.t('Dry run complete. {0} of {1} rows, {2}, would be deleted.', ...counts),
  );
}
