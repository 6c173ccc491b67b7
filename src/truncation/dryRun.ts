/** Reads what a server says of a truncation (PROTOCOL.md §7.2). The server's words are always kept beside it. */

/** How the server will delete; `unknown` when it does not say so in words we know. */
export type ServerStrategy = 'reindex' | 'deleteByQuery' | 'unknown';

export interface RowCounts {
  /** Rows dated at or before the cutoff. */
  readonly toDelete: number;
  readonly total: number;
}

export interface DryRunReport {
  /** The server's own words. */
  readonly serverText: string;
  /** Undefined when the text is not understood, or its counts contradict each other. */
  readonly rows: RowCounts | undefined;
  readonly strategy: ServerStrategy;
  /** False for a sentence that is no report at all, such as a refusal of the flags. */
  readonly isReport: boolean;
}

/** What locales put between groups of three digits. */
const SEPARATOR = String.raw`[.,'’٬\u00A0\u202F ]`;

/**
 * A whole number, grouped or not. It stands alone: the end of "1.25", of "-5" or of "1,34,517" is no number of rows.
 * @param name Of the group that holds it.
 */
function count(name: string): string {
  const grouped = String.raw`[1-9]\d{0,2}(?<${name}Separator>${SEPARATOR})\d{3}(?:\k<${name}Separator>\d{3})*`;
  return String.raw`(?<![\w.,'’٬−-])(?<${name}>${grouped}|\d+)(?![\w]|[.,'’٬]\d)`;
}

const ROWS = new RegExp(String.raw`\bDelete ${count('toDelete')} out of ${count('total')} rows \(([^)]*)%\)`, 'i');
/** The same in other words: "… 12 out of 340 …". */
const ROWS_SOMEHOW = new RegExp(String.raw`${count('toDelete')} (?:rows? )?out of ${count('total')}`, 'i');

export function readDryRun(serverText: string): DryRunReport {
  const counts = countsIn(serverText);
  const rows = counts !== undefined && counts.toDelete <= counts.total ? counts : undefined;
  return {
    serverText,
    rows,
    strategy: strategyFrom(serverText),
    isReport: rows !== undefined || /dry run/i.test(serverText),
  };
}

/**
 * The two counts of a dry run's text, or undefined where it holds none. Each is a search of its own, so that more rows may go than
 * there are: copies of an index that aren't refreshed alike answer in turn (PROTOCOL.md §7.8).
 */
export function countsIn(serverText: string): RowCounts | undefined {
  const text = withPlainDigits(serverText);
  const { toDelete, total } = (ROWS.exec(text) ?? ROWS_SOMEHOW.exec(text))?.groups ?? {};
  return toDelete === undefined || total === undefined ? undefined : countsFrom(toDelete, total);
}

/** Share of the rows that would go, 0 to 100, from the counts themselves; the server's own figure may be "NaN". */
export function percentOf(rows: RowCounts): number {
  return rows.total === 0 ? 0 : Math.min(100, (rows.toDelete / rows.total) * 100);
}

/** Why a repeated dry run has to be looked at again, or undefined when it promises no more than the one that was shown. */
export function regressionReason(
  shown: DryRunReport,
  repeated: DryRunReport,
): 'grew' | 'shrank' | 'strategy' | 'unreadable' | undefined {
  if (shown.rows === undefined || repeated.rows === undefined) {
    return shown.serverText === repeated.serverText ? undefined : 'unreadable';
  }
  if (repeated.rows.toDelete > shown.rows.toDelete) {
    return 'grew';
  }
  // Fewer rows than should stay: something else deletes there, or a reindex has hidden them.
  if (repeated.rows.total < shown.rows.total - shown.rows.toDelete) {
    return 'shrank';
  }
  return repeated.strategy === shown.strategy ? undefined : 'strategy';
}

function countsFrom(toDeleteText: string, totalText: string): RowCounts | undefined {
  const toDelete = Number(toDeleteText.replace(/\D/g, ''));
  const total = Number(totalText.replace(/\D/g, ''));
  return Number.isSafeInteger(toDelete) && Number.isSafeInteger(total) ? { toDelete, total } : undefined;
}

/** A server writes numbers in the digits of its own locale: "١٣٥" is 135. */
function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode keeps the digits of a script together, in order, from zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) {
    zero--;
  }
  return (code - zero) % 10;
}

function strategyFrom(text: string): ServerStrategy {
  if (/delete by query/i.test(text)) {
    return 'deleteByQuery';
  }
  return /\breindex/i.test(text) ? 'reindex' : 'unknown';
}
