/** Sizes of a server's indices as CSV or JSON. */
import { localDateText } from '../ui/typedValues.ts';
import type { ListedIndex } from './indexList.ts';
import { inFileName } from '../ui/foreignText.ts';

/** Proposed file name, with the local date: `indices-production-2026-11-21.csv`. */
export function exportFileName(connectionName: string, moment: Date): string {
  return `${['indices', inFileName(connectionName), localDateText(moment)].filter((part) => part !== '').join('-')}.csv`;
}

/** With a header. Sizes in bytes; empty if unknown. */
export function indexSizesAsCsv(indices: readonly ListedIndex[]): string {
  const rows = indices.map((index) => [
    index.entityType ?? '',
    index.aspect ?? '',
    reportedName(index) ?? '',
    index.sizeBytes === undefined ? '' : String(Math.round(index.sizeBytes)),
  ]);
  return [['entityType', 'aspect', 'indexName', 'sizeBytes'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\r\n`)
    .join('');
}

export function indexSizesAsJson(indices: readonly ListedIndex[]): string {
  const rows = indices.map((index) => ({
    entityType: index.entityType,
    aspect: index.aspect,
    indexName: reportedName(index),
    sizeBytes: index.sizeBytes,
  }));
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

/** The name on the server, if reported. Added indices only have one made here, with a slash. */
function reportedName({ indexName, isAdded }: ListedIndex): string | undefined {
  return isAdded || indexName.includes('/') ? undefined : indexName;
}

/**
 * Names come from the server: of anything but letters, digits and the signs of index names, spreadsheets of some
 * language make another cell or a formula. JSON has them as they are.
 */
function csvCell(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._-]|^-/gu, '_');
}
