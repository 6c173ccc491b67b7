import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { findReplaced } from '../../../../src/indices/replacedIndices.ts';
import type { IndexSize } from '../../../../src/service/indices/indices.ts';
import { isCopied } from '../../../../src/truncation/model/replacedIndex.ts';
import type { TruncationRecord } from '../../../../src/truncation/model/record.ts';
import { RECORD } from './samples.ts';

const NAME = 'dataset_operationaspect_v1';
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** One reindex of the index, in order of time. */
interface Reindex {
  /** After the one before, or after the index was first made, in ms. */
  readonly after: number;
  readonly ended: 'finished' | 'failed' | 'open';
  /** It was sent from here, and wasn't forgotten since. */
  readonly isRecorded: boolean;
}

/** Which of the indices that reindexes leave behind are called copied, and which of them really are, the oldest first. */
function leftBehind(
  reindexes: readonly Reindex[],
  currentIsTimed: boolean,
): { readonly called: boolean[]; readonly really: boolean[] } {
  const times = [START];
  const records: TruncationRecord[] = [];
  for (const { after, ended, isRecorded } of reindexes) {
    const time = (times.at(-1) ?? START) + after;
    times.push(time);
    if (isRecorded) {
      records.push(recordOf(time - 400, ended));
    }
  }
  const current = times.length - 1;
  const indices = times.map((time, position) =>
    indexOf(position === current && !currentIsTimed ? NAME : `${NAME}_${time}`),
  );
  const replaced = findReplaced(indices);
  return {
    called: indices.slice(0, current).map((index) => {
      const found = replaced.get(index);
      assert.ok(found !== undefined, `${index.indexName} isn't known to be replaced`);
      return isCopied(found, records);
    }),
    really: reindexes.map(({ ended }) => ended === 'finished'),
  };
}

function indexOf(indexName: string): IndexSize {
  return { indexName, entityType: 'dataset', aspect: 'operation', sizeBytes: 1, isTotal: false };
}

function recordOf(sentAt: number, ended: Reindex['ended']): TruncationRecord {
  const { ending: _, ...record } = RECORD;
  const failing = { sentence: 'It failed.', next: undefined };
  return {
    ...record,
    sentAt,
    report: { ...record.report, strategy: 'reindex' },
    ...(ended === 'finished' ? { ending: { kind: 'finished', deleted: 1, versionConflicts: 0 } as const } : {}),
    ...(ended === 'failed' ? { ending: { kind: 'failed', failing, failures: [] } as const } : {}),
  };
}

const ours = (ended: Reindex['ended'] = 'finished', after = DAY): Reindex => ({ after, ended, isRecorded: true });
const another = (ended: Reindex['ended'] = 'finished', after = DAY): Reindex => ({ after, ended, isRecorded: false });

suite('An index that a reindex replaced', () => {
  for (const currentIsTimed of [true, false]) {
    const called = (...reindexes: readonly Reindex[]): boolean[] => leftBehind(reindexes, currentIsTimed).called;

    test(`is copied where the reindex was sent from here and finished (${currentIsTimed ? 'a time' : 'no time'} in the name of the one in use)`, () => {
      assert.deepEqual(called(ours()), [true]);
      assert.deepEqual(called(ours(), ours()), [true, true]);
      assert.deepEqual(called(another(), ours()), [false, true]);
      assert.deepEqual(called(another(), another()), [false, false]);
    });

    test(`may hold rows where it failed, runs, or was forgotten (${currentIsTimed ? 'a time' : 'no time'})`, () => {
      assert.deepEqual(called(ours('failed')), [false]);
      assert.deepEqual(called(ours('open')), [false]);
      assert.deepEqual(called(another('failed'), ours()), [false, true]);
      assert.deepEqual(called(another('failed'), ours('finished', 60_000)), [false, false]);
    });
  }

  test('is copied by no deletion in place', () => {
    const record = recordOf(START + DAY, 'finished');
    const [replaced] = [...findReplaced([indexOf(`${NAME}_${START}`), indexOf(NAME)]).values()];
    assert.ok(replaced !== undefined);
    assert.equal(isCopied(replaced, [record]), true);
    assert.equal(isCopied(replaced, [{ ...record, report: { ...record.report, strategy: 'deleteByQuery' } }]), false);
  });

  test('is never called copied while it may hold rows, whoever reindexed how often and how soon', () => {
    const reindex = fc.record({
      after: fc.oneof(fc.integer({ min: 1_000, max: 7_200_000 }), fc.integer({ min: 1_000, max: 30 * DAY })),
      ended: fc.constantFrom('finished', 'failed', 'open'),
      isRecorded: fc.boolean(),
    });
    let copied = 0;
    fc.assert(
      fc.property(fc.array(reindex, { minLength: 1, maxLength: 6 }), fc.boolean(), (reindexes, currentIsTimed) => {
        const { called, really } = leftBehind(reindexes, currentIsTimed);
        called.forEach((isCalled, position) => assert.ok(!isCalled || really[position], JSON.stringify(reindexes)));
        copied += called.filter(Boolean).length;
      }),
    );
    assert.ok(copied > 0, 'none was ever called copied');
  });
});
