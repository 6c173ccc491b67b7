import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../paths.ts';
import { packageFaults } from './contents.ts';
import { zipEntries } from './zip.ts';

const run = promisify(execFile);

/** Where the package is put. */
export const packageFile = join(root, 'metadata-service.vsix');

export type Package = { readonly file: string; readonly bytes: number; readonly files: number };

/**
 * Builds the bundles, packs them and looks at what came out.
 *
 * @throws with the builder's words, or with what is wrong with the package
 */
export async function buildPackage(): Promise<Package> {
  await runTool(['esbuild.config.mjs', '--production']);
  await runTool(['node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--allow-missing-repository', '--out', packageFile]);
  const archive = await readFile(packageFile);
  const entries = zipEntries(archive);
  const faults = packageFaults(entries, archive.length);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { file: packageFile, bytes: archive.length, files: entries.length };
}

async function runTool(toolArguments: readonly string[]): Promise<void> {
  try {
    await run(process.execPath, toolArguments, { cwd: root });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${toolArguments.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
