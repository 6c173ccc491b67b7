import JSZip from 'jszip';
import { readFileSync } from 'node:fs';
import type { ActivationFigures } from './extensions/probe.ts';
import { PAGE_OPTIONS } from '../package/bundles.ts';
import { figureTable } from './report.ts';

/**
 * The size of a package and of the parts that a window reads.
 * @param loaded files that the extension host runs after activation
 */
export async function sizeTable(vsix: string, loaded: ActivationFigures['loaded']): Promise<string> {
  const archive = readFileSync(vsix);
  const entries = Object.values((await JSZip.loadAsync(archive)).files);
  const files = await Promise.all(
    entries.map(async (entry) => ({
      path: entry.name.replace(/^extension/, ''),
      bytes: (await entry.async('uint8array')).length,
    })),
  );
  const code = files.filter(({ path }) => /\.[cm]?js$/.test(path));
  return figureTable([
    ['bytes of code read at activation', text(loaded)],
    ['… ÷ bytes of all code in the package', (sum(loaded) / sum(code)).toFixed(2)],
    ...Object.keys(PAGE_OPTIONS.entryPoints).map((name): [string, string] => [
      `bytes of the ${name}'s page`,
      text(files.filter(({ path }) => path.startsWith(`/dist/${name}.`))),
    ]),
    ['bytes of the package', archive.length.toLocaleString('en')],
  ]);
}

type Sizes = readonly { readonly bytes: number }[];

function sum(files: Sizes): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function text(files: Sizes): string {
  return `${sum(files).toLocaleString('en')} in ${files.length} files`;
}
