/** A temporary copy of the repository, in which defects are put back one at a time. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { root } from '../paths.ts';
import { parseSource } from '../syntax.ts';
import { changed, type Change } from './defect.ts';

/** Large and unchanged by tests, so shared with the repository. */
const SHARED = ['node_modules', '.vscode-test'];
/** Not needed, or generated. */
const LEFT_OUT = new Set([...SHARED, '.git', 'out', 'dist']);

export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'metadata-service-defects-'));

  constructor() {
    cpSync(root, this.folder, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(root, path)) });
    for (const name of SHARED.filter((one) => existsSync(join(root, one))))
      symlinkSync(join(root, name), join(this.folder, name), 'junction');
  }

  /**
   * Does the work while the changes are made.
   * @throws a sentence if a text does not exist exactly once, or if the result cannot be parsed
   */
  async during<T>(changes: readonly Change[], work: () => Promise<T>): Promise<T> {
    const originals = new Map<string, string>();
    try {
      for (const change of changes) {
        const path = join(this.folder, change.file);
        const source = readFileSync(path, 'utf8');
        if (!originals.has(path)) originals.set(path, source);
        writeFileSync(path, changed(source, change));
      }
      for (const path of originals.keys()) assertSource(path);
      return await work();
    } finally {
      for (const [path, source] of originals) writeFileSync(path, source);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Every test would notice a file that cannot be parsed. */
function assertSource(path: string): void {
  if (!path.endsWith('.ts')) return;
  try {
    parseSource(path, readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`Is no source any more: ${basename(dirname(path))}/${basename(path)}`, { cause: error });
  }
}
