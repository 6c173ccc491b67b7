import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { COMMON_OPTIONS } from '../../../tools/package/bundles.ts';
import { root } from '../../../tools/paths.ts';
import { QUICK_TIME_VARIABLE, quickTimeArguments } from '../../host/vscode/quickTime.ts';

const run = promisify(execFile);
/** Measures a time by each clock, in s. */
const MEASURE = `
  const [began, monotonic, real] = [Date.now(), performance.now(), process.hrtime.bigint()];
  const print = () => {
    const passed = [Date.now() - began, performance.now() - monotonic, Number(process.hrtime.bigint() - real) / 1e6];
    if (!Number.isInteger(Date.now())) throw new Error('The time is no whole number of milliseconds.');
    console.log(JSON.stringify(passed.map((millis) => Math.floor(millis / 1000))));
  };
`;
/** Measures a timer. */
const TIMER = `${MEASURE} setTimeout(print, Number(process.argv[2]));`;
/** Measures a request that never gets its credential. */
const REQUEST = `
  import { Transport } from './src/service/http/transport.ts';
  ${MEASURE}
  const transport = new Transport({
    baseUrl: 'https://example.com',
    readSecrets: () => new Promise(() => {}),
    timeoutMillis: () => Number(process.argv[2]),
  });
  const operation = { name: 'me', actionPhrase: () => '' };
  transport.exchange({ operation, method: 'GET', path: '/' }).catch(print);
`;

suite('Quick time in an extension host', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'metadata-service-quick-'));
    for (const name of ['dist', 'other']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'timer.cjs'), TIMER);
    }
    // Minified, as it ships: calls are recognized by their names.
    await build({
      ...COMMON_OPTIONS,
      absWorkingDir: root,
      stdin: { contents: REQUEST, resolveDir: root },
      outfile: join(folder, 'dist', 'request.cjs'),
      platform: 'node',
      minify: true,
    });
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

  async function waited(place: string, file: string, millis: number, name = 'timer'): Promise<number[]> {
    const env = { ...process.env, [QUICK_TIME_VARIABLE]: join(folder, file) };
    const loading = ['--require', join(import.meta.dirname, '../../host/vscode/quickTime.cjs')];
    const program = join(folder, place, `${name}.cjs`);
    const { stdout } = await run(process.execPath, [...loading, program, String(millis), '--type=extensionHost'], {
      env,
    });
    return JSON.parse(stdout) as number[];
  }
});
