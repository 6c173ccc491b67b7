/** Reads what a server says of a truncation (spec §2 "Truncate results"; facts §5.1). The server's words are always kept beside it. */

/** How the server will delete; `unknown` when it does not say so in words we know. */
export type ServerStrategy = 'reindex' | 'deleteByQuery' | 'unknown';

export interface DryRunReport {
  /** The server's own words. */
  readonly serverText: string;
  /** Undefined when the text is not understood. */
  readonly rows: { readonly toDelete: number; readonly total: number } | undefined;
  readonly strategy: ServerStrategy;
  /** False for a sentence that is no report at all, such as a refusal of the flags. */
  readonly isReport: boolean;
}

/** Digits, grouped or not, in the ways locales group them. */
const COUNT = String.raw`(\d+(?:[.,'’\u00A0\u202F ]\d{3})*)`;
const ROWS = new RegExp(String.raw`\bDelete ${COUNT} out of ${COUNT} rows \(([^)]*)%\)`, 'i');
/** The same in other words: "… 12 out of 340 …". */
const ROWS_SOMEHOW = new RegExp(String.raw`${COUNT} (?:rows? )?out of ${COUNT}\b`, 'i');

export function readDryRun(serverText: string): DryRunReport {
  const match = ROWS.exec(serverText) ?? ROWS_SOMEHOW.exec(serverText);
  const rows = match?.[1] === undefined || match[2] === undefined ? undefined : rowsFrom(match[1], match[2]);
  return {
    serverText,
    rows,
    strategy: strategyFrom(serverText),
    isReport: rows !== undefined || /dry run/i.test(serverText),
  };
}

/** Share of the rows that would go, 0 to 100, from the counts themselves; the server's own figure may be "NaN". */
export function percentOf(rows: { readonly toDelete: number; readonly total: number }): number {
  return rows.total === 0 ? 0 : Math.min(100, (rows.toDelete / rows.total) * 100);
}

/** Why a repeated dry run has to be looked at again, or undefined when it promises no more than the one that was shown. */
export function worseThan(shown: DryRunReport, repeated: DryRunReport): 'grew' | 'strategy' | 'unreadable' | undefined {
  if (shown.rows === undefined || repeated.rows === undefined) {
    return shown.serverText === repeated.serverText ? undefined : 'unreadable';
  }
  if (repeated.rows.toDelete > shown.rows.toDelete) {
    return 'grew';
  }
  return repeated.strategy === shown.strategy ? undefined : 'strategy';
}

function rowsFrom(toDeleteText: string, totalText: string): DryRunReport['rows'] {
  const toDelete = Number(toDeleteText.replace(/\D/g, ''));
  const total = Number(totalText.replace(/\D/g, ''));
  return Number.isSafeInteger(toDelete) && Number.isSafeInteger(total) && toDelete <= total ? { toDelete, total } : undefined;
}

function strategyFrom(text: string): ServerStrategy {
  if (/delete by query/i.test(text)) {
    return 'deleteByQuery';
  }
  return /reindex/i.test(text) ? 'reindex' : 'unknown';
}
