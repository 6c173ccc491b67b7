import { readFileSync } from 'node:fs';
import { zipEntries } from '../../package/zip.ts';
import type { BenchFigure } from '../table.ts';
import type { LoadedFile } from './extensions/task.ts';

const CODE = /\.[cm]?js$/;

/**
 * The size of a package and of the part that a window reads.
 * @param loaded files that the extension host runs after activation
 */
export function codeSizes(vsix: string, loaded: readonly LoadedFile[]): BenchFigure[] {
  const archive = readFileSync(vsix);
  const code = sum(filesIn(archive).filter(({ path }) => CODE.test(path)));
  return [
    { what: 'bytes of code read at activation', figure: `${text(sum(loaded))} in ${loaded.length} files` },
    {
      what: 'bytes of code read at activation ÷ bytes of all code in the package',
      figure: (sum(loaded) / code).toFixed(2),
    },
    { what: 'bytes of the package', figure: text(archive.length) },
  ];
}

/**
 * The size of a page.
 * @param resources addresses that it requested
 */
export function pageSize(vsix: string, resources: readonly string[]): string {
  const files = filesIn(readFileSync(vsix)).filter(({ path }) =>
    resources.some((address) => new URL(address).pathname.endsWith(path)),
  );
  return `${text(sum(files))} in ${files.length} files`;
}

function filesIn(archive: Buffer): readonly { readonly path: string; readonly bytes: number }[] {
  return zipEntries(archive).map(({ name, bytes }) => ({ path: name.replace(/^extension/, ''), bytes }));
}

function sum(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function text(bytes: number): string {
  return bytes.toLocaleString('en');
}
