import { relative } from 'node:path';
import { root } from '../paths.ts';
import { TEST_LIMIT_MS } from './testLimit.ts';
import { addTallies, EMPTY_TALLY, type Tally } from './tally.ts';

/** Fields of node:test's events that are read. */
export type TestEvent = {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details?: {
    readonly type?: string | undefined;
    readonly duration_ms?: number | undefined;
    readonly error?: (Error & { readonly failureType?: string; readonly cause?: unknown }) | undefined;
  };
};

const NO_TEST = 'There is no test in this file.';

/** Counts the tests of a node:test run by its events, not the suites around them. */
export class TestEvents {
  readonly #tallies = new Map<string, Tally>();
  /** Titles of the suites around the reported test. Events of one file are in order. */
  readonly #titles = new Map<string, string[]>();
  readonly #stderr = new Map<string, string>();
  readonly #testLimit: number;

  /** @param testLimit in ms */
  constructor(testLimit = TEST_LIMIT_MS) {
    this.#testLimit = testLimit;
  }

  started(event: TestEvent): void {
    const titles = this.#titles.get(event.file ?? '') ?? [];
    this.#titles.set(event.file ?? '', [...titles.slice(0, event.nesting), event.name]);
  }

  passed(event: TestEvent): void {
    if (event.details?.type === 'suite') return;
    // A file without tests is reported as a passed test with the file's name.
    if (event.name === event.file) this.#fail(event, NO_TEST);
    // One that blocked the process could not be stopped in time.
    else if ((event.details?.duration_ms ?? 0) > this.#testLimit)
      this.#fail(event, `It took longer than ${this.#testLimit / 1000} s.`);
    else if (isSet(event.skip) || isSet(event.todo)) this.#add(event, { ...EMPTY_TALLY, skipped: 1 });
    else this.#add(event, { ...EMPTY_TALLY, passed: 1 });
  }

  failed(event: TestEvent): void {
    const error = event.details?.error;
    if (error?.failureType === 'subtestsFailed') return;
    const cause = error?.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : error?.message;
    // Standard error says why a file cannot be loaded.
    const said = event.name === event.file ? `\n${this.saidBy(event.file)}` : '';
    this.#fail(event, (cause ?? 'It failed without an error.') + said);
  }

  said(file: string, text: string): void {
    this.#stderr.set(file, (this.#stderr.get(file) ?? '') + text);
  }

  /** Standard error of a file's process. */
  saidBy(file: string): string {
    return this.#stderr.get(file) ?? '';
  }

  /**
   * Ends a file whose tests should have run by now. One without tests that shared its process is not reported
   * otherwise.
   */
  ended(file: string): void {
    if (!this.#tallies.has(file)) this.#fail({ name: file, nesting: 0, file }, NO_TEST);
  }

  ofFile(file: string): Tally {
    return this.#tallies.get(file) ?? EMPTY_TALLY;
  }

  tally(): Tally {
    return addTallies([...this.#tallies.values()]);
  }

  #fail(event: TestEvent, message: string): void {
    const file = event.file === undefined ? '' : relative(root, event.file);
    const titles =
      event.name === event.file
        ? []
        : [...(this.#titles.get(event.file ?? '') ?? []).slice(0, event.nesting), event.name];
    this.#add(event, { ...EMPTY_TALLY, failures: [{ title: [file, ...titles].join(' › '), message }] });
  }

  #add(event: TestEvent, tally: Tally): void {
    const file = event.file ?? '';
    this.#tallies.set(file, addTallies([this.ofFile(file), tally]));
  }
}

function isSet(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}
