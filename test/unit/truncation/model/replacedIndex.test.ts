import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { findReplaced } from '../../../../src/indices/replacedIndices.ts';
import type { IndexSize } from '../../../../src/service/indices/indices.ts';
import { isCopied } from '../../../../src/truncation/model/replacedIndex.ts';
import type { TruncationRecord } from '../../../../src/truncation/model/record.ts';
import { FAILED, FINISHED, LOST, RECORD } from './samples.ts';

const NAME = 'dataset_operationaspect_v1';
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

const MINUTE = 60_000;
const SERVER = 'https://prod.example.com';

/** One reindex of the index, in order of time. */
interface Reindex {
  /** After the one before, or after the index was first made, in ms. */
  readonly after: number;
  readonly ended: 'finished' | 'failed' | 'unknown' | 'open';
  /** It was sent from here, and wasn't forgotten since. */
  readonly isRecorded: boolean;
  /** The index that it made was removed from the server since. Of the last one it doesn't count: readers see that. */
  readonly isRemoved?: boolean;
  /** At the same time the same connection had one finish on another server, or on one that the record doesn't tell. */
  readonly meanwhile?: 'onAnother' | 'somewhere' | undefined;
}

interface Server {
  /** The index in use is listed with a time in its name. */
  readonly currentIsTimed: boolean;
  /** How far its clock is ahead of the one here, in ms. */
  readonly ahead?: number;
}

/** Which of the listed indices that reindexes leave behind are called copied, and which of them really are, the oldest first. */
function leftBehind(
  reindexes: readonly Reindex[],
  { currentIsTimed, ahead = 0 }: Server,
): { readonly called: boolean[]; readonly really: boolean[] } {
  const made = [{ time: START, isRemoved: false }];
  const records: TruncationRecord[] = [];
  for (const { after, ended, isRecorded, isRemoved = false, meanwhile } of reindexes) {
    const time = (made.at(-1)?.time ?? START) + after;
    made.push({ time, isRemoved });
    const sentAt = time - 400 - ahead;
    if (isRecorded) {
      records.push(recordOf(sentAt, ended));
    }
    if (meanwhile !== undefined) {
      const baseUrl = meanwhile === 'onAnother' ? 'https://staging.example.com' : undefined;
      records.push({ ...recordOf(sentAt, 'finished'), baseUrl });
    }
  }
  const current = made.pop();
  assert.ok(current !== undefined);
  const left = made.flatMap(({ time, isRemoved }, position) =>
    isRemoved ? [] : { index: indexOf(`${NAME}_${time}`), isCopied: reindexes[position]?.ended === 'finished' },
  );
  const inUse = indexOf(currentIsTimed ? `${NAME}_${current.time}` : NAME);
  const replaced = findReplaced([...left.map(({ index }) => index), inUse]);
  return {
    called: left.map(({ index }) => {
      const found = replaced.get(index);
      assert.ok(found !== undefined, `${index.indexName} isn't known to be replaced`);
      return isCopied(found, records, SERVER);
    }),
    really: left.map((one) => one.isCopied),
  };
}

function indexOf(indexName: string): IndexSize {
  return { indexName, entityType: 'dataset', aspect: 'operation', sizeBytes: 1, isTotal: false };
}

function recordOf(sentAt: number, ended: Reindex['ended']): TruncationRecord {
  const endings = { finished: FINISHED, failed: FAILED, unknown: { ...LOST, hidesRows: false }, open: undefined };
  const ending = endings[ended];
  return {
    ...RECORD,
    baseUrl: SERVER,
    sentAt,
    report: { ...RECORD.report, strategy: 'reindex' },
    ...(ending === undefined ? {} : { ending }),
  };
}

const ours = (ended: Reindex['ended'] = 'finished', after = DAY): Reindex => ({ after, ended, isRecorded: true });
const removed = (reindex: Reindex): Reindex => ({ ...reindex, isRemoved: true });
const another = (ended: Reindex['ended'] = 'finished', after = DAY): Reindex => ({ after, ended, isRecorded: false });

