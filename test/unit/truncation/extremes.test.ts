/** Every text about a record exists and makes sense, however absurd its numbers are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { lastTruncationCheckText, runningText } from '../../../src/truncation/texts/progressTexts.ts';
import { endMessage, longStatus, nextStepText, shortStatus } from '../../../src/truncation/texts/statusTexts.ts';
import { jobFrom, shownTruncations } from '../../../src/truncation/job.ts';
import { draftFrom, withAge } from '../../../src/truncation/plan.ts';
import type { TaskProgress } from '../../../src/truncation/taskEnd.ts';
import { indicesById } from '../../../src/indices/indexList.ts';
import { overviewTableRows } from '../../../src/pages/overview/host/view.ts';
import { truncationReceipt, receiptFileName } from '../../../src/truncation/receipt.ts';
import { utcTimeText } from '../../../src/ui/formats.ts';
import { resumedState, type TruncationRecord } from '../../../src/truncation/record.ts';
import { PROFILE } from '../pages/overview/rows.ts';
import { pageViewOf } from '../pages/truncation/pageViews.ts';
import { journalOf } from './journals.ts';
import { CONNECTION, NOW, RECORD } from './samples.ts';

const NONSENSE = /NaN|Infinity|∞|Invalid|undefined|null|\{\d\}/;

/** Numbers as JSON can hold them. */
const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, 0.5, 5e-324, 8.64e15, 9e15, -9e15, Number.MAX_SAFE_INTEGER, 1e300, -1e300, NOW),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
);
const anyEnding = fc.oneof(
  fc.record({
    kind: fc.constant('finished'),
    deleted: fc.option(anyNumber, { nil: undefined }),
    versionConflicts: anyNumber,
    readers: fc.constantFrom(undefined, 'clean', 'rowsLeft', 'notChecked'),
    rowsLeft: fc.option(anyNumber, { nil: undefined }),
  }),
  fc.constant({ kind: 'failed', reason: 'endedEarly' }),
  fc
    .constantFrom(undefined, 'notRefreshed', 'copiesDisagree')
    .map((missing) => ({ kind: 'unknown', reason: missing === undefined ? 'lost' : 'missing', missing })),
);
const anyRecord = fc
  .record(
    {
      plan: fc.record({ endTimeMillis: anyNumber, batchSize: anyNumber, timeoutSeconds: anyNumber }),
      rows: fc.record({ toDelete: anyNumber, total: anyNumber }),
      reviewedAt: anyNumber,
      sentAt: anyNumber,
      endedAt: anyNumber,
      runTimeMillis: anyNumber,
      taskId: fc.constantFrom('node:1', '3b241101-e2bb-4255-8caf-4136c566a962', undefined),
      taskEnd: fc.record({
        kind: fc.constantFrom('whole', 'short', 'neverBegan', 'gone'),
        done: anyNumber,
        total: anyNumber,
      }),
      ending: anyEnding,
      baseline: fc.record({ countedUpTo: anyNumber, kept: anyNumber }),
      readers: fc.record({ at: anyNumber, toDelete: anyNumber, kept: anyNumber }),
      sizeBefore: anyNumber,
    },
    { requiredKeys: ['plan', 'rows', 'reviewedAt', 'sentAt'] },
  )
  .map(({ plan, rows, ...rest }) => {
    const stored = { ...RECORD, ...rest, plan: { ...RECORD.plan, ...plan }, report: { ...RECORD.report, rows } };
    const [planned, ...facts] = JSON.parse(JSON.stringify(journalOf(stored as TruncationRecord))) as readonly unknown[];
    const job = jobFrom({ connectionId: RECORD.connectionId, id: 'job' }, planned, facts);
    return (job && shownTruncations(job)[0]) ?? assert.fail('it is lost');
  });
const anyProgress: fc.Arbitrary<TaskProgress> = fc.record({
  counts: fc.constantFrom('deleted' as const, 'copied' as const),
  done: fc.maxSafeNat(),
  total: fc.option(fc.maxSafeNat(), { nil: undefined }),
  seen: fc.record({ at: anyNumber, since: anyNumber, hasMoved: fc.boolean(), isReported: fc.boolean() }),
});

test('A record with absurd numbers has only sensible texts', () => {
  fc.assert(
    fc.property(anyRecord, anyProgress, (record, progress) => {
      const look = { at: record.sentAt, count: record.readers };
      const rows = overviewTableRows(indicesById([PROFILE]), {
        connection: CONNECTION,
        records: [record],
        watch: { progress: () => progress, watchProblem: () => undefined },
        growthOf: () => undefined,
        now: NOW,
      });
      const { result, detail } = rows[0]?.truncation ?? assert.fail('no row');
      const facts = { record, progress, lastPoll: look, indexSize: 5 };
      const state = resumedState(record);
      const { outcome } = pageViewOf(state, facts);
      const { plan } = record;
      for (const text of [
        outcome?.headline,
        outcome?.next,
        outcome?.pace,
        outcome?.lastCheck,
        ...(outcome?.details ?? []).flatMap(({ value, quoted, code }) => [value, quoted, code]),
        result,
        detail,
        longStatus(record, progress, NOW),
        shortStatus(record, progress, NOW),
        nextStepText(record, NOW),
        runningText(progress, record, NOW),
        lastTruncationCheckText(record, look, NOW, 'UTC'),
        endMessage(record, 'Production'),
        truncationReceipt(record, 'Production', NOW),
        receiptFileName(record),
        utcTimeText(plan.endTimeMillis),
        ...Object.values(withAge(draftFrom(plan), NOW).cutoff ?? {}),
      ]) {
        assert.doesNotMatch(String(text ?? ''), NONSENSE);
      }
    }),
    { numRuns: 1_000 },
  );
});
