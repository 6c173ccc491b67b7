import type { Metafile } from 'esbuild';
import JSZip from 'jszip';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { translationFiles } from '../l10n/translationFiles.ts';
import { outFolder, root } from '../paths.ts';
import { bundledPackages, type BundledPackage } from './bundled.ts';
import { METAFILE } from './bundles.ts';
import { packageFaults } from './packageFaults.ts';
import type { PackageOptions } from './options.ts';
import { sourceDate } from './sourceDate.ts';
import { stagePackage } from './staging.ts';
import { sha256 } from './verification.ts';

const run = promisify(execFile);

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;

/** Path of the package. Has the version in its name, so that an older package is not taken for this one. */
export const packageFile = join(root, `${name}-${version}.vsix`);

/** Files about the package, beside it: its SHA-256 and its bill of materials. */
export const checksumFile = `${packageFile}.sha256`;
export const billFile = packageFile.replace(/\.vsix$/, '.spdx.json');

/** Folder with all that goes into the package. */
const STAGING = join(outFolder, 'package');

/** The package until it is whole and checked. What is interrupted or refused never has the name of a release. */
const UNCHECKED = join(outFolder, basename(packageFile));

export type BuiltPackage = {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly files: number;
  /** Packages with code in it. */
  readonly bundled: readonly BundledPackage[];
  /** Date of all files in it: Unix time in s. */
  readonly date: number;
};

/**
 * Builds the bundles, packs them and checks the result. The same commit makes the same bytes on the same platform:
 * time, time zone, locale, umask and the folder of the repository make no difference.
 *
 * @throws with the builder's output, or with the faults of the package
 */
export async function buildPackage(options: PackageOptions = {}): Promise<BuiltPackage> {
  const date = sourceDate(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), process.env['SOURCE_DATE_EPOCH']);
  await runTool(root, ['esbuild.config.mjs', '--production']);
  const bundled = await bundledPackages(
    root,
    JSON.parse(await readFile(join(root, METAFILE), 'utf8')) as Pick<Metafile, 'outputs'>,
  );
  await stagePackage(root, STAGING, bundled, options);
  await pack(date);
  const archive = await readFile(UNCHECKED);
  const names = Object.keys((await JSZip.loadAsync(archive)).files);
  const faults = packageFaults(names, archive.length, await readdir(join(root, 'dist')), translationFiles());
  if (faults.length > 0) throw new Error(faults.join('\n'));
  // They would be about an earlier package.
  for (const file of [checksumFile, billFile]) await rm(file, { force: true });
  await rename(UNCHECKED, packageFile);
  return {
    file: packageFile,
    sha256: sha256(archive),
    bytes: archive.length,
    files: names.length,
    bundled,
    date,
  };
}

/** A ZIP archive has local times, and vsce sorts its files by the locale once it is given a date. */
async function pack(date: number): Promise<void> {
  const vsce = fileURLToPath(import.meta.resolve('@vscode/vsce/vsce'));
  const packing = ['--no-dependencies', '--allow-missing-repository', '--out', UNCHECKED];
  await runTool(STAGING, [vsce, 'package', ...packing], { SOURCE_DATE_EPOCH: String(date), TZ: 'UTC', LC_ALL: 'C' });
}

async function runTool(folder: string, toolArguments: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  try {
    await run(process.execPath, toolArguments, { cwd: folder, env: { ...process.env, ...env } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${toolArguments.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
