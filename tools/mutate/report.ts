/** The table of a run, what was not noticed, and whether that is good enough. */
import type { Mutant, Outcome } from './mutant.ts';

/** A mutant and what became of it; `equivalent`: argued to behave as the source does, and not tried. */
export type Tried = { readonly mutant: Mutant; readonly outcome: Outcome | { readonly status: 'equivalent' } };

export const LEAST_PERCENT_KILLED = 95;
export const MOST_PERCENT_EQUIVALENT = 5;

type Counts = Readonly<Record<Tried['outcome']['status'], number>> & { readonly all: number };

export function countsOf(tried: readonly Tried[]): Counts {
  const count = (status: Tried['outcome']['status']): number =>
    tried.filter(({ outcome }) => outcome.status === status).length;
  return {
    all: tried.length,
    killed: count('killed'),
    timeout: count('timeout'),
    survived: count('survived'),
    uncovered: count('uncovered'),
    equivalent: count('equivalent'),
  };
}

/** Of those that are not equivalent. */
export function percentKilled({ all, killed, timeout, equivalent }: Counts): number {
  return all === equivalent ? 100 : ((killed + timeout) / (all - equivalent)) * 100;
}

export function isGoodEnough(tried: readonly Tried[]): boolean {
  const counts = countsOf(tried);
  return (
    percentKilled(counts) >= LEAST_PERCENT_KILLED && counts.equivalent <= (counts.all * MOST_PERCENT_EQUIVALENT) / 100
  );
}

export function table(tried: readonly Tried[]): string {
  const files = [...new Set(tried.map(({ mutant }) => mutant.file))].toSorted();
  const lines = files.map((file) =>
    line(
      file,
      tried.filter(({ mutant }) => mutant.file === file),
    ),
  );
  const head = [
    '| file | mutants | killed | timeout | survived | not covered | equivalent | noticed |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
  ];
  return [...head, ...lines, line('all', tried)].join('\n');
}

function line(name: string, tried: readonly Tried[]): string {
  const counts = countsOf(tried);
  const { all, killed, timeout, survived, uncovered, equivalent } = counts;
  return `| ${[name, all, killed, timeout, survived, uncovered, equivalent, `${percentKilled(counts).toFixed(1)}%`].join(' | ')} |`;
}

/** Each with its place and the change. */
export function unnoticed(tried: readonly Tried[]): string {
  return tried
    .filter(({ outcome }) => outcome.status === 'survived' || outcome.status === 'uncovered')
    .map(
      ({ mutant, outcome }) =>
        `${mutant.file}:${mutant.line} ${outcome.status}\n    ${mutant.lineText}\n    ${mutant.change}`,
    )
    .join('\n');
}
