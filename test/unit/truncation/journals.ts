import { itemOf } from '../../../src/truncation/storedJob.ts';
import type { JobFact, PlannedFact } from '../../../src/truncation/jobFacts.ts';
import type { JobStore } from '../../../src/truncation/jobStore.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';

export function journalOf(record: TruncationRecord): readonly [planned: PlannedFact, ...facts: JobFact[]] {
  const { plan, report, baseline, reviewedAt, sentAt, actorUrn, callerUrn } = record;
  const { sizeBefore, taskId, taskEnd, ending, endedAt, runTimeMillis, writesRefused, readers } = record;
  const item = 0;
  const isJudged = ending !== undefined || taskEnd !== undefined || writesRefused !== undefined;
  return [
    { kind: 'planned', at: reviewedAt, baseUrl: record.baseUrl, items: [{ plan }] },
    { kind: 'dryRun', at: reviewedAt, item, report, baseline },
    { kind: 'sent', at: sentAt, item, actorUrn, callerUrn, sizeBefore },
    ...(taskId === undefined ? [] : [{ kind: 'task', at: sentAt, item, taskId } as const]),
    ...(isJudged
      ? [
          {
            kind: ending === undefined ? 'counted' : 'ended',
            at: endedAt ?? sentAt,
            item,
            taskEnd,
            ending,
            endedAt,
            runTimeMillis,
            writesRefused,
            readers,
          } as const,
        ]
      : []),
  ];
}

export function leaveTruncation(jobs: JobStore, record: TruncationRecord): Promise<void> {
  const [planned, ...facts] = journalOf(record);
  return jobs.create({ connectionId: record.connectionId, id: itemOf(record.id).id }, planned, ...facts);
}
