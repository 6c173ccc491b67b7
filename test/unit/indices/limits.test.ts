import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limitOf, limitText, shortLimit } from '../../../src/indices/limits.ts';
import type { Cleanup, CleanupSchedule } from '../../../src/service/ingestion/cleanups.ts';
import type { Retention } from '../../../src/service/ingestion/recipe.ts';

const INDEX = { entityType: 'dataset', aspect: 'operation' };
const NIGHTLY: CleanupSchedule = { kind: 'cron', interval: '0 1 * * *', timeZone: 'UTC' };
const BY_HAND: CleanupSchedule = { kind: 'byHand' };

/** A cleanup that keeps so much of every index. */
function keeping(retention: Retention, schedule: CleanupSchedule = NIGHTLY): Cleanup {
  return { schedule, retentions: () => retention };
}

function limitBy(...cleanups: readonly Cleanup[]): ReturnType<typeof limitOf> {
  return limitOf({ cleanups, isComplete: true }, INDEX);
}

suite('What limits an index', () => {
  test('is the cleanup that keeps least', () => {
    assert.deepEqual(limitBy(keeping(30), keeping(7), keeping('none')), { days: 7, schedule: NIGHTLY });
  });

  test('is one that runs by itself rather than one that somebody runs', () => {
    assert.deepEqual(limitBy(keeping(7, BY_HAND), keeping(30)), { days: 30, schedule: NIGHTLY });
    assert.deepEqual(limitBy(keeping(7, BY_HAND)), { days: 7, schedule: BY_HAND });
  });

  test('is nothing where every cleanup was read and none truncates it', () => {
    assert.equal(limitBy(), 'none');
    assert.equal(limitBy(keeping('none')), 'none');
  });

  test('is unknown where anything could not be read', () => {
    assert.equal(limitOf(undefined, INDEX), undefined);
    assert.equal(limitBy(keeping('unknown'), keeping('none')), undefined);
    assert.equal(limitOf({ cleanups: [keeping('none')], isComplete: false }, INDEX), undefined);
  });

  test('is known where one limits it for sure, whatever the others do', () => {
    assert.deepEqual(limitOf({ cleanups: [keeping('unknown'), keeping(30)], isComplete: false }, INDEX), {
      days: 30,
      schedule: NIGHTLY,
    });
  });
});

suite('What limits an index is told in a few words', () => {
  test('in days, and when', () => {
    assert.equal(shortLimit({ days: 30, schedule: NIGHTLY }), '30 days · nightly');
    assert.equal(shortLimit({ days: 7, schedule: { kind: 'unknown' } }), '7 days');
    assert.equal(shortLimit('none'), 'nothing limits this');
  });
});

suite('What limits an index is told', () => {
  const told = (schedule: CleanupSchedule, days = 30): string => limitText({ days, schedule });
  const at = (interval: string, timeZone = 'UTC'): string => told({ kind: 'cron', interval, timeZone });

  test('by days and by when it runs', () => {
    assert.equal(told(NIGHTLY), '30 days, by datahub-gc, nightly');
    assert.equal(told(NIGHTLY, 1), '1 day, by datahub-gc, nightly');
    assert.equal(told(BY_HAND), '30 days, by datahub-gc, only when run by hand');
    assert.equal(told({ kind: 'unknown' }), '30 days, by datahub-gc');
    assert.equal(limitText('none'), 'nothing limits this');
  });

  test('in words only for forms that leave no doubt', () => {
    for (const [interval, words] of [
      ['@hourly', 'hourly'],
      ['15 * * * *', 'hourly'],
      ['@daily', 'nightly'],
      ['@midnight', 'nightly'],
      ['30 4 * * *', 'nightly'],
      ['0 03 * * *', 'nightly'],
      ['@weekly', 'weekly'],
      ['0 12 * * 0', 'weekly'],
      ['0 12 * * Sun', 'weekly'],
    ] as const) {
      assert.equal(at(interval), `30 days, by datahub-gc, ${words}`, interval);
    }
    for (const interval of ['0 13 * * *', '*/5 * * * *', '0 1 * * 1-5', '0 1 1 * *', '0,30 * * * *', '0 1 * * * *']) {
      assert.equal(at(interval, 'Europe/Berlin'), `30 days, by datahub-gc, ${interval} Europe/Berlin`);
    }
  });
});
