/**
 * Receipt of a job: of what was sent, one truncation after another, then what the server refused, what was not sent, and
 * the total. To keep or to attach to a ticket. Holds no secret. Always in English and UTC, since its readers may use
 * another language and time zone.
 */
import { indexNameText } from '../indices/indexName.ts';
import { knownSecrets } from '../service/failure/secret.ts';
import { redactSecrets } from '../service/failure/redaction.ts';
import { isValidTime } from '../ui/formats.ts';
import { inCodeSpan, inFileName, inPlainText, LONGEST_SENTENCE } from '../ui/foreignText.ts';
import type { JobItem } from './jobItem.ts';
import { deletedRows, taskEndTime, keptBefore, shownStatusOf, type TruncationRecord } from './record.ts';

/** A number, a time or a word of ours. */
type PlainValue = string | number | undefined;

/** Text from elsewhere, without secrets. */
interface ForeignValue {
  readonly foreign: string;
}

type ReceiptValue = PlainValue | ForeignValue;

/** Proposed file name, for example `truncation-dataset-operation-2026-11-21.md`. */
export function receiptFileName({ plan, sentAt }: TruncationRecord): string {
  const day = isoTimeText(sentAt)?.slice(0, 10) ?? '';
  const name = ['truncation', inFileName(plan.entityType), inFileName(plan.aspect), day].filter((part) => part !== '');
  return `${name.join('-')}.md`;
}

/** The parts of an item that the receipt is made of. */
type ReceiptItem = Pick<JobItem, 'record' | 'state' | 'status'>;

/** Proposed file name, for example `truncations-2026-11-21.md`. @param now Unix time in ms. */
export function jobReceiptFileName(now: number): string {
  return `truncations-${new Date(now).toISOString().slice(0, 10)}.md`;
}

/** @param items The confirmed ones, in the order of sending. @param now Unix time in ms. */
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
    ...section('Total', [total]),
  ].join('\n');
}

