import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunningService } from './main.ts';
import { serviceFor, until } from './testClient.ts';
import { counted, cutoffOver, finished, truncate, usage } from './testTruncations.ts';

const { entityType, aspect } = usage;
const all = 540;

/**
 * Deletes by query.
 * @returns counts of the same dry run, before and after
 */
async function deleted(service: RunningService): Promise<{ cutoff: number; rows: number; left: number }> {
  const cutoff = cutoffOver(service, usage, 0.3);
  const [rows, total] = await counted(service, usage, cutoff);
  const id = await truncate(service, { ...usage, endTimeMillis: cutoff, dryRun: false, forceDeleteByQuery: true });
  assert.equal((await finished(service, id))['deleted'], rows);
  return { cutoff, rows, left: total - rows };
}

/** Every pair of counts that many dry runs return. */
async function everyCount(service: RunningService, cutoff: number): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let look = 0; look < 40; look += 1) {
    seen.add((await counted(service, usage, cutoff)).join(' of '));
  }
  return seen;
}

describe('readers of an index', () => {
  for (const [profile, interval] of [
    ['0.14', 1000],
    ['1.6', 3000],
  ] as const) {
    test(`of ${profile} see written rows after ${interval / 1000} s, searched or not`, async (t) => {
      const service = await serviceFor(t, { profile, rows: 2000 });
      // Keeps away from refreshes, at every full interval.
      service.clock.offsetMillis = 100 - (Date.now() % interval);
      service.addRow(entityType, aspect, Date.now());
      assert.equal((await counted(service, usage, 0))[1], all, 'although never searched before');
      service.clock.offsetMillis += interval - 1000;
      assert.equal((await counted(service, usage, 0))[1], all);
      service.clock.offsetMillis += 1000;
      assert.equal((await counted(service, usage, 0))[1], all + 1);
    });
  }

  test('refresh an idle index without an interval of its own by searching it', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: null });
    service.clock.offsetMillis = 600 - (Date.now() % 1000);
    service.addRow(entityType, aspect, Date.now());
    assert.deepEqual(await counted(service, usage, 0), [0, all + 1], 'never searched before');
    service.addRow(entityType, aspect, Date.now());
    assert.deepEqual(await counted(service, usage, 0), [0, all + 1], 'searched a moment ago');
    service.clock.offsetMillis += 30_001;
    service.addRow(entityType, aspect, Date.now());
    assert.deepEqual(await counted(service, usage, 0), [0, all + 3], 'idle again');
  });

  test('see rows after the next refresh even if the clock was set back', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: 1000 });
    service.clock.offsetMillis = 86_400_000;
    await counted(service, usage, 0);
    service.clock.offsetMillis = 0;
    service.addRow(entityType, aspect, Date.now());
    await until('a refresh', async () => (await counted(service, usage, 0))[1] === all + 1);
  });

  test('see no change without refreshes, until one is requested; another deletion finds conflicts', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: -1 });
    const { cutoff, rows, left } = await deleted(service);
    service.clock.offsetMillis = 86_400_000;
    assert.deepEqual(await counted(service, usage, cutoff), [rows, all]);
    const again = await finished(service, await truncate(service, { ...usage, endTimeMillis: cutoff, dryRun: false }));
    assert.deepEqual([again['total'], again['deleted'], again['version_conflicts']], [rows, 0, rows]);
    await service.cluster.refresh(entityType, aspect);
    assert.deepEqual(await counted(service, usage, cutoff), [0, left]);
  });

  test('see two copies refreshed at different moments, so that consecutive counts differ', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2000, refreshIntervalMillis: 30_000, replicas: 1 });
    // Keeps away from refreshes, at every full thirty seconds.
    service.clock.offsetMillis = 1000 - (Date.now() % 30_000);
    const { cutoff, rows, left } = await deleted(service);
    assert.deepEqual(await everyCount(service, cutoff), new Set([`${rows} of ${all}`]), 'neither is refreshed');
    service.clock.offsetMillis += 15_000;
    const mixed = await everyCount(service, cutoff);
    assert.ok(mixed.has(`0 of ${left}`) && mixed.has(`${rows} of ${all}`), [...mixed].join(', '));
    service.clock.offsetMillis += 15_000;
    assert.deepEqual(await everyCount(service, cutoff), new Set([`0 of ${left}`]), 'both are');
  });
});
