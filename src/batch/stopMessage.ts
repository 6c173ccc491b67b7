/** Why the rest of several was not sent, for somebody who doesn't see their page. Pure but for the translated words. */
import { failedMessage } from '../truncation/texts/notificationTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { BulkRecord } from './bulkRecord.ts';
import type { BulkRun } from './bulkRun.ts';
import { sentText } from './view.ts';

export interface StopFacts {
  readonly bulk: Pick<BulkRun, 'failing' | 'isStopping' | 'phase' | 'plan'>;
  /** What is written down of them; undefined where it could not be. */
  readonly record: BulkRecord | undefined;
  readonly connectionName: string;
  readonly isPageClosed: boolean;
}

/** Undefined where all were sent, a person stopped them, or one that was sent did, whose end is told anyway. */
export function stopMessage({ bulk, record, connectionName, isPageClosed }: StopFacts): string | undefined {
  if (bulk.phase !== 'ended') {
    return undefined;
  }
  if (bulk.failing !== undefined) {
    return [bulk.failing.sentence, bulk.failing.next].filter((part) => part !== undefined).join(' ');
  }
  const closed = isPageClosed && !bulk.isStopping ? taskTexts.pageClosed() : undefined;
  const [stopped] = bulk.plan.flatMap((item) => {
    const failing = item.leftOut ?? closed;
    return item.status !== 'notSent' || failing === undefined
      ? []
      : [failedMessage(item.draft, connectionName, failing)];
  });
  return stopped && [stopped, ...(record === undefined ? [] : [sentText(record)])].join(' ');
}
