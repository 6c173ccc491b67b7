// The extension's own stores, services, runs and watch, in thousands of schedules of failures.
import assert from 'node:assert/strict';
import { setPriority } from 'node:os';
import { suite, test } from 'node:test';
import { runMany } from './many.ts';
import { PHASES, runSchedule } from './schedule.ts';

/** They take twenty seconds. `npm run simulate` plays more. */
const SCHEDULES = 1_600;

// Leaves a processor to other tests, which wait for windows; at the lowest priority, 19, it wouldn't end beside busy
// programs.
setPriority(5);
const { seconds, counts, broken } = await runMany(1, SCHEDULES);
console.log(`${SCHEDULES} schedules in ${seconds} s`);
for (const phase of PHASES) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);

suite(`In ${SCHEDULES} schedules`, () => {
  test('every promise is kept', () => {
    const told = broken.slice(0, 5).map(({ seed, violation }) => `${violation}: npm run simulate -- --seed ${seed}`);
    assert.equal(broken.length, 0, told.join('\n'));
  });

  for (const phase of PHASES) {
    test(`some reach: ${phase}`, () => assert.ok((counts[phase] ?? 0) > 0));
  }
});

test('a seed always plays the same schedule, with the same trace', async () => {
  for (const seed of [1, 42, 20_261_121]) {
    // One after the other: each replaces chance while it runs.
    const [once, again] = [await runSchedule(seed), await runSchedule(seed)];
    assert.ok(once.trace.length > 3);
    assert.deepEqual(again, once);
  }
});
