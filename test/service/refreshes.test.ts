import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunningService } from './main.ts';
import { serviceFor } from './testClient.ts';
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
  test('see written rows after its refresh interval, searched or not', async (t) => {
    const interval = 3000;
    const service = await serviceFor(t, { profile: '1.6', rows: 2000 });
    // Keeps away from refreshes, at every full interval.
    service.clock.offsetMillis = 100 - (Date.now() % interval);
    service.addRow(entityType, aspect, Date.now());
    assert.equal((await counted(service, usage, 0))[1], all, 'although never searched before');
    service.clock.offsetMillis += interval - 1000;
    assert.equal((await counted(service, usage, 0))[1], all);
    service.clock.offsetMillis += 1000;
    assert.equal((await counted(service, usage, 0))[1], all + 1);
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
