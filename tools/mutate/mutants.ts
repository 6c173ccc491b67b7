/** All mutants of a source. */
import { LITERAL_OPERATORS } from './literals.ts';
import { changeText, identityOf, oneLine } from './mutant.ts';
import type { Mutant } from './mutant.ts';
import { EXPRESSION_OPERATORS } from './operators.ts';
import type { Change } from './operators.ts';
import { STATEMENT_OPERATORS } from './statements.ts';
import { places, treeOf } from './syntax.ts';

const OPERATORS = [...EXPRESSION_OPERATORS, ...STATEMENT_OPERATORS, ...LITERAL_OPERATORS];

/**
 * In the order of the source; each result once, and only those that can be parsed.
 * @param javascript As `stripped` gives it.
 */
export function mutantsOf(file: string, javascript: string): Mutant[] {
  const changes = new Map<string, Change>();
  for (const place of places(treeOf(javascript))) {
    for (const change of OPERATORS.flatMap((operator) => operator(place, javascript))) {
      changes.set(applied(change, javascript), change);
    }
  }
  const seen = new Map<string, number>();
  return [...changes]
    .filter(([result]) => result !== javascript && isSource(result))
    .map(([, change]) => change)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => numbered(mutantFrom(file, change, javascript), seen));
}

export function applied({ start, end, replacement }: Change, javascript: string): string {
  return javascript.slice(0, start) + replacement + javascript.slice(end);
}

function mutantFrom(file: string, change: Change, javascript: string): Mutant {
  const before = javascript.slice(0, change.start).split('\n');
  return {
    file,
    ...change,
    line: before.length,
    lineText: oneLine(javascript.split('\n')[before.length - 1] ?? ''),
    change: changeText(javascript.slice(change.start, change.end), change.replacement),
  };
}

/** What reads the same as one before it gets a number. */
function numbered(mutant: Mutant, seen: Map<string, number>): Mutant {
  const identity = identityOf(mutant);
  const count = (seen.get(identity) ?? 0) + 1;
  seen.set(identity, count);
  return count === 1 ? mutant : { ...mutant, change: `${mutant.change} (${count})` };
}

function isSource(javascript: string): boolean {
  try {
    treeOf(javascript);
    return true;
  } catch {
    return false;
  }
}
