import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { translationFiles } from '../l10n/translations.ts';
import { outFolder, root } from '../paths.ts';
import { packageFaults } from './contents.ts';
import type { PublicAddress } from './publicAddress.ts';
import { packagedReadme } from './readme.ts';
import { zipEntries } from './zip.ts';

const run = promisify(execFile);

/** Path of the package. */
export const packageFile = join(root, 'metadata-service.vsix');

export type BuiltPackage = { readonly file: string; readonly bytes: number; readonly files: number };

/**
 * Builds the bundles, packs them and checks the result.
 *
 * @param address of the README's pictures and links; without one it has neither
 * @throws with the builder's output, or with the faults of the package
 */
export async function buildPackage(address?: PublicAddress): Promise<BuiltPackage> {
  await runTool(['esbuild.config.mjs', '--production']);
  const packing = ['--no-dependencies', '--allow-missing-repository', '--out', packageFile];
  await runTool(['node_modules/@vscode/vsce/vsce', 'package', ...packing, '--readme-path', await writeReadme(address)]);
  const archive = await readFile(packageFile);
  const entries = zipEntries(archive);
  const faults = packageFaults(entries, archive.length, await readdir(join(root, 'dist')), translationFiles());
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { file: packageFile, bytes: archive.length, files: entries.length };
}

/**
 * Writes the README of a package.
 * @returns its path relative to the repository's folder, as vsce requires
 */
async function writeReadme(address?: PublicAddress): Promise<string> {
  const markdown = await readFile(join(root, 'README.md'), 'utf8');
  await mkdir(outFolder, { recursive: true });
  await writeFile(join(outFolder, 'README.md'), packagedReadme(markdown, address));
  return 'out/README.md';
}

async function runTool(toolArguments: readonly string[]): Promise<void> {
  try {
    await run(process.execPath, toolArguments, { cwd: root });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${toolArguments.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
