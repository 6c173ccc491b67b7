/** A change of the sources that was once made on purpose and that no test noticed, or a defect that once was there. */
export type Defect = {
  /** What the extension does wrong with it. */
  readonly name: string;
  readonly changes: readonly Change[];
  /** The part of the tests that must notice, and what narrows it: `--only` of `npm test`. */
  readonly suite: Suite;
  readonly only: string;
};

export type Change = {
  /** From the repository's folder. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
};

export type Suite = 'unit' | 'simulation' | 'host' | 'e2e';

/** @throws a sentence where the text is not there exactly once. */
export function changed(source: string, { file, find, replace }: Change): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`Stands ${count} times in ${file}, not once: ${find}`);
  // A function, since a text would have its dollar signs read.
  return source.replace(find, () => replace);
}
