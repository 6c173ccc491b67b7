import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../host/vscode/processes.ts';

/** A server that starts a child, prints its PID, and stays. */
const SERVER = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  child.on('spawn', () => console.log('ready ' + process.pid + ' ' + child.pid));
  setInterval(() => {}, 1000);`;

const READY = /ready (\d+) (\d+)/;

function start(script: string) {
  return startProcess({ name: 'The server', command: process.execPath, arguments: ['-e', script], ready: READY });
}

test('is running once it reports that it is ready, and stops with its children', async () => {
  const server = await start(SERVER);
  const pids = server.match.slice(1).map(Number);
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await server.stop();
  await untilGone(pids);
  await server.stop();
});

test('is stopped even if it ignores the request', async () => {
  const server = await start(
    `process.on('SIGTERM', () => {}); console.log('ready ' + process.pid + ' 0'); setInterval(() => {}, 1000);`,
  );
  await server.stop();
  await untilGone([Number(server.match[1])]);
});

test('is reported with its last output if it ends before it is ready', async () => {
  await assert.rejects(
    start(`console.error('no such option'); process.exit(3)`),
    /The server ended before it was ready:\nno such option/,
  );
});

test('ends with the program that started it, even if that is killed', async () => {
  const processes = fileURLToPath(new URL('../../host/vscode/processes.ts', import.meta.url));
  const program = `
    import { startProcess } from ${JSON.stringify(processes)};
    const { match } = await startProcess({
      name: 'The server', command: process.execPath, arguments: ['-e', ${JSON.stringify(SERVER)}], ready: ${READY},
    });
    console.log(match[0]);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(starter.stdout, 'data')) as [Buffer];
  const pids = (READY.exec(chunk.toString()) ?? []).slice(1).map(Number);
  assert.deepEqual(pids.map(isAlive), [true, true]);
  starter.kill('SIGKILL');
  await untilGone(pids);
});

async function untilGone(pids: readonly number[]): Promise<void> {
  // The test's own time limit ends this if one of them keeps running.
  while (pids.some(isAlive)) await pause(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Ended, but not reaped by its parent yet. Without /proc, an orphan is reaped at once. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
