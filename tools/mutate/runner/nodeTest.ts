/**
 * The part of node:test that the unit tests use, for running them again and again in one process: node:test runs a file once per
 * process, and starting processes would take most of the time. What is missing here is missing at import, so that no test is
 * left out silently.
 */
export { mock } from 'node:test';

type Step = () => unknown;
type Context = { readonly name: string; after(step: Step): void };
type Body = (context: Context) => unknown;

type Suite = {
  readonly before: Step[];
  readonly after: Step[];
  readonly beforeEach: Step[];
  readonly afterEach: Step[];
  readonly entries: Entry[];
};
type Entry = { readonly name: string; readonly body: Body } | { readonly name: string; readonly suite: Suite };

/** What a person sees of the run: each test before it starts. */
export type Watch = (title: string) => void;

let current: Suite = emptySuite();
/** The first error that nothing waited for, thrown while a test was running. */
let stray: { readonly error: unknown } | undefined;

export function suite(name: string, ...rest: readonly unknown[]): Promise<void> {
  const define = functionIn(rest, name);
  if (define === undefined) return Promise.resolve();
  const outer = current;
  const inner = emptySuite();
  outer.entries.push({ name, suite: inner });
  current = inner;
  try {
    if (define({ name, after }) instanceof Promise)
      throw new TypeError(`${name}: a suite that is defined later is not supported here`);
  } finally {
    current = outer;
  }
  return Promise.resolve();
}

export function test(name: string, ...rest: readonly unknown[]): Promise<void> {
  const body = functionIn(rest, name);
  if (body !== undefined) current.entries.push({ name, body });
  return Promise.resolve();
}

/** The body of a suite or a test, unless it is to be skipped. */
function functionIn(rest: readonly unknown[], name: string): Body | undefined {
  const body = rest.at(-1);
  if (typeof body !== 'function') throw new TypeError(`${name}: without a body it is not supported here`);
  const { skip, todo } = (rest.length > 1 ? rest[0] : {}) as { readonly skip?: unknown; readonly todo?: unknown };
  return skip || todo ? undefined : (body as Body);
}

export function before(step: Step): void {
  current.before.push(step);
}

export function after(step: Step): void {
  current.after.push(step);
}

export function beforeEach(step: Step): void {
  current.beforeEach.push(step);
}

export function afterEach(step: Step): void {
  current.afterEach.push(step);
}

/**
 * Defines the tests of a file and runs them one after the other, until one fails.
 * @param define Imports the file.
 * @throws what the first test that fails throws; what is set up is taken down all the same.
 */
export async function runDefined(define: () => Promise<unknown>, watch: Watch): Promise<void> {
  const top = emptySuite();
  current = top;
  stray = undefined;
  await define();
  await runSuite(top, [], [], watch);
  // What a test has left behind may still throw.
  await new Promise((resolve) => void setImmediate(resolve));
  throwStray();
}

/** Told of an error that nothing waited for: it fails the test that is running. */
export function strayError(error: unknown): void {
  stray ??= { error };
}

async function runSuite(own: Suite, titles: readonly string[], outer: readonly Suite[], watch: Watch): Promise<void> {
  const around = [...outer, own];
  try {
    for (const step of own.before) await step();
    for (const entry of own.entries) {
      if ('suite' in entry) await runSuite(entry.suite, [...titles, entry.name], around, watch);
      else await runTest(entry.name, entry.body, [...titles, entry.name].join(' › '), around, watch);
    }
  } finally {
    for (const step of own.after) await step();
  }
}

async function runTest(name: string, body: Body, title: string, around: readonly Suite[], watch: Watch): Promise<void> {
  watch(title);
  const afterwards: Step[] = [];
  try {
    for (const { beforeEach: steps } of around) for (const step of steps) await step();
    await body({ name, after: (step) => void afterwards.push(step) });
  } finally {
    for (const { afterEach: steps } of around.toReversed()) for (const step of steps) await step();
    for (const step of afterwards) await step();
  }
  throwStray();
}

function throwStray(): void {
  if (stray !== undefined) throw stray.error;
}

function emptySuite(): Suite {
  return { before: [], after: [], beforeEach: [], afterEach: [], entries: [] };
}
