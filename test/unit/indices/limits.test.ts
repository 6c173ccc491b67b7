import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  type RetentionLimit,
  retentionLimitOf,
  retentionLimitText,
  shortLimitText,
} from '../../../src/indices/limits.ts';
import type { CleanupSource, CleanupSchedule, RetentionDays } from '../../../src/service/ingestion/cleanups.ts';

const INDEX = { entityType: 'dataset', aspect: 'operation' };
const NIGHTLY: CleanupSchedule = { kind: 'cron', interval: '0 1 * * *', timeZone: 'UTC' };
const BY_HAND: CleanupSchedule = { kind: 'byHand' };
const COMMAND_LINE: CleanupSchedule = { kind: 'commandLine' };
const SCHEDULES: readonly CleanupSchedule[] = [NIGHTLY, BY_HAND, COMMAND_LINE, { kind: 'unknown' }];

/** A cleanup that keeps this many days of every index. */
function keeping(retention: RetentionDays, schedule: CleanupSchedule = NIGHTLY): CleanupSource {
  return { schedule, retentions: () => retention };
}

function limitBy(...cleanups: readonly CleanupSource[]): ReturnType<typeof retentionLimitOf> {
  return retentionLimitOf({ cleanups, isComplete: true }, INDEX);
}

function cleanup(days: number, schedule: CleanupSchedule = NIGHTLY): RetentionLimit {
  return { by: 'cleanup', days, schedule };
}

suite('The retention limit', () => {
  test('is that of the cleanup that keeps least', () => {
    assert.deepEqual(limitBy(keeping(30), keeping(7), keeping('none')), cleanup(7));
  });

  for (const schedule of [BY_HAND, COMMAND_LINE]) {
    test(`is one that runs by itself rather than one of the kind ${schedule.kind}`, () => {
      assert.deepEqual(limitBy(keeping(7, schedule), keeping(30)), cleanup(30));
      assert.deepEqual(limitBy(keeping(7, schedule)), cleanup(7, schedule));
      assert.equal(limitBy(keeping(7, schedule), keeping('unknown')), undefined, 'that one may run by itself too');
    });
  }

  test('prefers an unreadable schedule to a run by hand', () => {
    const someTime: CleanupSchedule = { kind: 'unknown' };
    assert.deepEqual(limitBy(keeping(7, BY_HAND), keeping(30, someTime)), cleanup(30, someTime));
  });

  test('is not found if every cleanup was read and none truncates the index', () => {
    assert.deepEqual(limitBy(), { by: 'nothingFound' });
    assert.deepEqual(limitBy(keeping('none')), { by: 'nothingFound' });
  });

  test("is unknown if anything couldn't be read", () => {
    assert.equal(retentionLimitOf(undefined, INDEX), undefined);
    assert.equal(limitBy(keeping('unknown'), keeping('none')), undefined);
    assert.equal(retentionLimitOf({ cleanups: [keeping('none')], isComplete: false }, INDEX), undefined);
  });

  test('is known if one cleanup certainly applies, whatever the others do', () => {
    assert.deepEqual(
      retentionLimitOf({ cleanups: [keeping('unknown'), keeping(30)], isComplete: false }, INDEX),
      cleanup(30),
    );
  });

  test("is PostgreSQL's default there, unless a scheduled cleanup keeps less", () => {
    const limitInPostgres = (...cleanups: readonly CleanupSource[]): ReturnType<typeof retentionLimitOf> =>
      retentionLimitOf({ cleanups, isComplete: true }, INDEX, true);
    const byDefault = { by: 'database', days: 90 };
    assert.deepEqual(limitInPostgres(), byDefault);
    assert.deepEqual(limitInPostgres(keeping('none')), byDefault);
    assert.deepEqual(limitInPostgres(keeping(30)), cleanup(30));
    assert.deepEqual(limitInPostgres(keeping(365)), byDefault);
    assert.deepEqual(limitInPostgres(keeping(7, BY_HAND)), byDefault);
    assert.equal(limitInPostgres(keeping('unknown')), undefined);
    assert.equal(retentionLimitOf(undefined, INDEX, true), undefined);
    assert.equal(retentionLimitOf({ cleanups: [], isComplete: false }, INDEX, true), undefined);
  });

  const CLEANUPS = fc.array(
    fc
      .tuple(fc.oneof(fc.nat(400), fc.constantFrom('none' as const, 'unknown' as const)), fc.constantFrom(...SCHEDULES))
      .map(([retention, schedule]) => keeping(retention, schedule)),
  );

  test("doesn't depend on the order, and never exceeds what a schedule certainly keeps", () => {
    fc.assert(
      fc.property(CLEANUPS, fc.boolean(), fc.boolean(), (cleanups, isComplete, isInPostgres) => {
        const limit = retentionLimitOf({ cleanups, isComplete }, INDEX, isInPostgres);
        const turned = retentionLimitOf({ cleanups: cleanups.toReversed(), isComplete }, INDEX, isInPostgres);
        const days = (one: RetentionLimit | undefined): unknown =>
          one !== undefined && 'days' in one ? one.days : one?.by;
        assert.deepEqual(days(turned), days(limit));
        for (const { schedule, retentions } of cleanups) {
          const kept = retentions(INDEX.entityType, INDEX.aspect);
          if (schedule.kind === 'cron' && typeof kept === 'number' && limit !== undefined) {
            assert.ok('days' in limit && limit.days <= kept);
          }
        }
      }),
    );
  });
});

suite('The short text of a limit', () => {
  test('gives days and schedule', () => {
    assert.equal(shortLimitText(cleanup(30)), '30 days · nightly');
    assert.equal(shortLimitText(cleanup(7, { kind: 'unknown' })), '7 days');
    assert.equal(shortLimitText({ by: 'database', days: 90 }), '90 days by default');
    assert.equal(shortLimitText({ by: 'nothingFound' }), 'no cleanup found');
  });
});

suite('The text of a limit', () => {
  const told = (schedule: CleanupSchedule, days = 30): string => retentionLimitText(cleanup(days, schedule));
  const at = (interval: string, timeZone = 'UTC'): string => told({ kind: 'cron', interval, timeZone });

  test('gives days, cleanup and schedule', () => {
    assert.equal(told(NIGHTLY), '30 days, by datahub-gc, nightly');
    assert.equal(told(NIGHTLY, 1), '1 day, by datahub-gc, nightly');
    assert.equal(told(BY_HAND), '30 days, by datahub-gc, only when run manually');
    assert.equal(told(COMMAND_LINE), '30 days, by datahub-gc, only when run from a command line');
    assert.equal(told({ kind: 'unknown' }), '30 days, by datahub-gc');
    assert.equal(retentionLimitText({ by: 'database', days: 90 }), '90 days by default (server setting)');
    assert.equal(retentionLimitText({ by: 'nothingFound' }), 'no cleanup found');
  });

  test('uses words only for unambiguous schedules', () => {
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
