/** Sizes, which some servers report inexactly. */
import * as l10n from '@vscode/l10n';
import type { IndexSizePrecision, ReportedIndexSize } from '../service/indices/indexSize.ts';
import type { LocalizedFormats } from './formats.ts';

/** `8.1 GB`, or `about 8.1 GB` if inexact. Undefined if unknown. */
export function reportedSizeText(
  { bytes, precision }: ReportedIndexSize,
  formats: LocalizedFormats,
): string | undefined {
  return bytes === undefined ? undefined : sizeText(bytes, precision, formats);
}

/** `about 8.1 GB` for an inexact figure. */
export function aboutText(figure: string, isExact = false): string {
  return isExact ? figure : l10n.t('about {0}', figure);
}

export function sizeText(bytes: number, precision: IndexSizePrecision, { size }: LocalizedFormats): string {
  return aboutText(size(bytes), precision === 'exact');
}

/** Explains approximate or missing sizes. */
export function approximateSizesText(): string {
  return l10n.t('Sizes are approximate. This server version reports wrong sizes above 2.1 GB.');
}
