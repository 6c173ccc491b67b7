/**
 * Receipt of a batch: the receipts of what was sent, one after another, then what the server refused, what was not
 * sent, and the total. In English, as each receipt is.
 */
import { indexNameText } from '../indices/indexName.ts';
import { deletedRows } from '../truncation/record.ts';
import { maskedText, truncationReceipt, type ReceiptFileFormat } from '../truncation/receipt.ts';
import { inCodeSpan } from '../ui/foreignText.ts';
import type { BatchItem } from './batchItem.ts';

/** The parts of an item that its receipt is made of. */
type ReceiptItem = Pick<BatchItem, 'draft' | 'state' | 'status'> & {
  readonly run: Pick<NonNullable<BatchItem['run']>, 'record'> | undefined;
};

/** Proposed file name, for example `truncations-2026-11-21.md`. @param now Unix time in ms. */
export function batchReceiptFileName(now: number): string {
  return `truncations-${new Date(now).toISOString().slice(0, 10)}.md`;
}

/** @param items The confirmed ones, in the order of sending. @param now Unix time in ms. */
export function batchReceipt(
  items: readonly ReceiptItem[],
  connectionName: string,
  now: number,
  format: ReceiptFileFormat,
): string {
  const receipts = items.flatMap(({ run }) =>
    run?.record === undefined ? [] : truncationReceipt(run.record, connectionName, now, format),
  );
  const unsent = items.filter(({ run }) => run?.record === undefined);
  const refused = unsent.flatMap((item) => (item.status === 'failed' ? [refusalOf(item)] : []));
  const notSent = unsent.filter(({ status }) => status !== 'failed').map(({ draft }) => indexNameText(draft));
  const deleted = items.map(({ run }) => deletedRows(run?.record));
  const rowsDeleted = deleted.reduce<number>((sum, rows = 0) => sum + rows, 0);
  const isTotalComplete = !deleted.includes(undefined);
  if (format === 'json') {
    const truncations = receipts.map((text) => JSON.parse(text) as unknown);
    return `${JSON.stringify({ truncations, refused, notSent, rowsDeleted, isTotalComplete }, undefined, 2)}\n`;
  }
  const refusals = refused.map(({ index, failure }) => [inCodeSpan(index), inCodeSpan(failure)].join(': '));
  const total = `Rows deleted: ${isTotalComplete ? '' : 'at least '}${rowsDeleted}`;
  return [
    ...receipts,
    ...section('Refused', refusals),
    ...section(
      'Not sent',
      notSent.map((name) => inCodeSpan(name)),
    ),
    ...section('Total', [total]),
  ].join('\n');
}

function refusalOf({ draft, state }: ReceiptItem): { readonly index: string; readonly failure: string } {
  const ending = state?.phase === 'failed' ? state.ending : undefined;
  const reason = ending?.kind === 'failed' && ending.reason === 'refused' ? ending.failing.sentence : undefined;
  return { index: indexNameText(draft), failure: maskedText(reason)?.foreign ?? '' };
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[`# ${title}`, '', ...lines.map((line) => `- ${line}`), ''].join('\n')];
}
