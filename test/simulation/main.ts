// npm run simulate: schedules of what can go wrong, as many as you like.
//
//   npm run simulate -- [--schedules N] [--from SEED] [--seed SEED]
//
// --seed plays one schedule and prints what happened in it.
import { parseArgs } from 'node:util';
import { runMany } from './many.ts';
import { PHASES, runSchedule } from './schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});

if (values.seed === undefined) {
  const { counts, broken, seconds } = await runMany({ from: Number(values.from), count: Number(values.schedules) });
  for (const phase of PHASES) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);
  for (const { seed, violation } of broken.slice(0, 20))
    console.log(`\n✗ ${violation}\n  npm run simulate -- --seed ${seed}`);
  const unreached = PHASES.filter((phase) => !counts[phase]);
  for (const phase of unreached) console.log(`\n✗ No schedule reached: ${phase}`);
  console.log(`\n${values.schedules} schedules in ${seconds} s, ${broken.length} broken`);
  process.exit(broken.length + unreached.length > 0 ? 1 : 0);
} else {
  const { trace, violation } = await runSchedule(Number(values.seed));
  console.log(trace.join('\n'));
  console.log(violation === undefined ? '\nEvery promise was kept.' : `\n✗ ${violation}`);
  process.exit(violation === undefined ? 0 : 1);
}
