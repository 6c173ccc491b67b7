/** One small change to one source. */
export type Mutant = {
  /** From the repository's folder. */
  readonly file: string;
  /** In the stripped source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line where the change begins, without the white space around it. */
  readonly lineText: string;
  /** `a < b → a <= b`, on one line. */
  readonly change: string;
};

/** What became of a mutant. A test that fails, or that never comes to an end, has noticed it. */
export type Outcome = {
  readonly status: 'killed' | 'survived' | 'timeout' | 'uncovered';
  /** The file of tests that noticed. */
  readonly by?: string | undefined;
  /** The test that noticed. */
  readonly test?: string | undefined;
};

/** How a mutant is written down for people and in the list of equivalents: it outlives a change elsewhere in its file. */
export function identityOf({ file, lineText, change }: Pick<Mutant, 'file' | 'lineText' | 'change'>): string {
  return `${file} | ${lineText} | ${change}`;
}

const LONGEST = 160;

/** A piece of source on one line, its middle left out where it is long. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST / 2)} … ${line.slice(-LONGEST / 2)}`;
}
