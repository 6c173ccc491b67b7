import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { isSettled, withLook, withOldSizeMended } from '../../../src/truncation/sizeLook.ts';
import { DAY, FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX, exactly } from './samples.ts';

const END = NOW + 10 * MINUTE;
const BEFORE = 21_000_000;
const ENDED: TruncationRecord = {
  ...RECORD,
  sizeBefore: BEFORE,
  sizePrecision: 'exact',
  ending: FINISHED,
  endedAt: END,
};
const MAYBE_WRONG = { bytes: 1, precision: 'approximate' } as const;

suite('The size of an index after a truncation', () => {
  test('says how large it is once it is lower than before, or a day has passed', () => {
    assert.equal(isSettled(ENDED, exactly(36_000_000), END + MINUTE), false, 'the deletion made it larger');
    assert.equal(isSettled(ENDED, exactly(BEFORE), END + MINUTE), false);
    assert.equal(isSettled(ENDED, exactly(BEFORE - 1), END + MINUTE), true);
    assert.equal(isSettled(ENDED, exactly(36_000_000), END + DAY - 1), false);
    assert.equal(isSettled(ENDED, exactly(36_000_000), END + DAY), true);
  });

  test('is counted from the end that the server reported, where it did', () => {
    const seenLate = { ...ENDED, runTimeMillis: MINUTE, endedAt: NOW + 5 * DAY };
    assert.equal(isSettled(seenLate, exactly(BEFORE), NOW + MINUTE + DAY), true);
  });

  test('says nothing while it runs, not even where it is lower', () => {
    const { ending: _, endedAt: __, ...running } = ENDED;
    assert.equal(isSettled(running, exactly(1), NOW + MINUTE), false);
    assert.equal(isSettled(running, exactly(1), NOW + DAY), true, 'one whose answer was lost never ends');
  });

  test("can't be compared where either may be wrong, or the unit of one isn't known", () => {
    assert.equal(isSettled(ENDED, MAYBE_WRONG, END), false);
    assert.equal(isSettled({ ...ENDED, sizePrecision: 'approximate' }, exactly(1), END), false);
    assert.equal(isSettled({ ...ENDED, sizePrecision: undefined }, exactly(1), END), false);
    assert.equal(isSettled({ ...ENDED, sizeBefore: undefined }, exactly(1), END), false);
    assert.equal(isSettled(ENDED, exactly(undefined), END), false);
  });

  test('counts as one of now where the clock was set back since', () =>
    assert.equal(isSettled(ENDED, exactly(BEFORE), END - 5 * DAY), true));

  test('is kept with its time if it is lower than any before', () => {
    const once = withLook(ENDED, exactly(20_000_000), END + MINUTE);
    assert.deepEqual(once, { ...ENDED, laterSize: { bytes: 20_000_000, at: END + MINUTE } });
    assert.ok(once !== undefined);
    assert.equal(withLook(once, exactly(20_000_000), END + DAY), undefined);
    assert.equal(withLook(once, exactly(20_500_000), END + DAY), undefined);
    const twice = withLook(once, exactly(13_000_000), END + DAY);
    assert.deepEqual(twice?.laterSize, { bytes: 13_000_000, at: END + DAY });
  });

  test('is not kept where it says nothing about the deletion', () => {
    const look = (change: Partial<TruncationRecord>, size = exactly(1), at = END + 1): unknown =>
      withLook({ ...ENDED, ...change }, size, at);
    assert.ok(look({}));
    assert.equal(look({}, exactly(BEFORE)), undefined);
    assert.equal(look({}, exactly(36_000_000)), undefined);
    assert.equal(look({}, MAYBE_WRONG), undefined);
    assert.equal(look({}, exactly(1), END), undefined, 'it was read before the end');
    assert.equal(look({ sizePrecision: 'approximate' }), undefined);
    assert.equal(look({ sizePrecision: undefined }), undefined);
    assert.equal(look({ ending: FAILED }), undefined);
    assert.equal(look({ ending: LOST }), undefined);
    assert.equal(look({ ending: undefined }), undefined);
    assert.equal(look({ report: REINDEX }), undefined, 'the old index keeps its space, and is not listed');
  });
});

suite('A size that an older version wrote down', () => {
  const { sizePrecision: _, ...old } = ENDED;

  test('was 1,000 times too large where the server sends kilobytes', () => {
    const mended = withOldSizeMended({ ...old, sizeBefore: 26_460_000_000 }, MAYBE_WRONG);
    assert.deepEqual([mended?.sizeBefore, mended?.sizePrecision], [26_460_000, 'approximate']);
    assert.equal(mended && withOldSizeMended(mended, MAYBE_WRONG), undefined, 'once');
  });

  test('stays as it is elsewhere', () => {
    assert.equal(withOldSizeMended(old, exactly(5)), undefined);
    assert.equal(withOldSizeMended({ ...old, sizeBefore: undefined }, MAYBE_WRONG), undefined);
  });
});
