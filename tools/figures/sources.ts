/** Sources of the repository, with their importers. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { root } from '../paths.ts';
import { factsOf, type ImportFacts, type SourceFacts } from './facts.ts';

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

export function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .toSorted();
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

/** Paths and names of modules that each file imports. */
export function importsByFile(
  files: readonly SourceFacts[],
  isWanted: (one: ImportFacts) => boolean = () => true,
): Map<string, string[]> {
  return new Map(
    files.map(({ path, imports }) => [path, imports.filter(isWanted).map(({ name }) => importedPath(path, name))]),
  );
}

function importedPath(importer: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(importer), specifier) : specifier;
}

/** Files that are loaded with a file. */
export function reachableFrom(path: string, imported: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const pending = [...(imported.get(path) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next) || !imported.has(next)) continue;
    reached.add(next);
    pending.push(...(imported.get(next) ?? []));
  }
  return reached;
}

export function linesBelow(folder: string): number {
  return typescriptFiles(folder).reduce(
    (sum, path) => sum + readFileSync(join(root, path), 'utf8').replace(/\n$/, '').split('\n').length,
    0,
  );
}
