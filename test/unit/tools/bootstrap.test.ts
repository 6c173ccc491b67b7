import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../../../tools/paths.ts';

test("runs a program with its arguments in the repository's folder, and returns its exit code", () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/bootstrap.mjs', 'tools/run/main.ts', 'coffee'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.match(stderr, /^There is no part coffee\./);
  assert.equal(status, 1);
});