function refusalText({ state }: ReceiptItem): string {
  const ending = state.phase === 'failed' ? state.ending : undefined;
  const reason = ending?.kind === 'failed' && ending.reason === 'refused' ? ending.failing.sentence : undefined;
  return [inCodeSpan(indexNameText(state.draft)), inCodeSpan(maskedText(reason)?.foreign ?? '')].join(': ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[`# ${title}`, '', ...lines.map((line) => `- ${line}`), ''].join('\n')];
}

/** @param now Unix time in ms; decides between running and lost where no end is recorded. */
export function truncationReceipt(record: TruncationRecord, connectionName: string, now: number): string {
  const lines = receiptFacts(record, connectionName, now).flatMap(([name, value]) =>
    value === undefined ? [] : `- ${name}: ${valueInMarkdown(value)}`,
  );
  return [`# Truncation of ${inCodeSpan(indexNameText(record.plan))}`, '', ...lines, ''].join('\n');
}

function valueInMarkdown(value: ReceiptValue): string {
  return typeof value === 'object' ? inCodeSpan(value.foreign) : String(value);
}

/** Name and value. */
function receiptFacts(
  record: TruncationRecord,
  connectionName: string,
  now: number,
): readonly (readonly [string, ReceiptValue])[] {
  const { plan, report, ending, sizeBefore } = record;
  const endedAt = taskEndTime(record);
  return [
    ['Entity type', maskedText(plan.entityType)],
    ['Aspect', maskedText(plan.aspect)],
    ['Connection', maskedText(connectionName)],
    ['Server', maskedText(record.baseUrl)],
    ['Sent by', maskedText(record.callerUrn)],
    ['Configured user', maskedText(record.actorUrn)],
    ['Cutoff (inclusive)', isoTimeText(plan.endTimeMillis)],
    ['Batch size', plan.batchSize],
    ['Timeout in seconds', plan.timeoutSeconds],
    ['Strategy chosen', plan.strategy === 'server' ? 'automatic' : plan.strategy],
    ['Strategy used', report.strategy],
    ['Rows before', report.rows?.total],
    ['Rows to delete', report.rows?.toDelete],
    ['Server response to the dry run', maskedText(report.serverText)],
    ['Dry run', isoTimeText(record.reviewedAt)],
    ['Sent', isoTimeText(record.sentAt)],
    ['Task ID', maskedText(record.taskId)],
    ['Result', truncationResult(record, now)],
    ['Searches', searchResult(record)],
    ['Rows to keep before', keptBefore(record)],
    ['Rows to keep that searches find', record.readers?.kept],
    ['Rows to delete that searches find', record.readers?.toDelete],
    ['Counted', isoTimeText(record.readers?.at)],
    ['Rows deleted', ending?.kind === 'finished' ? ending.deleted : undefined],
    ['Version conflicts', ending?.kind === 'finished' ? ending.versionConflicts : undefined],
    ['Failure', maskedText(failureText(record))],
    ['Ended', isoTimeText(endedAt)],
    ['End first seen', endedAt === undefined ? isoTimeText(record.endedAt) : undefined],
    ['Size before in bytes', sizeBefore],
  ];
}

function truncationResult(record: TruncationRecord, now: number): string {
  const status = shownStatusOf(record, now);
  return status === 'unanswered' ? 'unknown' : status;
}

/** Why it failed, or isn't known to have finished. */
function failureText(record: TruncationRecord): string | undefined {
  const { ending, taskEnd } = record;
  if (ending === undefined || ending.kind === 'finished') {
    return undefined;
  }
  switch (ending.reason) {
    case 'refused':
      return ending.failing.sentence;
    case 'stopped':
      return joined(taskText(taskEnd), `rows left to delete: ${ending.rowsLeft ?? 'unknown'}`);
    case 'neverBegan':
    case 'endedEarly':
      return taskText(taskEnd) ?? 'the task changed no row';
    case 'writesRefused':
      return 'the cluster refused writes';
    case 'lost': {
      const { status, serverText = '' } = ending.answer ?? {};
      return status === undefined ? 'no response' : `the server reported an error: HTTP ${status} ${serverText}`;
    }
    case 'lostInTime':
      return 'no response in time';
    case 'rowsHidden':
      return 'the reindex failed and may have hidden rows';
    case 'missing':
      return ending.missing === 'copiesDisagree'
        ? 'copies of the index disagree'
        : `searches find ${ending.found?.kept ?? 'some'} of ${keptBefore(record) ?? 'all'} rows to keep`;
    case 'notCounted':
      return joined(taskText(taskEnd), 'the rows could not be counted');
    case 'superseded':
      return 'not counted: a later truncation of the index was sent';
  }
}

function taskText(taskEnd: TruncationRecord['taskEnd']): string | undefined {
  const { kind, cancelled, done, total } = taskEnd ?? {};
  if (cancelled !== undefined) {
    return cancelled === '' ? 'canceled on the server' : `canceled on the server: ${cancelled}`;
  }
  switch (kind) {
    case undefined:
      return undefined;
    case 'gone':
      return 'the server no longer knows the task';
    case 'neverBegan':
      return 'the task changed no row';
    case 'whole':
      return 'the task is finished';
    case 'short':
      return total === undefined ? 'the task failed' : `the task ended after ${done ?? 0} of ${total} rows`;
  }
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('; ');
}

/** Result of comparing searches with the plan, if known. */
function searchResult(record: TruncationRecord): string | undefined {
  const { ending } = record;
  switch (ending?.kind) {
    case 'finished':
      return { clean: 'as planned', rowsLeft: 'rows left', notChecked: 'not checked' }[ending.readers];
    case 'failed':
      return ending.readers && 'rows to keep are there';
    case 'unknown':
      return (
        ending.missing &&
        {
          notRefreshed: 'rows missing: the index is not refreshed',
          notCopied: 'rows missing: not copied',
          notRefreshedOrCopied: 'rows missing: not refreshed or not copied',
          notAvailable: 'rows missing: not available, or deleted by another job',
          copiesDisagree: 'copies of the index disagree',
        }[ending.missing]
      );
    case undefined:
      return undefined;
  }
}

/** Foreign text in one line without secrets, if any. */
function maskedText(text: string | undefined): ForeignValue | undefined {
  const foreign = text && inPlainText(redactSecrets(text, knownSecrets()), LONGEST_SENTENCE);
  return foreign ? { foreign } : undefined;
}

function isoTimeText(millis: number | undefined): string | undefined {
  return millis === undefined || !isValidTime(millis) ? undefined : new Date(millis).toISOString();
}