suite('An index that a reindex replaced', () => {
  for (const currentIsTimed of [true, false]) {
    const called = (...reindexes: readonly Reindex[]): boolean[] => leftBehind(reindexes, { currentIsTimed }).called;

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
      assert.deepEqual(called(another('failed'), ours('finished', MINUTE)), [false, false]);
    });

    test(`may hold rows where only another server is known to have finished one (${currentIsTimed ? 'a time' : 'no time'})`, () => {
      assert.deepEqual(called({ ...another('failed'), meanwhile: 'onAnother' }), [false]);
      assert.deepEqual(called({ ...another('failed'), meanwhile: 'somewhere' }), [false]);
      assert.deepEqual(called({ ...ours(), meanwhile: 'onAnother' }), [true]);
    });

    for (const ended of ['failed', 'unknown', 'open'] as const) {
      test(`may hold rows where one of ours that is ${ended} was sent at about the time, whatever finished (${currentIsTimed ? 'a time' : 'no time'})`, () => {
        assert.deepEqual(called(removed(ours(ended)), ours('finished', MINUTE)), [false]);
        assert.deepEqual(called(removed(ours(ended)), ours()), [false]);
        assert.deepEqual(called(removed(ours()), ours(ended, MINUTE)), [false]);
        assert.deepEqual(called(ours(), ours(ended), ours()), [true, false, false]);
        assert.deepEqual(called(ours(), ours(), ours(ended)), [currentIsTimed, currentIsTimed, false]);
      });
    }
  }

  test('may hold rows where the index that a finished reindex made is gone, and another is in its place', () => {
    for (const currentIsTimed of [true, false]) {
      assert.deepEqual(leftBehind([removed(ours()), ours('failed')], { currentIsTimed }).called, [false]);
    }
    assert.deepEqual(leftBehind([removed(ours()), another('failed')], { currentIsTimed: true }).called, [false]);
  });

  test('is copied by no deletion in place', () => {
    const record = recordOf(START + DAY, 'finished');
    const [replaced] = [...findReplaced([indexOf(`${NAME}_${START}`), indexOf(NAME)]).values()];
    assert.ok(replaced !== undefined);
    const inPlace = { ...record, report: { ...record.report, strategy: 'deleteByQuery' } } as const;
    assert.equal(isCopied(replaced, [record], SERVER), true);
    assert.equal(isCopied(replaced, [inPlace], SERVER), false);
    // One that failed hides nothing.
    assert.equal(isCopied(replaced, [record, { ...inPlace, ending: FAILED }], SERVER), true);
    assert.equal(
      isCopied(
        replaced,
        [record, { ...record, report: { ...record.report, strategy: 'unknown' }, ending: FAILED }],
        SERVER,
      ),
      false,
    );
  });

  const anyReindex = {
    after: fc.oneof(fc.integer({ min: 1_000, max: 7_200_000 }), fc.integer({ min: 1_000, max: 30 * DAY })),
    // Mostly finished, so that there is much to call copied, and much to be wrong about.
    ended: fc.constantFrom('finished', 'finished', 'finished', 'failed', 'unknown', 'open'),
    meanwhile: fc.constantFrom(undefined, undefined, 'onAnother', 'somewhere'),
  } as const;
  const anyServer = fc.record({
    currentIsTimed: fc.boolean(),
    ahead: fc.integer({ min: -29 * MINUTE, max: 29 * MINUTE }),
  });
  for (const [whose, reindex] of [
    ['whoever reindexed how often and how soon', fc.record({ ...anyReindex, isRecorded: fc.boolean() })],
    // Of what others made and somebody removed since, nothing tells.
    [
      'whichever indices were removed since, where all reindexes were sent from here',
      fc.record({ ...anyReindex, isRecorded: fc.constant(true), isRemoved: fc.boolean() }),
    ],
  ] as const) {
    test(`is never called copied while it may hold rows, ${whose}`, () => {
      let copied = 0;
      fc.assert(
        fc.property(fc.array(reindex, { minLength: 1, maxLength: 6 }), anyServer, (reindexes, server) => {
          const { called, really } = leftBehind(reindexes, server);
          called.forEach((isCalled, position) => assert.ok(!isCalled || really[position]));
          copied += called.filter(Boolean).length;
        }),
        { numRuns: 1_000 },
      );
      assert.ok(copied > 0, 'none was ever called copied');
    });
  }
});
