// npm run simulate: plays any number of random schedules of failures.
//
// npm run simulate -- [--schedules N] [--from SEED] [--seed SEED] [--until-broken]
//
// --seed plays one schedule and prints its events. --until-broken ends after a portion with a broken schedule.
import { parseArgs } from 'node:util';
import { runMany, runUntilBroken } from '../../test/simulation/many.ts';
import { PHASES, runSchedule } from '../../test/simulation/schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'until-broken': { type: 'boolean', default: false },
  },
});
const isKept = await (values.seed === undefined ? playMany() : playOne(Number(values.seed)));
process.exit(isKept ? 0 : 1);

async function playMany(): Promise<boolean> {
  const range = { from: Number(values.from), count: Number(values.schedules) };
  const { counts, broken, seconds, count } = await (values['until-broken'] ? runUntilBroken(range) : runMany(range));
  for (const phase of PHASES) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);
  const byViolation = Map.groupBy(broken, ({ violation }) => violation);
  for (const [violation, found] of byViolation) {
    const seeds = found.slice(0, 5).map(({ seed }) => seed);
    console.log(`\n✗ ${violation}: ${found.length} times`);
    console.log(`  npm run simulate -- --seed ${seeds.join('|')}`);
  }
  const unreached = count < range.count ? [] : PHASES.filter((phase) => !counts[phase]);
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
