/** Index sizes as a file. */
import type { ListedIndex } from './indexList.ts';
import { inFileName } from '../ui/foreignText.ts';
import { localDate } from '../ui/localTimeText.ts';
import { leftOutText } from './indexTexts.ts';

/** The name that is proposed for the file: `indices-production-2026-11-21.csv`, by the person's own date. */
export function exportFileName(connectionName: string, moment: Date): string {
  return `${['indices', inFileName(connectionName), localDate(moment)].filter((part) => part !== '').join('-')}.csv`;
}

/**
 * RFC 4180, a header first. Sizes in bytes, and whether they are exact or approximate; empty where they are not known.
 * @param leftOut How many more the server lists: whoever reads the file must not take it for everything.
 */
export function asCsv(indices: readonly ListedIndex[], leftOut = 0): string {
  const rows = indices.map((index) => [
    index.entityType ?? '',
    index.aspect ?? '',
    nameTold(index) ?? '',
    index.sizeBytes === undefined ? '' : String(Math.round(index.sizeBytes)),
    index.sizeBytes === undefined ? '' : index.precision,
  ]);
  const rest = leftOut > 0 ? [['', '', leftOutText(leftOut), '', '']] : [];
  return [['entityType', 'aspect', 'indexName', 'sizeBytes', 'precision'], ...rows, ...rest]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
}

export function asJson(indices: readonly ListedIndex[], leftOut = 0): string {
  const rows = indices.map((index) => ({
    entityType: index.entityType,
    aspect: index.aspect,
    indexName: nameTold(index),
    sizeBytes: index.sizeBytes,
    precision: index.sizeBytes === undefined ? undefined : index.precision,
  }));
  return `${JSON.stringify(leftOut > 0 ? [...rows, { leftOut }] : rows, undefined, 2)}\n`;
}

/** The index's name where the server told it. One that was made here, which has a slash, belongs in no file. */
function nameTold({ indexName, isAdded }: ListedIndex): string | undefined {
  return isAdded || indexName.includes('/') ? undefined : indexName;
}

/** Separators of cells in spreadsheets of some language, wherever in a cell they stand. */
const SEPARATOR = /[,;|\t\r\n，；｜]/.source;
/** Spreadsheets drop these before they look for a formula. */
const SKIPPED = /[\p{Z}\p{Cf}"']*/u.source;
/** Begins a formula, also as a full-width form; a tab or the end of a line moves to where one begins. */
const SIGN = /[=+\-@\t\r\n＝＋－＠\u2212]/.source;
const FORMULA = new RegExp(`(?=${SIGN})(?<=(?:^|${SEPARATOR})${SKIPPED})`, 'gu');

/**
 * Always quoted, since which text needs quotes depends on the separator that a spreadsheet expects. An apostrophe takes the meaning
 * of a sign that begins a formula, after a separator too: names are a server's text.
 */
function cell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}
