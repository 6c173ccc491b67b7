/** The sources that are mutated, and which tests can reach them by their imports. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testFiles } from '../run/nodeSuite.ts';
import { root } from '../paths.ts';

/** What is pure. The rest is wiring, which the other suites are about. */
const FOLDERS = ['src/service', 'src/truncation'];
const FILES = ['src/indices/indexName.ts', 'src/ui/localTimeText.ts'];

/** Paths from the repository's folder, with slashes. */
export function mutatedFiles(): string[] {
  return [...FOLDERS.flatMap(filesIn), ...FILES].toSorted();
}

/** A file of tests, and everything of ours that it loads. */
export type TestFile = {
  readonly path: string;
  readonly loads: ReadonlySet<string>;
  /** Changes with every file of tests that it is made of, itself included; sources do not count. */
  readonly digest: string;
};

/** Unit tests that load one of the files. */
export function testsThatLoad(files: readonly string[]): TestFile[] {
  return (
    testFiles('test/unit')
      .map((path) => path.replaceAll('\\', '/'))
      // Those of this tool would test it with itself.
      .filter((path) => !path.startsWith('test/unit/tools/mutate/'))
      .map((path) => ({ path, loads: loadedBy(path) }))
      .filter(({ loads }) => files.some((file) => loads.has(file)))
      .map(({ path, loads }) => ({
        path,
        loads,
        digest: digestOf([...loads].filter((file) => /^(?:test|tools)\//.test(file))),
      }))
  );
}

/** The contents of files as a short text. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file}\0${readFileSync(join(root, file), 'utf8')}\0`);
  return hash.digest('base64url').slice(0, 16);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

const IMPORTS = /(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g;

/** By the text of the imports: types count too, which only makes the set a little larger. */
function loadedBy(path: string, loads = new Set<string>()): Set<string> {
  if (loads.has(path) || !existsSync(join(root, path))) return loads;
  loads.add(path);
  for (const [, specifier = ''] of readFileSync(join(root, path), 'utf8').matchAll(IMPORTS)) {
    loadedBy(join(dirname(path), specifier).replaceAll('\\', '/'), loads);
  }
  return loads;
}
