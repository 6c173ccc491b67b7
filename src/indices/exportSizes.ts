/** Sizes of a server's indices as CSV or JSON. */
import { localDateText } from '../ui/typedValues.ts';
import type { ListedIndex } from './indexList.ts';
import { inFileName } from '../ui/foreignText.ts';

/** Proposed file name, with the local date: `indices-production-2026-11-21.csv`. */
export function exportFileName(connectionName: string, moment: Date): string {
  return `${['indices', inFileName(connectionName), localDateText(moment)].filter((part) => part !== '').join('-')}.csv`;
}

/** RFC 4180 with a header. Sizes in bytes; empty if unknown. */
export function indexSizesAsCsv(indices: readonly ListedIndex[]): string {
  const rows = indices.map((index) => [
    index.entityType ?? '',
    index.aspect ?? '',
    reportedName(index) ?? '',
    index.sizeBytes === undefined ? '' : String(Math.round(index.sizeBytes)),
  ]);
  return [['entityType', 'aspect', 'indexName', 'sizeBytes'], ...rows]
    .map((row) => `${row.map(quotedCsvCell).join(',')}\r\n`)
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

/** Compiled on first use: Unicode classes are slow to compile, and only an export needs them. */
let formulaStart: RegExp | undefined;

function createFormulaStart(): RegExp {
  // Cell separators of spreadsheets in any language.
  const separator = /[,;|\t\r\n，；｜]/.source;
  // Spreadsheets skip these before a formula.
  const skipped = /[\p{Z}\p{Cf}"']*/u.source;
  // Begins a formula, also in full width. A tab or line break moves to a new cell.
  const sign = /[=+\-@\t\r\n＝＋－＠\u2212]/.source;
  return new RegExp(`(?=${sign})(?<=(?:^|${separator})${skipped})`, 'gu');
}

/**
 * Always quoted: the separator varies. An apostrophe defuses a formula, also after a separator, since names
 * come from the server.
 */
function quotedCsvCell(text: string): string {
  formulaStart ??= createFormulaStart();
  return `"${text.replace(formulaStart, "'").replaceAll('"', '""')}"`;
}
