// Runs the suites in VS Code's extension host.
//
// hostEngines.ts [--engine oldest|newest]… [--desktop] [--only text]
//
// Without --desktop they run in a VS Code in the browser, installed from the package registry; with it, in desktop
// ones that @vscode/test-electron downloads.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runHostSuites } from '../../test/host/hostSuites.ts';
import type { Engine } from '../../test/host/vscode/codeServer.ts';
import { root } from '../paths.ts';
import { RunProgress } from './progress.ts';
import { addTallies, tallyLine, type Tally } from './tally.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    desktop: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const engines = (values.engine ?? (values.desktop ? ['oldest', 'newest'] : ['newest'])).map(engineNamed);

execFileSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, stdio: 'inherit' });
const progress = new RunProgress(process.stdout);
const tallies: Tally[] = [];
for (const engine of engines) {
  const part = progress.begin(`Extension host, ${engine} engine${values.desktop ? ', desktop' : ''}`);
  // One VS Code at a time.
  const tally = await runHostSuites(
    { kind: values.desktop ? 'desktop' : 'browser', engine },
    { only: values.only, progress: part },
  );
  part.end(tally);
  tallies.push(tally);
}
const total = addTallies(tallies);
for (const { title, message } of total.failures) console.error(`\n✗ ${title}\n${message}`);
console.log(tallyLine(total));
process.exitCode = total.failures.length > 0 ? 1 : 0;

function engineNamed(name: string): Engine {
  if (name === 'oldest' || name === 'newest') return name;
  console.error(`--engine is oldest or newest, not ${name}.`);
  return process.exit(1);
}
