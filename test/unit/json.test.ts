import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseJson } from '../../src/json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

suite('JSON', () => {
  test('is parsed as by JSON.parse, and undefined if that throws', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseJson(text), JSON.parse(text))));
    assert.equal(parseJson('{'), undefined);
    assert.equal(parseJson(''), undefined);
  });

  test('has a hundred levels at most', () => {
    assert.ok(Array.isArray(parseJson(nested(100))));
    assert.equal(parseJson(nested(101)), undefined);
    assert.equal(parseJson(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`), undefined);
    assert.deepEqual(parseJson(`[${'[],'.repeat(200)}{}]`), [...Array.from({ length: 200 }, () => []), {}]);
  });

  test('is not deep because of brackets in texts', () => {
    for (const text of ['['.repeat(500), `"${'['.repeat(500)}`, `\\${'{'.repeat(500)}`, `\\"${'['.repeat(500)}`]) {
      assert.deepEqual(parseJson(JSON.stringify([text])), [text]);
    }
  });
});
