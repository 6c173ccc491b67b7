/** Mutants that no test can notice, each with the reason: they behave as the source does. */
import { readFileSync } from 'node:fs';
import { identityOf } from './mutant.ts';
import type { Mutant } from './mutant.ts';

/** By file: the line that is changed, the change as the report shows it, and why nothing follows from it. */
type List = Readonly<
  Record<string, readonly { readonly line: string; readonly change: string; readonly why: string }[]>
>;

export function readEquivalents(): Set<string> {
  const list = JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8')) as List;
  const entries = Object.entries(list).flatMap(([file, ones]) => ones.map((one) => ({ file, ...one })));
  const unargued = entries.filter(({ why }) => why.trim().length < 10);
  if (unargued.length > 0)
    throw new Error(`Without a reason: ${unargued.map(({ file, change }) => `${file}: ${change}`).join('; ')}`);
  return new Set(entries.map(({ file, line, change }) => identityOf({ file, lineText: line, change })));
}

/** Entries of the files that fit no mutant any more. */
export function staleEntries(equivalents: ReadonlySet<string>, mutants: readonly Mutant[]): string[] {
  const there = new Set(mutants.map(identityOf));
  const files = [...new Set(mutants.map(({ file }) => `${file} | `))];
  return [...equivalents].filter((entry) => files.some((file) => entry.startsWith(file)) && !there.has(entry));
}
