/**
 * Receipt of a truncation that was sent, to keep or to attach to a ticket. Holds no secret.
 * Always in English and UTC, since its readers may use another language and time zone.
 */
import { indexNameText } from '../../indices/indexName.ts';
import { knownSecrets } from '../../service/failure/secret.ts';
import { redactSecrets } from '../../service/failure/redaction.ts';
import { isValidTime } from '../../ui/formats.ts';
import { inFileName, inMarkdown, inPlainText, LONGEST_SENTENCE } from '../../ui/foreignText.ts';
import { taskEndTime, keptBefore, shownStatusOf, type TruncationRecord } from '../../truncation/record.ts';

export type ReceiptFileFormat = 'markdown' | 'json';

type ReceiptValue = string | number | undefined;

/** Proposed file name, for example `truncation-dataset-operation-2026-11-21.md`. */
export function receiptFileName({ plan, sentAt }: TruncationRecord): string {
  const day = isoTimeText(sentAt)?.slice(0, 10) ?? '';
  const name = ['truncation', inFileName(plan.entityType), inFileName(plan.aspect), day].filter((part) => part !== '');
  return `${name.join('-')}.md`;
}

/** @param now Unix time in ms; decides between running and lost where no end is recorded. */
export function truncationReceipt(
  record: TruncationRecord,
  connectionName: string,
  now: number,
  format: ReceiptFileFormat,
): string {
  const facts = receiptFacts(record, connectionName, now).filter(([, , value]) => value !== undefined);
  if (format === 'json') {
    return `${JSON.stringify(Object.fromEntries(facts.map(([key, , value]) => [key, value])), undefined, 2)}\n`;
  }
  const rows = facts.map(([, name, value]) => `| ${name} | ${typeof value === 'string' ? inMarkdown(value) : value} |`);
  return [`# Truncation of ${inMarkdown(indexNameText(record.plan))}`, '', '| | |', '|---|---|', ...rows, ''].join(
    '\n',
  );
}

/** Key in JSON, name in Markdown, and value. */
function receiptFacts(
  record: TruncationRecord,
  connectionName: string,
  now: number,
): readonly (readonly [string, string, ReceiptValue])[] {
  const { plan, report, ending, sizeBefore, sizePrecision, laterSize } = record;
  const endedAt = taskEndTime(record);
  return [
    ['entityType', 'Entity type', plan.entityType],
    ['aspect', 'Aspect', plan.aspect],
    ['connection', 'Connection', maskedPlainText(connectionName)],
    ['server', 'Server', maskedPlainText(record.baseUrl)],
    ['sentBy', 'Sent by', maskedPlainText(record.callerUrn)],
    ['actor', 'Configured user', maskedPlainText(record.actorUrn)],
    ['cutOff', 'Cut-off (inclusive)', isoTimeText(plan.endTimeMillis)],
    ['batchSize', 'Batch size', plan.batchSize],
    ['timeoutSeconds', 'Timeout in seconds', plan.timeoutSeconds],
    ['strategyChosen', 'Strategy chosen', plan.strategy === 'server' ? 'automatic' : plan.strategy],
    ['strategyUsed', 'Strategy used', report.strategy],
    ['rowsBefore', 'Rows before', report.rows?.total],
    ['rowsToDelete', 'Rows to delete', report.rows?.toDelete],
    ['dryRun', 'Server response to the dry run', maskedPlainText(report.serverText)],
    ['dryRunAt', 'Dry run', isoTimeText(record.reviewedAt)],
    ['sentAt', 'Sent', isoTimeText(record.sentAt)],
    ['taskId', 'Task ID', maskedPlainText(record.taskId)],
    ['result', 'Result', truncationResult(record, now)],
    ['searches', 'Searches', searchResult(record)],
    ['keptBefore', 'Rows to keep before', keptBefore(record)],
    ['keptFound', 'Rows to keep that searches find', record.readers?.kept],
    ['deletedFound', 'Rows to delete that searches find', record.readers?.toDelete],
    ['countedAt', 'Counted', isoTimeText(record.readers?.at)],
    ['rowsDeleted', 'Rows deleted', ending?.kind === 'finished' ? ending.deleted : undefined],
    ['rowsKept', 'Rows kept because they changed', ending?.kind === 'finished' ? ending.versionConflicts : undefined],
    [
      'failure',
      'Failure',
      ending === undefined || ending.kind === 'finished' ? undefined : maskedPlainText(ending.failing.sentence),
    ],
    [
      'failures',
      'Failures of the task',
      ending?.kind === 'failed' ? maskedPlainText(ending.failures.join('; ')) : undefined,
    ],
    ['endedAt', 'Ended', isoTimeText(endedAt)],
    ['endSeenAt', 'Seen to have ended', endedAt === undefined ? isoTimeText(record.endedAt) : undefined],
    ['bytesBefore', 'Size before in bytes', sizeBefore],
    ['bytesBeforePrecision', 'Precision of that size', sizeBefore === undefined ? undefined : sizePrecision],
    ['bytesLater', 'Lower size read later, in bytes', laterSize?.bytes],
    ['bytesLaterAt', 'Lower size read at', isoTimeText(laterSize?.at)],
  ];
}

function truncationResult(record: TruncationRecord, now: number): string {
  const status = shownStatusOf(record, now);
  return status === 'unanswered' ? 'unknown' : status;
}

/** Result of comparing searches with the plan, if known. */
function searchResult({ ending }: TruncationRecord): string | undefined {
  switch (ending?.kind) {
    case 'finished':
      return (
        ending.readers && { clean: 'as planned', rowsLeft: 'rows left', notChecked: 'not checked' }[ending.readers]
      );
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
function maskedPlainText(foreign: string | undefined): string | undefined {
  return foreign === undefined
    ? undefined
    : inPlainText(redactSecrets(foreign, knownSecrets()), LONGEST_SENTENCE) || undefined;
}

function isoTimeText(millis: number | undefined): string | undefined {
  return millis === undefined || !isValidTime(millis) ? undefined : new Date(millis).toISOString();
}
