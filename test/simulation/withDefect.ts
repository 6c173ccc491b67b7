import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../paths.ts';
import type { Defect } from './defects.ts';

const run = promisify(execFile);

/** Enough for the rarest of them to show many times. */
const SCHEDULES = 3_000;

/** Runs schedules against a copy of the source with a defect in it. @returns what they found. */
export async function withDefect({ changes }: Defect): Promise<readonly string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'metadata-service-defect-'));
  try {
    await Promise.all([
      cp(join(root, 'src'), join(copy, 'src'), { recursive: true }),
      cp(join(root, 'test', 'simulation'), join(copy, 'test', 'simulation'), { recursive: true }),
      cp(join(root, 'package.json'), join(copy, 'package.json')),
      symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction'),
    ]);
    for (const { file, find, replace } of changes) {
      const path = join(copy, file);
      const source = await readFile(path, 'utf8');
      if (source.split(find).length !== 2) throw new Error(`Not exactly once in ${file}: ${find}`);
      await writeFile(path, source.replace(find, () => replace));
    }
    const program = join(copy, 'test', 'simulation', 'main.ts');
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--schedules', String(SCHEDULES)]).catch(
      (failed: { stdout: string }) => failed,
    );
    return stdout.split('\n').filter((line) => line.startsWith('✗') && !line.startsWith('✗ No schedule'));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
