import { chmod, cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledPackage } from './bundled.ts';
import { packagedManifest } from './manifest.ts';
import { NOTICES_FILE, thirdPartyNotices } from './notices.ts';
import type { PackageOptions } from './options.ts';
import { DOCUMENTS, packagedDocument } from './documents.ts';

const COPIED = ['dist', 'l10n', 'media', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'];

/**
 * Lays out in a folder what vsce packs: copies from the repository, and the files that differ from it. So the
 * repository stays as it is, even if this is interrupted. `.vscodeignore` says which of the copies are packed.
 */
export async function stagePackage(
  repository: string,
  staging: string,
  bundled: readonly BundledPackage[],
  { address, links }: PackageOptions,
): Promise<void> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const translated = (await readdir(repository)).filter((name) => /^package\.nls\..*json$/.test(name));
  for (const name of [...COPIED, ...translated])
    await cp(join(repository, name), join(staging, name), { recursive: true });
  const read = (name: string): Promise<string> => readFile(join(repository, name), 'utf8');
  const documents = await Promise.all(
    DOCUMENTS.map(async (path) => [path, packagedDocument(path, await read(path), address)] as const),
  );
  const written = {
    ...Object.fromEntries(documents),
    'package.json': packagedManifest(await read('package.json'), links),
    [NOTICES_FILE]: thirdPartyNotices(bundled, await read('LICENSE')),
  };
  await mkdir(join(staging, 'docs'));
  for (const [name, text] of Object.entries(written)) await writeFile(join(staging, name), text);
  await setModes(staging);
}

/** An archive holds the modes of its files. In a work tree they depend on the user's umask. */
async function setModes(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) await chmod(path, 0o644);
  }
}
