// npm test: every suite, or the named parts.
//
// npm test -- [quick] [types|lint|unit|invariants|conformance|job|simulation|host|e2e|client|cluster]… [--only text]
// [--approve]
//
// quick stands for types, lint and unit, which take a minute and a half. --only selects files whose path includes the text,
// or else tests of the extension host whose title matches it. --approve makes the current look the pictures that later
// runs compare with.
import { env } from 'node:process';
import { format, parseArgs } from 'node:util';
import { MissingPrerequisite } from './missingPrerequisite.ts';
import { isPartName, PARTS, QUICK_PARTS, type Part, type PartName } from './parts.ts';
import { RunProgress } from './progress.ts';
import { addTallies, failedSuite, tallyLine, type Tally } from './tally.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, approve: { type: 'boolean' } },
});
const named = new Set(positionals.flatMap((name) => (name === 'quick' ? QUICK_PARTS : name)).filter(known));
const names = Object.keys(PARTS)
  .filter(isPartName)
  .filter((name) => (named.size === 0 ? !isOnlyWhenNamed(name) : named.has(name)));

// Child processes inherit this. Pictures can only be compared in the same browser.
if (values.approve === true) Object.assign(env, { APPROVE_PICTURES: 'true', CHROME_PATH: 'bundled' });

const interruption = new AbortController();
process.on('SIGINT', () => interruption.abort());
// The VS Code of host suites only handles an interruption.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.kill(process.pid, 'SIGINT'));

const progress = new RunProgress(process.stdout);
// Other output, such as the installation of a browser, is printed above the redrawn lines.
console.log = (...words: unknown[]) => progress.print(format(...words));

// Each part awaits its own preparation and reports failures.
for (const name of names) preparationOf(name).catch(() => undefined);

const ends: Promise<Tally>[] = [];
for (const name of names) {
  const part: Part = PARTS[name];
  if (part.waitsForAll === true) await Promise.all(ends);
  const end = runPart(name);
  ends.push(end);
  if (part.runsBeside !== true) await end;
}
const tallies = await Promise.all(ends);

const total = addTallies(tallies);
for (const { title, message } of total.failures) console.log(`\n✗ ${title}\n${message.replaceAll(/^/gm, '    ')}`);
console.log(`\n${tallyLine(total)}`);
process.exit(total.failures.length > 0 ? 1 : 0);

async function runPart(name: PartName): Promise<Tally> {
  const part: Part = PARTS[name];
  const shown = progress.begin(part.title);
  const tally = await part
    .run({ only: values.only, signal: interruption.signal, progress: shown })
    .catch((error: unknown) => brokenPart(part, error));
  shown.end(tally);
  if (interruption.signal.aborted) process.exit(130);
  return tally;
}

async function preparationOf(name: PartName): Promise<unknown> {
  const part: Part = PARTS[name];
  return part.prepare?.();
}

function isOnlyWhenNamed(name: PartName): boolean {
  const part: Part = PARTS[name];
  return part.onlyWhenNamed === true;
}

function brokenPart(part: Part, error: unknown): Tally {
  if (error instanceof MissingPrerequisite) return failedSuite(part.title, error.message);
  return failedSuite(part.title, error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function known(name: string): name is PartName {
  if (isPartName(name)) return true;
  console.error(`There is no part ${name}. The parts are ${Object.keys(PARTS).join(', ')}.`);
  return process.exit(1);
}
