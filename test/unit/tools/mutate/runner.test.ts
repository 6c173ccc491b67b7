import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, suite, test } from 'node:test';
import { root } from '../../../../tools/paths.ts';
import { Runner } from '../../../../tools/mutate/runner/runner.ts';
import type { RunResult } from '../../../../tools/mutate/runner/runner.ts';

const LONG = 20_000;
const FILE = join(root, 'test/unit/tools/mutate', `.runner-${process.pid}.ts`);
const TEST = relative(root, FILE).replaceAll('\\', '/');
const SOURCE = 'src/service/http/json.ts';
const IMPORTS = `import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import * as v from 'valibot';
import { boundedArray, responseJson, parseJson } from '../../../../src/service/http/json.ts';
`;

suite('Running a file of tests with a source changed', () => {
  const runner = new Runner();
  after(() => {
    runner.stop();
    rmSync(FILE, { force: true });
  });

  function run(body: string, javascript?: string, limit = LONG): Promise<RunResult> {
    writeFileSync(FILE, IMPORTS + body);
    // The text of a file is kept by the process that ran it.
    runner.stop();
    return runner.run(
      { test: TEST, coverage: false, change: javascript === undefined ? undefined : { file: SOURCE, javascript } },
      limit,
    );
  }

  test('tells which test has noticed', async () => {
    const body = `suite('a', () => { test('b', () => assert.equal(parseJson('1'), 1)); test('c', () => {}); });`;
    const unchanged = await run(body);
    assert.ok(unchanged.kind === 'passed' && unchanged.tests === 2);
    const result = await run(
      body,
      'export function parseJson() { return 2; } export function responseJson() {} export function boundedArray() {}',
    );
    assert.equal(result.kind, 'failed');
    assert.equal(result.title, 'a › b');
  });

  test('the source is unchanged again in the next run, and set up anew', async () => {
    const body = `test('b', () => { assert.equal(globalThis.runs, undefined); assert.equal(parseJson('1'), 1); });`;
    assert.equal(
      (
        await run(
          body,
          'export function parseJson() { return 2; } export function responseJson() {} export function boundedArray() {}',
        )
      ).kind,
      'failed',
    );
    assert.equal((await runner.run({ test: TEST, coverage: false }, LONG)).kind, 'passed');
  });

  test('takes down what was set up, even after a failure', async () => {
    const body = `let open = 0;
      suite('a', () => {
        afterEach(() => { open--; throw new Error('open: ' + open); });
        test('b', () => { open++; throw new Error('first'); });
      });`;
    const result = await run(body);
    assert.ok(result.kind === 'failed' && result.message.includes('open: 0'));
  });

  test('an error that nothing waited for fails the test', async () => {
    const result = await run(
      `test('b', async () => { void Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 10)); });`,
    );
    assert.ok(result.kind === 'failed' && result.message.includes('lost'));
  });

  test('what never ends is ended, and the next run works', async () => {
    assert.deepEqual(await run(`test('b', () => { for (;;) {} });`, undefined, 10_000), { kind: 'hung', title: 'b' });
    assert.equal((await run(`test('b', () => {});`)).kind, 'passed');
  });

  test('tells what was reached', async () => {
    const body = String.raw`test('b', () => { responseJson({ text: '["\\\\"]' }); parseJson('['.repeat(101)); v.parse(boundedArray(1), []); });`;
    writeFileSync(FILE, IMPORTS + body);
    runner.stop();
    const result = await runner.run({ test: TEST, coverage: true }, LONG);
    assert.ok(result.kind === 'passed');
    const unreached = result.coverage?.[SOURCE] ?? [];
    assert.equal(unreached.length, 1, 'only what follows a failure');
  });
});
