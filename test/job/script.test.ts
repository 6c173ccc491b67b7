// The script itself, as a person reads it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { findShellcheck } from './installation.ts';
import { SCRIPT } from './script.ts';
import { ALL_SHELLS, inShell } from './shells.ts';
import { smallJob } from './smallJob.ts';

const LINES = 210;
const COLUMNS = 120;

suite('The script', () => {
  test('passes shellcheck', async (context) => {
    const found = await findShellcheck();
    if ('missing' in found) return context.skip(found.missing);
    const complaints = await new Promise<string>((resolve) =>
      execFile(found.path, ['--norc', '-s', 'sh', SCRIPT], (error, stdout, stderr) =>
        resolve(error === null ? '' : `${error.message}\n${stdout}${stderr}`),
      ),
    );
    assert.equal(complaints, '');
  });

  test('is short enough to be read', async () => {
    const lines = (await readFile(SCRIPT, 'utf8')).trimEnd().split('\n');
    assert.ok(lines.length <= LINES, `${lines.length} lines`);
    assert.deepEqual(
      lines.filter((line) => line.length > COLUMNS),
      [],
    );
  });

  test('has only plain characters, so that no editor or shell shows it otherwise', async () => {
    const text = await readFile(SCRIPT, 'utf8');
    assert.deepEqual(text.match(/[^\n -~]/g) ?? [], []);
  });

  test('has no here-document, which is empty while the disk is full', async () => {
    assert.doesNotMatch(await readFile(SCRIPT, 'utf8'), /<</);
  });

  test('suppresses no advice of shellcheck', async () => {
    assert.doesNotMatch(await readFile(SCRIPT, 'utf8'), /shellcheck\s+disable/);
  });

  test('never turns on the trace, which would print the access token', async () => {
    assert.doesNotMatch(await readFile(SCRIPT, 'utf8'), /\bset\s+-\w*[xv]/);
  });

  for (const shell of ALL_SHELLS) {
    test(
      `prints how it is used, and sends nothing, in ${shell.name}`,
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const argument of ['--help', '-h']) {
          const { code, stdout, stderr } = await job.run({ DATAHUB_GMS_TOKEN: '', EXECUTE: 'yes' }, argument);
          assert.match(stdout, /EXECUTE=yes sh truncate\.sh +deletes\n/);
          assert.match(stdout, /DATAHUB_GMS_TOKEN_FILE/);
          for (const exit of [0, 1, 2, 3, 4, 5, 6, 75]) assert.match(stdout, new RegExp(`(?:^| )${exit} \\w`, 'm'));
          assert.doesNotMatch(stdout, /^#/m);
          assert.deepEqual([code, stderr, service.requests.length], [0, '', 0]);
        }
      }),
    );
  }
});
