/** What became of mutants in earlier runs, so that an interrupted run goes on and what nothing has changed for is not tried again. */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mutationFolder } from './baseline.ts';
import { identityOf } from './mutant.ts';
import type { Mutant, Outcome } from './mutant.ts';
import { digestOf } from './sources.ts';
import type { TestFile } from './sources.ts';
import { createHash } from 'node:crypto';

type Entry = Outcome & {
  /** The mutant in exactly this source. */
  readonly mutant: string;
  readonly identity: string;
  /** The tests that it depends on: the one that noticed, or all that could have. */
  readonly tests: string;
};

const FILE = join(mutationFolder, 'results.jsonl');

export class Memory {
  readonly #byMutant = new Map<string, Entry>();
  readonly #killers = new Map<string, string>();
  readonly #sources = new Map<string, string>();

  /** @param fresh Forget everything first. */
  constructor(fresh: boolean) {
    mkdirSync(mutationFolder, { recursive: true });
    if (fresh) rmSync(FILE, { force: true });
    for (const entry of entriesIn(FILE)) this.#take(entry);
  }

  /** What became of it, if that still holds. */
  outcome(mutant: Mutant, reaching: readonly TestFile[]): Outcome | undefined {
    const entry = this.#byMutant.get(this.#keyOf(mutant));
    return entry !== undefined && entry.tests === testsKey(entry, reaching) ? entry : undefined;
  }

  /** The file of tests that noticed it the last time, whatever has changed since. */
  lastKiller(mutant: Mutant): string | undefined {
    return this.#killers.get(identityOf(mutant));
  }

  keep(mutant: Mutant, outcome: Outcome, reaching: readonly TestFile[]): void {
    const entry = {
      mutant: this.#keyOf(mutant),
      identity: identityOf(mutant),
      ...outcome,
      tests: testsKey(outcome, reaching),
    };
    this.#take(entry);
    appendFileSync(FILE, `${JSON.stringify(entry)}\n`);
  }

  #take(entry: Entry): void {
    this.#byMutant.set(entry.mutant, entry);
    if (entry.by !== undefined) this.#killers.set(entry.identity, entry.by);
  }

  #keyOf({ file, start, end, replacement }: Mutant): string {
    const source = this.#sources.get(file) ?? digestOf([file]);
    this.#sources.set(file, source);
    return createHash('sha256').update(`${source} ${start} ${end} ${replacement}`).digest('base64url').slice(0, 16);
  }
}

function testsKey({ by }: Outcome, reaching: readonly TestFile[]): string {
  const deciding = by === undefined ? reaching : reaching.filter(({ path }) => path === by);
  return createHash('sha256')
    .update(
      deciding
        .map(({ path, digest }) => `${path} ${digest}`)
        .toSorted()
        .join('\n'),
    )
    .digest('base64url')
    .slice(0, 16);
}

function entriesIn(file: string): Entry[] {
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(entryFrom);
  } catch {
    return [];
  }
}

/** The last line may be cut where a run was ended. */
function entryFrom(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}
