import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, packageFile } from '../../../tools/package/build.ts';
import { root } from '../../../tools/paths.ts';

/** Sources of a package. A change in any of them makes the package stale. */
const SOURCES = [
  'src',
  'media',
  'package.json',
  'package-lock.json',
  'l10n',
  'tools/package',
  ...readdirSync(root).filter((name) => name.startsWith('package.nls.')),
  'esbuild.config.mjs',
  '.vscodeignore',
  'README.md',
  'docs',
  'CHANGELOG.md',
  'LICENSE',
];

/**
 * The package under test: the one that `METADATA_SERVICE_VSIX` names, otherwise the repository's own, rebuilt unless
 * it and its bundles are newer than all their sources.
 *
 * @throws with the builder's output
 */
export async function freshPackage(): Promise<string> {
  const named = process.env['METADATA_SERVICE_VSIX'];
  if (named !== undefined && named !== '') return named;
  const built = Math.min(youngestChange(packageFile), youngestChange(join(root, 'dist')));
  if (SOURCES.some((source) => youngestChange(join(root, source)) > built)) await buildPackage();
  return packageFile;
}

/** Last modification of a file, or of any below a folder: Unix time in ms, 0 if there is none. */
function youngestChange(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).reduce(
    (youngest, name) => Math.max(youngest, statSync(join(path, name)).mtimeMs),
    stats.mtimeMs,
  );
}
