/**
 * Receipt of a job: of what was sent, one truncation after another, then what the server refused and what was not sent,
 * and of several the total. To keep or to attach to a ticket. Holds no secret. Always in English and UTC, since its
 * readers may use another language and time zone.
 */
import { indexNameText } from '../indices/indexName.ts';
import { redactSecrets } from '../service/failure/redaction.ts';
import { isValidTime } from '../ui/formats.ts';
import { inCodeSpan, inPlainText, LONGEST_SENTENCE } from '../ui/foreignText.ts';
import type { JobItem } from './jobItem.ts';
import { deletedRows, taskEndTime, statusOf, type TruncationRecord } from './sentTruncation.ts';

/** A number, a time, a word of ours, or `foreignText`. */
type ReceiptValue = string | number | undefined;

/** The parts of an item that the receipt is made of. */
type ReceiptItem = Pick<JobItem, 'record' | 'state' | 'status'>;

/**
 * @param items The confirmed ones, in the order of sending.
 * @param now Unix time in ms; decides between running and lost where no end is recorded.
 */
export function jobReceipt(items: readonly ReceiptItem[], connectionName: string, now: number): string {
  const receipts = items.flatMap(({ record }) =>
    record === undefined ? [] : truncationReceipt(record, connectionName, now),
  );
  const unsent = items.filter(({ record }) => record === undefined);
  const refused = unsent.filter(({ status }) => status === 'failed').map(refusalText);
  const notSent = unsent
    .filter(({ status }) => status !== 'failed')
    .map(({ state }) => inCodeSpan(indexNameText(state.draft)));
  const deleted = items.map(({ record }) => deletedRows(record));
  const rowsDeleted = deleted.reduce<number>((sum, rows = 0) => sum + rows, 0);
  const total = `Rows deleted: ${deleted.includes(undefined) ? 'at least ' : ''}${rowsDeleted}`;
  return [
    ...receipts,
    ...section('Refused', refused),
    ...section('Not sent', notSent),
    ...section('Total', items.length > 1 ? [total] : []),
  ].join('\n');
}

function refusalText({ state }: ReceiptItem): string {
  const reason = 'failing' in state ? state.failing?.sentence : undefined;
  return [inCodeSpan(indexNameText(state.draft)), foreignText(reason)].join(': ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[`# ${title}`, '', ...lines.map((line) => `- ${line}`), ''].join('\n')];
}

function truncationReceipt(record: TruncationRecord, connectionName: string, now: number): string {
  const lines = receiptFacts(record, connectionName, now).flatMap(([name, value]) =>
    value === undefined ? [] : `- ${name}: ${value}`,
  );
  return [`# Truncation of ${inCodeSpan(indexNameText(record.plan))}`, '', ...lines, ''].join('\n');
}

/** Name and value. */
function receiptFacts(
  record: TruncationRecord,
  connectionName: string,
  now: number,
): readonly (readonly [string, ReceiptValue])[] {
  const { plan, report, ending, taskEnd, sizeBefore } = record;
  const endedAt = taskEndTime(record);
  return [
    ['Entity type', foreignText(plan.entityType)],
    ['Aspect', foreignText(plan.aspect)],
    ['Connection', foreignText(connectionName)],
    ['Server', foreignText(record.baseUrl)],
    ['Sent by', foreignText(record.callerUrn)],
    ['Configured user', foreignText(record.actorUrn)],
    ['Cutoff (inclusive)', isoTimeText(plan.endTimeMillis)],
    ['Batch size', plan.batchSize],
    ['Timeout in seconds', plan.timeoutSeconds],
    ['Strategy chosen', plan.strategy === 'server' ? 'automatic' : plan.strategy],
    ['Strategy used', report.strategy],
    ['Rows before', report.rows?.total],
    ['Rows to delete', report.rows?.toDelete],
    ['Server response to the dry run', foreignText(report.serverText)],
    ['Dry run', isoTimeText(record.reviewedAt)],
    ['Sent', isoTimeText(record.sentAt)],
    ['Task ID', foreignText(record.taskId)],
    ['Result', statusOf(record, now)],
    ['Reason', reasonText(ending)],
    ['Server error', foreignText(serverErrorText(ending))],
    ['Rows to keep before', record.baseline?.kept],
    ['Rows to keep that searches find', record.readers?.kept],
    ['Rows to delete that searches find', record.readers?.toDelete],
    ['Counted', isoTimeText(record.readers?.at)],
    ['Rows deleted', ending?.kind === 'finished' ? ending.deleted : undefined],
    ['Version conflicts', ending?.kind === 'finished' ? ending.versionConflicts : undefined],
    ['End of the task', taskEnd?.kind],
    ['Rows that the task handled', taskEnd?.done],
    ['Rows that the task found', taskEnd?.total],
    ['Canceled on the server', foreignText(taskEnd?.cancelled)],
    ['Ended', isoTimeText(endedAt)],
    ['End first seen', endedAt === undefined ? isoTimeText(record.endedAt) : undefined],
    ['Size before in bytes', sizeBefore],
  ];
}

/** The verdict of searches, or the reason of a failure or an unknown outcome, as the journal names it. */
function reasonText(ending: TruncationRecord['ending']): string | undefined {
  switch (ending?.kind) {
    case 'finished':
      return ending.readers;
    case 'failed':
      return ending.reason;
    case 'unknown':
      return [ending.reason, ending.missing].filter((part) => part !== undefined).join(', ');
    case undefined:
      return undefined;
  }
}

function serverErrorText(ending: TruncationRecord['ending']): string | undefined {
  const { status, serverText = '' } = (ending?.kind === 'unknown' ? ending.answer : undefined) ?? {};
  return status === undefined ? undefined : `HTTP ${status} ${serverText}`;
}

/** Text from elsewhere, without secrets, as code in one line. Undefined if there is none. */
function foreignText(text: string | undefined): string | undefined {
  const masked = text && inPlainText(redactSecrets(text), LONGEST_SENTENCE);
  return masked ? inCodeSpan(masked) : undefined;
}

function isoTimeText(millis: number | undefined): string | undefined {
  return millis === undefined || !isValidTime(millis) ? undefined : new Date(millis).toISOString();
}
