/** Sources of the repository, with their importers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { importsByFile, reachableFrom, typescriptFiles } from '../sources.ts';
import { factsOf, type SourceFacts } from './facts.ts';

export type SourceFile = SourceFacts & {
  /** Files of the same folder that import it, including for a type or by `import()`. */
  readonly importers: readonly string[];
  /** Files in the same circle of imports, itself included. Empty without a circle. */
  readonly circle: readonly string[];
};

/** All TypeScript below a folder, such as `src`. */
export function readSourceFiles(folder: string): SourceFile[] {
  return linkedFiles(readFacts(folder));
}

export function readFacts(folder: string): SourceFacts[] {
  return typescriptFiles(folder).map((path) => factsOf(path, readFileSync(join(root, path), 'utf8')));
}

export function linkedFiles(files: readonly SourceFacts[]): SourceFile[] {
  const imported = importsByFile(files);
  const reached = new Map(files.map(({ path }) => [path, reachableFrom(path, imported)]));
  return files.map((facts) => ({
    ...facts,
    importers: files.flatMap(({ path }) => (imported.get(path)?.includes(facts.path) === true ? [path] : [])),
    circle: files.flatMap(({ path }) =>
      reached.get(facts.path)?.has(path) === true && reached.get(path)?.has(facts.path) === true ? [path] : [],
    ),
  }));
}

export function linesBelow(folder: string): number {
  return typescriptFiles(folder).reduce(
    (sum, path) => sum + readFileSync(join(root, path), 'utf8').replace(/\n$/, '').split('\n').length,
    0,
  );
}
