import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { findPython } from '../../client/python.ts';
import { MissingPrerequisite } from '../../../tools/run/missingPrerequisite.ts';

const folder = mkdtempSync(join(tmpdir(), 'metadata-service-python-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a command that prints this answer instead of Python's. */
function pythonThatSays(name: string, answer: string): string {
  const command = join(folder, name);
  writeFileSync(command, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(command, 0o755);
  return command;
}

function missing(environment: NodeJS.ProcessEnv): Promise<string> {
  return findPython(environment).then(
    () => assert.fail('a Python was found'),
    (error: unknown) => {
      assert.ok(error instanceof MissingPrerequisite, String(error));
      return error.message;
    },
  );
}

suite('The Python for virtual environments', { skip: process.platform === 'win32' }, () => {
  test('is the one named in the environment', async () => {
    const command = pythonThatSays('fitting', '3 12 True 3.12.1 /usr');
    const python = await findPython({ PYTHON: command });
    assert.deepEqual(python, { command, leadingArguments: [], identity: '3.12.1 /usr' });
  });

  test('is missing if there is none', async () => {
    assert.match(await missing({ PATH: folder }), /^Python is missing: install Python 3\.11 or later with pip/);
  });

  test('must not be too old', async () => {
    const command = pythonThatSays('old', '3 10 True 3.10.13 /usr');
    assert.equal(await missing({ PYTHON: command }), `Python 3.11 or later is needed, and ${command} is Python 3.10.`);
  });

  test('must have pip', async () => {
    const command = pythonThatSays('bare', '3 12 False 3.12.1 /usr');
    assert.match(await missing({ PYTHON: command }), /^pip is missing: Python 3\.12 has no modules venv and ensurepip/);
  });
});
