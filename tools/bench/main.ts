// npm run bench: measures how long the user waits, beside the minimum that does the same. Writes out/bench.md and
// asserts nothing.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outFolder } from '../paths.ts';
import { clientFigures } from './client.ts';
import { curveInPage } from './host/curveInPage.ts';
import { hostFigures } from './host/hostFigures.ts';
import { comparisonTable, figureTable } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    windows: { type: 'string', default: '7' },
    profile: { type: 'boolean', default: false },
  },
});

const sections: string[] = [];
if (values.only === undefined || values.only === 'client')
  sections.push('## The client beside bare requests', figureTable(await clientFigures()));
if (values.only === undefined || values.only === 'host') {
  const { about, comparisons, sizes } = await hostFigures({ windows: Number(values.windows), profile: values.profile });
  sections.push(
    '## In VS Code, beside the least that could do the same',
    about,
    comparisonTable(comparisons),
    '## Sizes',
    figureTable(sizes),
  );
}
if (values.only === undefined || values.only === 'page') sections.push('## Pages', figureTable(await curveInPage()));
const report = `${sections.join('\n\n')}\n`;
await mkdir(outFolder, { recursive: true });
await writeFile(join(outFolder, 'bench.md'), report);
console.log(report);
