import { readFileSync } from 'node:fs';
import { zipEntries } from '../../package/zip.ts';
import type { Figure } from '../table.ts';
import type { LoadedFile } from './extensions/task.ts';

const CODE = /\.[cm]?js$/;

/**
 * What is read of a package, by what a window really read.
 *
 * @param loaded what the extension host runs after activation
 * @param resources addresses of what the wizard's page asked for
 */
export function codeSizes(vsix: string, loaded: readonly LoadedFile[], resources: readonly string[]): Figure[] {
  const archive = readFileSync(vsix);
  const files = zipEntries(archive).map(({ name, bytes }) => ({ path: name.replace(/^extension/, ''), bytes }));
  const code = sum(files.filter(({ path }) => CODE.test(path)));
  const page = files.filter(({ path }) => resources.some((address) => new URL(address).pathname.endsWith(path)));
  return [
    { what: 'bytes of code read at activation', figure: `${text(sum(loaded))} in ${loaded.length} files` },
    {
      what: 'bytes of code read at activation ÷ bytes of all code in the package',
      figure: (sum(loaded) / code).toFixed(2),
    },
    { what: "bytes of the wizard's page", figure: `${text(sum(page))} in ${page.length} files` },
    { what: 'bytes of the package', figure: text(archive.length) },
  ];
}

function sum(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function text(bytes: number): string {
  return bytes.toLocaleString('en');
}
