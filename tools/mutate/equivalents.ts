/** Mutants that no test can notice because they behave like the source, each with the reason. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { root } from '../paths.ts';

/**
 * A mutant in the notation of the list and the report: `src/a.ts | the whole line | before → after`, without
 * positions.
 */
export type DescribedMutant = {
  readonly identity: string;
  /** From 1. */
  readonly line: number;
  readonly status: MutantResult['status'];
};

/** The changed line, the change, and why it has no effect. */
type EquivalentMutant = { readonly line: string; readonly change: string; readonly why: string };

export function listEquivalents(): (EquivalentMutant & { readonly file: string })[] {
  const byFile = JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8')) as Readonly<
    Record<string, readonly EquivalentMutant[]>
  >;
  return Object.entries(byFile).flatMap(([file, ones]) => ones.map((one) => ({ file, ...one })));
}

/** Identities. @throws if an entry has no reason */
export function readEquivalents(): Set<string> {
  const entries = listEquivalents();
  const unargued = entries.filter(({ why }) => why.trim().length < 10);
  if (unargued.length > 0)
    throw new Error(`Without a reason: ${unargued.map(({ file, change }) => `${file}: ${change}`).join('; ')}`);
  return new Set(entries.map(({ file, line, change }) => identityOf(file, line, change)));
}

export function describeMutant(
  { fileName, location: { start, end }, replacement = '', status }: MutantResult,
  source: string,
): DescribedMutant {
  const lines = source.split('\n');
  const changed = lines.slice(start.line - 1, end.line);
  const [first = '', last = ''] = [changed[0], changed.at(-1)];
  changed[changed.length - 1] = last.slice(0, end.column - 1);
  changed[0] = (changed[0] ?? '').slice(start.column - 1);
  const change = `${oneLine(changed.join('\n'))} → ${oneLine(replacement)}`;
  const file = relative(root, fileName).replaceAll('\\', '/');
  return { identity: identityOf(file, first, change), line: start.line, status };
}

/** Entries of these files that no longer match a mutant. */
export function staleEntries(
  equivalents: ReadonlySet<string>,
  files: readonly string[],
  mutants: readonly DescribedMutant[],
): string[] {
  const there = new Set(mutants.map(({ identity }) => identity));
  return [...equivalents].filter((entry) => files.some((file) => entry.startsWith(`${file} | `)) && !there.has(entry));
}

function identityOf(file: string, line: string, change: string): string {
  return [file, line.trim(), change].join(' | ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
