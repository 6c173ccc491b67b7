// npm run bench: measures how long the user waits, beside the minimum that does the same. Writes out/bench.md and
// asserts nothing.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outFolder } from '../paths.ts';
import { clientFigures } from './client.ts';
import { hostFigures } from './host.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, windows: { type: 'string', default: '7' } },
});
const sections: string[] = [];
if (values.only !== 'host') sections.push('## The client beside bare requests', await clientFigures());
if (values.only !== 'client') sections.push(await hostFigures(Number(values.windows)));
const report = `${sections.join('\n\n')}\n`;
await mkdir(outFolder, { recursive: true });
await writeFile(join(outFolder, 'bench.md'), report);
console.log(report);
