import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { TEST_LIMIT_MS } from '../../tools/run/testLimit.ts';
import { HOST_MARKS, HOST_VARIABLES } from './environment.ts';
import type { HostFailure, HostResults } from './results.ts';

/**
 * VS Code calls this inside the extension host. The bundles of the suites are next to this file's.
 *
 * @throws if a test failed, or if there was none
 */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: TEST_LIMIT_MS, reporter: Mocha.reporters.Base });
  const grep = process.env[HOST_VARIABLES.grep];
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  for (const name of process.env[HOST_VARIABLES.suites]?.split(',') ?? [])
    mocha.addFile(join(import.meta.dirname, 'suites', `${name}.mjs`));

  await mocha.loadFilesAsync();
  const results = await runMocha(mocha);
  const file = process.env[HOST_VARIABLES.results];
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
  if (results.failures.length > 0) throw new Error(`${results.failures.length} failed`);
  if (results.passed === 0 && grep === undefined) throw new Error('No test ran.');
}

/**
 * Mocha's base reporter prints nothing. The mark at the start of a line distinguishes it from the workbench's output.
 */
function runMocha(mocha: Mocha): Promise<HostResults> {
  const failures: HostFailure[] = [];
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, pending = 0 } = runner.stats ?? {};
      resolve({ vscode: vscode.version, passed: passes, skipped: pending, failures });
    });
    console.log(`${HOST_MARKS.count} ${runner.total}`);
    runner.on('pass', (test) => console.log(`${HOST_MARKS.passed} ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on('pending', (test) => console.log(`${HOST_MARKS.skipped} ${test.fullTitle()}`));
    runner.on('fail', (test, error: Error) => {
      const message = error.stack ?? error.message;
      // Printed at once, because an interrupted run leaves no results.
      console.log(`${HOST_MARKS.failed} ${test.fullTitle()}\n${message.replaceAll(/^/gm, '    ')}`);
      failures.push({ title: test.fullTitle(), message });
    });
  });
}
