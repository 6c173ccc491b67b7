// npm run figures: measures the form of the code in src, beside the goals.
//
// npm run --silent figures -- [--only src/tokens]… [--list text]
//
// --only measures files whose path begins with one of the texts. --list prints the places behind the figures whose
// name includes the text.
import { parseArgs } from 'node:util';
import { FIGURES, isWithin, type FigureLimit } from './figures.ts';
import { linesBelow, readSourceFiles } from './sourceFiles.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: ['src'] }, list: { type: 'string' } },
});
const files = readSourceFiles('src').filter(({ path }) => values.only.some((start) => path.startsWith(start)));
const surroundings = { testLines: linesBelow('test') };

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const limitText = (limit: FigureLimit): string =>
  'atMost' in limit ? `≤ ${format.format(limit.atMost)}` : `≥ ${format.format(limit.atLeast)}`;

console.log('| figure | today | goal | met |\n|---|---:|---:|---|');
for (const { name, goal, measure } of FIGURES) {
  const { value, places = [] } = measure(files, surroundings);
  console.log(`| ${name} | ${format.format(value)} | ${limitText(goal)} | ${isWithin(value, goal) ? 'yes' : 'no'} |`);
  if (values.list === undefined || !name.includes(values.list)) continue;
  for (const place of places) console.log(`    ${place}`);
}
