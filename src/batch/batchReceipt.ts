/** Receipt of a batch: the receipts of what was sent, one after another, and what was not sent. */
import { indexNameText } from '../indices/indexName.ts';
import { truncationReceipt, type ReceiptFileFormat } from '../truncation/receipt.ts';
import { inCodeSpan } from '../ui/foreignText.ts';
import type { BatchItem } from './batchItem.ts';

/** The parts of an item that its receipt is made of. */
type ReceiptItem = Pick<BatchItem, 'draft'> & {
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
  const notSent = items.filter(({ run }) => run?.record === undefined).map(({ draft }) => indexNameText(draft));
  if (format === 'json') {
    const truncations = receipts.map((text) => JSON.parse(text) as unknown);
    return `${JSON.stringify({ truncations, notSent }, undefined, 2)}\n`;
  }
  const left = notSent.length === 0 ? [] : ['# Not sent', '', ...notSent.map((name) => `- ${inCodeSpan(name)}`), ''];
  return [...receipts, ...(left.length === 0 ? [] : [left.join('\n')])].join('\n');
}
