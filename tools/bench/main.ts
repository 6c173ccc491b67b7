// npm run bench: measures how long the user waits, beside the minimum that does the same. Writes out/bench.md and
// asserts nothing.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outFolder } from '../paths.ts';
import { hostFigures } from './host.ts';

const { values } = parseArgs({ options: { windows: { type: 'string', default: '7' } } });
const report = `${await hostFigures(Number(values.windows))}\n`;
await mkdir(outFolder, { recursive: true });
await writeFile(join(outFolder, 'bench.md'), report);
console.log(report);
