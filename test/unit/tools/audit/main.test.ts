// npm run audit, where no registry answers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { root } from '../../../../tools/paths.ts';

/** Runs it with a registry at port 1, where nothing listens. */
async function audit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ lines: string[]; code: unknown }> {
  const child = spawn(process.execPath, ['tools/audit/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:1/', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { lines: printed.trimEnd().split('\n'), code };
}

for (const [situation, env] of [
  ['the registry is out of reach', {}],
  ['there is no npm', { npm_execpath: '', PATH: '' }],
] as const)
  test(`An audit while ${situation} says that nothing was checked, and fails only where answers are required`, async () => {
    const { lines, code } = await audit([], env);
    assert.match(lines[0] ?? '', /^- Known vulnerabilities in what ships: not checked \(.+\)\.$/);
    assert.match(lines[1] ?? '', /^- Signatures of the registry: not checked \(.+\)\.$/);
    assert.deepEqual([lines.slice(2), code], [['0 passed, 0 failed'], 0]);
    const required = await audit(['--required'], env);
    assert.deepEqual([required.lines.at(-1), required.code], ['0 passed, 2 failed', 1]);
  });
