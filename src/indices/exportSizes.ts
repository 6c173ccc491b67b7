/** Sizes of a server's indices as CSV. */
import type { ListedIndex } from './indexList.ts';

/** With a header. Sizes in bytes; empty if unknown. */
export function indexSizesAsCsv(indices: readonly ListedIndex[]): string {
  const rows = indices.map((index) => [
    index.entityType ?? '',
    index.aspect ?? '',
    reportedName(index),
    index.sizeBytes === undefined ? '' : String(Math.round(index.sizeBytes)),
  ]);
  return [['entityType', 'aspect', 'indexName', 'sizeBytes'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\r\n`)
    .join('');
}

/** The name on the server, if reported. Added indices only have one made here, with a slash. */
function reportedName({ indexName, isAdded }: ListedIndex): string {
  return isAdded || indexName.includes('/') ? '' : indexName;
}

/**
 * Names come from the server: of anything but letters, digits and the signs of index names, spreadsheets of some
 * language make another cell or a formula.
 */
function csvCell(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._-]|^-/gu, '_');
}
