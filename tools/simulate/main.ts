// npm run simulate: plays any number of random schedules of failures.
//
// npm run simulate -- [--schedules N] [--from SEED] [--seed SEED]
//
// --seed plays one schedule and prints its events.
import { parseArgs } from 'node:util';
import { runMany } from '../../test/simulation/many.ts';
import { PHASES, runSchedule } from '../../test/simulation/schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const isKept = await (values.seed === undefined ? playMany() : playOne(Number(values.seed)));
process.exit(isKept ? 0 : 1);

async function playMany(): Promise<boolean> {
  const count = Number(values.schedules);
  const { counts, broken, seconds } = await runMany(Number(values.from), count);
  for (const phase of PHASES) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);
  const byViolation = Map.groupBy(broken, ({ violation }) => violation);
  for (const [violation, found] of byViolation) {
    const seeds = found.slice(0, 5).map(({ seed }) => seed);
    console.log(`\n✗ ${violation}: ${found.length} times`);
    console.log(`  npm run simulate -- --seed ${seeds.join('|')}`);
  }
  const unreached = PHASES.filter((phase) => !counts[phase]);
  for (const phase of unreached) console.log(`\n✗ No schedule reached: ${phase}`);
  console.log(`\n${count} schedules in ${seconds.toFixed(1)} s, ${broken.length} broken\n`);
  return broken.length + unreached.length === 0;
}

async function playOne(seed: number): Promise<boolean> {
  const { trace, violation } = await runSchedule(seed);
  console.log(trace.join('\n'));
  console.log(violation === undefined ? '\nEvery promise was kept.' : `\n✗ ${violation}`);
  return violation === undefined;
}
