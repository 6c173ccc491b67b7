import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CodeServer } from '../../host/vscode/codeServer.ts';
import { outFolder } from '../../../tools/paths.ts';

const run = promisify(execFile);

/**
 * Fills the extensions folder of a VS Code with packages. They're installed once, with VS Code's own command, for any
 * number of VS Codes: entries of the folder are relative to it.
 *
 * @param files packages
 * @throws with VS Code's output if one cannot be installed
 */
export async function installExtensions(
  release: CodeServer,
  files: readonly string[],
  target: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  if (files.length === 0) return;
  const digest = createHash('sha256').update(release.version);
  for (const file of files) digest.update(await readFile(file));
  const parent = join(outFolder, 'e2e', 'installed');
  const folder = join(parent, digest.digest('hex').slice(0, 16));
  if (!existsSync(folder)) await install(release, files, parent, folder, env);
  await cp(folder, target, { recursive: true });
}

async function install(
  release: CodeServer,
  files: readonly string[],
  parent: string,
  folder: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  await mkdir(parent, { recursive: true });
  const partial = await mkdtemp(join(parent, 'partial-'));
  try {
    const extensions = join(partial, 'extensions');
    const config = join(partial, 'config.yaml');
    const folders = ['--config', config, '--user-data-dir', join(partial, 'user'), '--extensions-dir', extensions];
    const installing = files.flatMap((file) => ['--install-extension', file]);
    await run(release.node, [release.entry, ...folders, ...installing, '--force'], { env });
    await rename(extensions, folder).catch((error: unknown) => {
      // Another process was faster, with the same content.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
