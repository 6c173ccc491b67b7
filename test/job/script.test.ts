// The script itself, as a person reads it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { findShellcheck } from './shellcheck.ts';
import { SCRIPT } from './script.ts';

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

  for (const [title, pattern] of [
    ['has only plain characters, so that no editor or shell shows it otherwise', /[^\n -~]/],
    ['has no here-document, which is empty while the disk is full', /<</],
    ['suppresses no advice of shellcheck', /shellcheck\s+disable/],
    ['never turns on the trace, which would print the access token', /\bset\s+-\w*[xv]/],
  ] as const) {
    test(title, async () => assert.doesNotMatch(await readFile(SCRIPT, 'utf8'), pattern));
  }
});
