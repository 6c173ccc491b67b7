/** Why the rest of several was not sent, for somebody who doesn't see their page. Pure but for the translated words. */
import { failedMessage } from '../truncation/texts/notificationTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { BatchRecord } from './batchRecord.ts';
import type { BatchRun } from './batchRun.ts';
import { sentText } from './view.ts';

export interface StopFacts {
  readonly batch: Pick<BatchRun, 'failing' | 'isStopping' | 'phase' | 'plan'>;
  /** What is written down of them; undefined where it could not be. */
  readonly record: BatchRecord | undefined;
  readonly connectionName: string;
  readonly isPageClosed: boolean;
}

/** Undefined where all were sent, a person stopped them, or one that was sent did, whose end is told anyway. */
export function stopMessage({ batch, record, connectionName, isPageClosed }: StopFacts): string | undefined {
  if (batch.phase !== 'ended') {
    return undefined;
  }
  if (batch.failing !== undefined) {
    return [batch.failing.sentence, batch.failing.next].filter((part) => part !== undefined).join(' ');
  }
  const closed = isPageClosed && !batch.isStopping ? taskTexts.pageClosed() : undefined;
  const [stopped] = batch.plan.flatMap((item) => {
    const failing = item.leftOut ?? closed;
    return item.status !== 'notSent' || failing === undefined
      ? []
      : [failedMessage(item.draft, connectionName, failing)];
  });
  return stopped && [stopped, ...(record === undefined ? [] : [sentText(record)])].join(' ');
}
