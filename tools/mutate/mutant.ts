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

/** Of a longer text, what differs is shown, and so much around it. */
const LONGEST = 160;
const AROUND = 40;

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** What is changed to what, on one line. */
export function changeText(was: string, is: string): string {
  const [before, after] = [oneLine(was), oneLine(is)];
  const from = before.length > LONGEST ? Math.max(0, lengthOfCommonStart(before, after) - AROUND) : 0;
  return `${shortened(before, from)} → ${shortened(after, from) || 'nothing'}`;
}

function shortened(text: string, from: number): string {
  const piece = text.slice(from, from + LONGEST);
  return `${from > 0 ? '… ' : ''}${piece}${from + LONGEST < text.length ? ' …' : ''}`;
}

function lengthOfCommonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
