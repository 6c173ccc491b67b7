// npm run simulate: plays any number of random schedules of failures.
//
// npm run simulate -- [--theme mixed|jobs]… [--schedules N] [--from SEED] [--seed SEED]
//   [--until-broken]
//
// --theme plays one kind of schedules; without it, all kinds are played. --schedules is the number for each
// kind. --seed plays one schedule and prints its events. --until-broken ends after a portion with a broken schedule.
import { parseArgs } from 'node:util';
import { runMany, runUntilBroken } from '../../test/simulation/many.ts';
import { phasesOf, runSchedule } from '../../test/simulation/schedule.ts';
import { isTheme, THEME_NAMES, type ThemeName } from '../../test/simulation/themes/theme.ts';

const { values } = parseArgs({
  options: {
    theme: { type: 'string', multiple: true },
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'until-broken': { type: 'boolean', default: false },
  },
});
const themes = values.theme ?? (values.seed === undefined ? THEME_NAMES : ['mixed']);
if (!themes.every(isTheme)) {
  console.error(`There are these kinds of schedules: ${THEME_NAMES.join(', ')}`);
  process.exit(1);
}
const bad: ThemeName[] = [];
for (const theme of themes) {
  if (!(await (values.seed === undefined ? playMany(theme) : playOne(theme, Number(values.seed))))) bad.push(theme);
}
process.exit(bad.length > 0 ? 1 : 0);

async function playMany(theme: ThemeName): Promise<boolean> {
  const range = { theme, from: Number(values.from), count: Number(values.schedules) };
  const { counts, broken, seconds, count } = await (values['until-broken'] ? runUntilBroken(range) : runMany(range));
  const phases = phasesOf(theme);
  for (const phase of phases) console.log(`${String(counts[phase] ?? 0).padStart(9)}  ${phase}`);
  const byViolation = Map.groupBy(broken, ({ violation }) => violation);
  for (const [violation, found] of byViolation) {
    const seeds = found.slice(0, 5).map(({ seed }) => seed);
    console.log(`\n✗ ${violation}: ${found.length} times`);
    console.log(`  npm run simulate -- --theme ${theme} --seed ${seeds.join('|')}`);
  }
  const unreached = count < range.count ? [] : phases.filter((phase) => !counts[phase]);
  for (const phase of unreached) console.log(`\n✗ No schedule reached: ${phase}`);
  console.log(`\n${count} schedules (${theme}) in ${seconds.toFixed(1)} s, ${broken.length} broken\n`);
  return broken.length + unreached.length === 0;
}

async function playOne(theme: ThemeName, seed: number): Promise<boolean> {
  const { trace, violation } = await runSchedule(seed, theme);
  console.log(trace.join('\n'));
  console.log(violation === undefined ? '\nEvery promise was kept.' : `\n✗ ${violation}`);
  return violation === undefined;
}
