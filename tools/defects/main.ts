// npm run defects: puts known defects back into a copy of the sources, one at a time, and lists those that their
// tests do not notice.
//
// npm run defects -- [--only text] [--suite unit|simulation|host|e2e]…
//
// --only selects defects whose name or files include the text. Ends with status 1 if a defect is not noticed, if its
// place does not exist exactly once, or if a suite fails without a change.
import { parseArgs } from 'node:util';
import { Copy } from './copy.ts';
import type { Defect } from './defect.ts';
import { DEFECTS } from './list.ts';
import { failedTitles, interruptSuite, runSuite } from './suites.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, suite: { type: 'string', multiple: true } },
});
const defects = DEFECTS.filter(
  ({ name, changes, suite }) =>
    [name, ...changes.map(({ file }) => file)].some((text) => text.includes(values.only)) &&
    (values.suite?.includes(suite) ?? true),
);
if (defects.length === 0) {
  console.error('There is no such defect in the list.');
  process.exit(1);
}

const copy = new Copy();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
/** True for suites that pass without a change. The failure of another one proves nothing. */
const unchanged = new Map<string, boolean>();
const bad: string[] = [];
try {
  for (const defect of defects) {
    const sentence = await tried(defect);
    console.log(`${sentence.startsWith('Noticed') ? '✔' : '✗'} ${defect.name}\n    ${sentence}`);
    if (!sentence.startsWith('Noticed')) bad.push(defect.name);
  }
} finally {
  copy.remove();
}
console.log(`\n${defects.length - bad.length} noticed, ${bad.length} not`);
process.exit(bad.length > 0 ? 1 : 0);

async function tried(defect: Defect): Promise<string> {
  const where = `${defect.suite} ${defect.only}`.trim();
  try {
    if (!(await passesUnchanged(defect))) return `The suite fails with nothing changed: ${where}`;
    const { passed, output } = await copy.during(defect.changes, () => runSuite(copy.folder, defect));
    if (passed) return `Not noticed: ${where}`;
    return `Noticed by ${failedTitles(output)[0] ?? `a suite that ends early: ${where}`}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function passesUnchanged({ suite, only }: Defect): Promise<boolean> {
  const key = `${suite} ${only}`;
  const known = unchanged.get(key);
  if (known !== undefined) return known;
  const { passed, output } = await runSuite(copy.folder, { suite, only });
  if (!passed) console.log(output.replaceAll(/^/gm, '    '));
  unchanged.set(key, passed);
  return passed;
}

function interrupted(): void {
  interruptSuite();
  copy.remove();
  process.exit(130);
}
