// The extension's own stores, services, runs and watch, in thousands of schedules of failures.
import assert from 'node:assert/strict';
import { availableParallelism, setPriority } from 'node:os';
import { suite, test } from 'node:test';
import { runMany } from './many.ts';
import { phasesOf, runSchedule } from './schedule.ts';
import { THEME_NAMES, type ThemeName } from './themes/theme.ts';

/** Numbers that take twenty seconds in total. `npm run simulate` plays more. */
const SCHEDULES: Readonly<Record<ThemeName, number>> = { mixed: 1_600, jobs: 400 };

// Leaves a processor to other tests, which wait for windows; at the lowest priority, 19, it wouldn't end beside busy
// programs. The threads inherit this priority.
setPriority(5);
for (const theme of THEME_NAMES) {
  // One after the other: each uses all processors.
  await play(theme, SCHEDULES[theme]);
}

async function play(theme: ThemeName, count: number): Promise<void> {
  const { seconds, counts, broken } = await runMany({ theme, from: 1, count }, Math.max(1, availableParallelism() - 1));
  console.log(`${count} schedules (${theme}) in ${seconds} s`);
  for (const phase of phasesOf(theme)) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);

  suite(`In ${count} schedules (${theme})`, () => {
    test('every promise is kept', () => {
      const told = broken
        .slice(0, 5)
        .map(({ seed, violation }) => `${violation}: npm run simulate -- --theme ${theme} --seed ${seed}`);
      assert.equal(broken.length, 0, told.join('\n'));
    });

    for (const phase of phasesOf(theme)) {
      test(`some reach: ${phase}`, () => assert.ok((counts[phase] ?? 0) > 0));
    }
  });
}

const SEEDS = [1, 42, 20_261_121];

test('a seed always plays the same schedule, with the same trace', async () => {
  for (const theme of THEME_NAMES) {
    for (const seed of SEEDS) {
      // One after the other: each replaces chance while it runs.
      const [once, again] = [await runSchedule(seed, theme), await runSchedule(seed, theme)];
      assert.ok(once.trace.length > 3);
      assert.deepEqual(again, once);
    }
  }
});
