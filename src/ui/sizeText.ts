/** Sizes as servers report them, some of which may be wrong. */
import * as l10n from '@vscode/l10n';
import type { ReportedSize, SizePrecision } from '../service/indices/indexSize.ts';
import type { Formats } from './formats.ts';

/** `8.1 GB`, or `about 8.1 GB` where it may be wrong. Undefined if it isn't known. */
export function reportedSizeText({ bytes, precision }: ReportedSize, formats: Formats): string | undefined {
  return bytes === undefined ? undefined : sizeText(bytes, precision, formats);
}

export function sizeText(bytes: number, precision: SizePrecision, { size }: Formats): string {
  return precision === 'exact' ? size(bytes) : l10n.t('about {0}', size(bytes));
}

/** Why sizes are approximate, or missing. */
export function approximateSizesText(): string {
  return l10n.t('Sizes are approximate. This server version reports wrong sizes above 2.1 GB.');
}
