/** A change of the sources that no test noticed once, or a real defect of the past. */
export type Defect = {
  /** Wrong behaviour that it causes. */
  readonly name: string;
  readonly changes: readonly Change[];
  /** Part of the tests that must notice it, and its `--only` for `npm test`. */
  readonly suite: Suite;
  readonly only: string;
};

export type Change = {
  /** Relative to the repository's folder. */
  readonly file: string;
  /** Occurs in the file exactly once, ignoring white space. */
  readonly find: string;
  readonly replace: string;
};

/** A defect that a unit test must notice. @param only The test file, below `test/unit`. */
export function unit(name: string, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'unit', only };
}

export type Suite = 'unit' | 'invariants' | 'simulation' | 'host' | 'e2e';

/** @throws a sentence unless the text occurs exactly once, ignoring white space */
export function changed(source: string, { file, find, replace }: Change): string {
  const dense = [...source.matchAll(/\S/g)];
  const places = indexesOf(dense.map(([character]) => character).join(''), find.replaceAll(/\s/g, ''));
  const [first] = places;
  if (first === undefined || places.length > 1) {
    throw new Error(`Stands ${places.length} times in ${file}, not once: ${find}`);
  }
  const begin = dense[first]?.index ?? 0;
  const end = (dense[first + find.replaceAll(/\s/g, '').length - 1]?.index ?? 0) + 1;
  return source.slice(0, begin) + replace + source.slice(end);
}

function indexesOf(text: string, part: string): number[] {
  const indexes: number[] = [];
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + 1)) indexes.push(index);
  return indexes;
}
