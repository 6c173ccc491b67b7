import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Copy } from '../../../tools/defects/copy.ts';
import { changed } from '../../../tools/defects/defect.ts';
import { DEFECTS } from '../../../tools/defects/list.ts';
import { hasRunTests } from '../../../tools/defects/suites.ts';
import { root } from '../../../tools/paths.ts';

const copy = new Copy();
after(() => copy.remove());

function inCopy(file: string): string {
  return readFileSync(join(copy.folder, file), 'utf8');
}

function inRepository(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Titles of a file's tests, alone and behind those of the suites before them. */
function fullTitles(file: string): string[] {
  const titles = Array.from(
    inRepository(file).matchAll(/\b(?:suite|test)\(\s*(['"`])(.+?)\1,/g),
    ([, , title = '']) => title,
  );
  const pairs = titles.flatMap((one, index) => titles.slice(index + 1).map((later) => `${one} ${later}`));
  return [...titles, ...pairs];
}

suite('The list of defects', () => {
  for (const { name, changes } of DEFECTS) {
    test(`can put back: ${name}`, async () => {
      await copy.during(changes, () => {
        for (const { file } of changes) assert.notEqual(inCopy(file), inRepository(file));
        return Promise.resolve();
      });
    });
  }

  test('names a test file for each defect that a test of a unit, an invariant or a browser must notice', () => {
    const files = globSync('test/{unit,invariants,e2e}/**/*.test.ts', { cwd: root });
    const missing = DEFECTS.filter(
      ({ suite: tests, only }) =>
        tests !== 'simulation' && tests !== 'host' && !files.includes(join('test', tests, `${only}.test.ts`)),
    );
    assert.deepEqual(
      missing.map(({ name, only }) => `${only}: ${name}`),
      [],
    );
  });

  test('matches the title of a test for each defect that a host test must notice', () => {
    const titles = globSync('test/host/suites/**/*.test.ts', { cwd: root }).flatMap((path) => fullTitles(path));
    const missing = DEFECTS.filter(
      ({ suite: tests, only }) => tests === 'host' && !titles.some((title) => new RegExp(only).test(title)),
    );
    assert.deepEqual(
      missing.map(({ name, only }) => `${only}: ${name}`),
      [],
    );
  });

  test('has unique names', () => {
    const names = DEFECTS.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });
});

suite('Putting a defect back', () => {
  const change = { file: 'src/a.ts', find: 'b', replace: '$&$&' };

  test('replaces its only place exactly as written, and is refused if there is none or another', () => {
    assert.equal(changed('abc', change), 'a$&$&c');
    assert.throws(() => changed('ac', change), /0 times in src\/a\.ts/);
    assert.throws(() => changed('bb', change), /2 times in src\/a\.ts/);
  });

  test('happens in a copy, and is undone after the work, whatever its result', async () => {
    const file = 'src/service/http/json.ts';
    const before = inRepository(file);
    const work = copy.during([{ file, find: 'JSON.parse(text);', replace: 'null;' }], () => {
      assert.notEqual(inCopy(file), before);
      assert.equal(inRepository(file), before);
      throw new Error('the work');
    });
    await assert.rejects(work, /the work/);
    assert.equal(inCopy(file), before);
    await assert.rejects(
      copy.during([{ file, find: 'JSON.parse(text);', replace: '(;' }], () => Promise.resolve()),
      /no source/,
    );
    assert.equal(inCopy(file), before);
  });

  test('is not noticed by a run without a test', () => {
    assert.ok(hasRunTests('Unit: 12 passed\n\n12 passed, 0 failed'));
    assert.ok(!hasRunTests('Extension host: 0 passed, 0 failed\n\n0 passed, 0 failed'));
  });
});
