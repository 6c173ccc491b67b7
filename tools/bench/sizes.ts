import JSZip from 'jszip';
import { readFileSync } from 'node:fs';
import type { ActivationFigures } from './extensions/probe.ts';
import { figureTable } from './report.ts';

/**
 * The size of a package and of the parts that a window reads.
 * @param loaded files that the extension host runs after activation
 * @param pages addresses that each page requested, by the page's name
 */
export async function sizeTable(
  vsix: string,
  loaded: ActivationFigures['loaded'],
  pages: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
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
    ...Object.entries(pages).map(([name, addresses]): [string, string] => {
      const read = files.filter(({ path }) => addresses.some((address) => new URL(address).pathname.endsWith(path)));
      return [`bytes of the ${name}'s page`, text(read)];
    }),
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
