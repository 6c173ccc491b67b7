/** Mutated sources, and the unit tests that load them. */
import { readFacts } from '../figures/sourceFiles.ts';
import { importsByFile, reachableFrom } from '../sources.ts';

/** Mostly pure. The rest is wiring, which other suites test. */
const FOLDERS = ['src/service/', 'src/truncation/', 'src/rowsByAge/', 'src/recipe/'];

export type MutationScope = {
  /** Relative to the repository's folder. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
};

/** @param parts only sources whose path includes one of them */
export function readMutationScope(parts: readonly string[]): MutationScope {
  const imported = importsByFile(['src', 'test', 'tools'].flatMap(readFacts), ({ kind }) => kind !== 'type');
  const loadedByTest = [...imported.keys()]
    .filter((path) => path.startsWith('test/unit/') && path.endsWith('.test.ts'))
    .map((path) => ({ path, loaded: reachableFrom(path, imported) }))
    // StrykerJS rewrites the sources, so a test that reads their text fails.
    .filter(({ path, loaded }) => !path.startsWith('test/unit/tools/') && !loaded.has('tools/sources.ts'));
  const sources = [...imported.keys()].filter(
    (path) =>
      FOLDERS.some((folder) => path.startsWith(folder)) &&
      parts.some((part) => path.includes(part)) &&
      loadedByTest.some(({ loaded }) => loaded.has(path)),
  );
  const tests = loadedByTest.filter(({ loaded }) => sources.some((path) => loaded.has(path)));
  return { sources, tests: tests.map(({ path }) => path) };
}
