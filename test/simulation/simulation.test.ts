// The extension's own stores, services, runs and watch, in thousands of schedules of what can go wrong.
import assert from 'node:assert/strict';
import { availableParallelism, constants, setPriority } from 'node:os';
import { suite, test } from 'node:test';
import { runMany } from './many.ts';
import { PHASES, runSchedule } from './schedule.ts';

/** As many as take twenty seconds: `npm run simulate` goes further. */
const SCHEDULES = 4_000;

// Other tests, in which windows are waited for, go first: a processor is left to them, and the threads inherit this priority.
setPriority(constants.priority.PRIORITY_LOW);
const report = await runMany({ from: 1, count: SCHEDULES }, Math.max(1, availableParallelism() - 1));
console.log(`${SCHEDULES} schedules in ${report.seconds} s`);
for (const phase of PHASES) console.log(`${String(report.counts[phase] ?? 0).padStart(9)}  ${phase}`);

suite(`In ${SCHEDULES} schedules`, () => {
  test('every promise is kept', () => {
    const told = report.broken
      .slice(0, 5)
      .map(({ seed, violation }) => `${violation}: npm run simulate -- --seed ${seed}`);
    assert.equal(report.broken.length, 0, told.join('\n'));
  });

  for (const phase of PHASES) {
    test(`some reach: ${phase}`, () => assert.ok((report.counts[phase] ?? 0) > 0));
  }
});

const SEEDS = [1, 42, 20_261_121];

test('a seed is a schedule: the same trace twice', async () => {
  for (const seed of SEEDS) {
    const [once, again] = [await runSchedule(seed), await runSchedule(seed)];
    assert.ok(once.trace.length > 5);
    assert.equal(once.violation, undefined);
    assert.deepEqual(again, once);
  }
});
