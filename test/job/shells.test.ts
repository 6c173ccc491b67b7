// The shells and programs that the other tests of the script run with.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { ALL_SHELLS, inShell, TOOLS, type JobShell } from './shells.ts';

const run = promisify(execFile);

suite('The programs of a shell', () => {
  for (const shell of ALL_SHELLS) {
    test(
      `are only those that the script needs, in ${shell.name}`,
      inShell(shell, async (_context, found) => {
        const names = await readdir(found.tools);
        assert.deepEqual(names.toSorted(), ['sh', ...TOOLS].toSorted());
        for (const tool of TOOLS) assert.notEqual(await answer(found, `command -v ${tool}`), '', tool);
        assert.equal(await answer(found, 'command -v jq; command -v python3; true'), '');
      }),
    );

    test(
      `are busybox's own only there, in ${shell.name}`,
      inShell(shell, async (_context, found) => {
        for (const tool of ['awk', 'sed', 'date']) {
          const help = await answer(found, `${tool} --help 2>&1; true`);
          assert.equal(/BusyBox v\d/.test(help), shell.name === 'busybox', help);
        }
      }),
    );
  }
});

async function answer({ command, leadingArguments, tools }: JobShell, line: string): Promise<string> {
  const { stdout } = await run(command, [...leadingArguments, '-c', line], { env: { PATH: tools } });
  return stdout;
}
