import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { QUICK_TIME_VARIABLE, quickTimeArguments } from '../../host/vscode/quickTime.ts';

const run = promisify(execFile);
/** Measures a timer by each clock, in s. */
const PROGRAM = `
  const [began, monotonic, real] = [Date.now(), performance.now(), process.hrtime.bigint()];
  const clock = { after: (millis, run) => setTimeout(run, millis) };
  const print = () => {
    const passed = [Date.now() - began, performance.now() - monotonic, Number(process.hrtime.bigint() - real) / 1e6];
    if (!Number.isInteger(Date.now())) throw new Error('The time is no whole number of milliseconds.');
    console.log(JSON.stringify(passed.map((millis) => Math.floor(millis / 1000))));
  };
  class Transport {
    async exchange(millis) {
      clock.after(millis, print);
    }
  }
  const millis = Number(process.argv[2]);
  if (process.argv[3] === 'wait') clock.after(millis, print);
  else void new Transport().exchange(millis);
`;

suite('Quick time in an extension host', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'metadata-service-quick-'));
    for (const name of ['dist', 'other']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'program.cjs'), PROGRAM);
    }
  });
  after(() => rm(folder, { recursive: true }));

  test('ends a wait of the extension at once, and moves its clocks', async () => {
    await writeFile(join(folder, 'now'), '');
    const [wall = 0, monotonic = 0, real = 0] = await waited('dist', 'now', 20_000);
    assert.ok(wall >= 20 && monotonic >= 20 && real < 15, JSON.stringify([wall, monotonic, real]));
  });

  test('does not shorten waits while no file requests it, or those of VS Code', async () => {
    await writeFile(join(folder, 'now'), '');
    for (const [place, file] of [
      ['dist', 'never'],
      ['other', 'now'],
    ] as const) {
      const [wall = 0, , real = 0] = await waited(place, file, 1_200);
      assert.ok(real >= 1 && wall - real <= 1, JSON.stringify([wall, real]));
    }
  });

  test('does not shorten the limit of a request, which may be waiting for VS Code', async () => {
    await writeFile(join(folder, 'now'), '');
    const [wall = 0, , real = 0] = await waited('dist', 'now', 1_200, 'request');
    assert.ok(real >= 1 && wall - real <= 1, JSON.stringify([wall, real]));
  });

  test('is not loaded if the environment names no file', () => {
    assert.deepEqual(quickTimeArguments(), []);
  });

  async function waited(place: string, file: string, millis: number, kind = 'wait'): Promise<number[]> {
    const env = { ...process.env, [QUICK_TIME_VARIABLE]: join(folder, file) };
    const loading = ['--require', join(import.meta.dirname, '../../host/vscode/quickTime.cjs')];
    const program = join(folder, place, 'program.cjs');
    const { stdout } = await run(
      process.execPath,
      [...loading, program, String(millis), kind, '--type=extensionHost'],
      {
        env,
      },
    );
    return JSON.parse(stdout) as number[];
  }
});
