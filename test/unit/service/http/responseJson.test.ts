import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { boundedArray, responseJson } from '../../../../src/service/http/responseJson.ts';

test('The JSON of a response is parsed once', () => {
  let reads = 0;
  const answer = {
    get text(): string {
      reads++;
      return '{"a":1}';
    },
  };
  assert.equal(responseJson(answer), responseJson(answer));
  assert.deepEqual(responseJson(answer), { a: 1 });
  assert.equal(reads, 1);
  const broken = { text: '{' };
  assert.deepEqual([responseJson(broken), responseJson(broken)], [undefined, undefined]);
});

test('A list from a server is cut to its first members', () => {
  assert.deepEqual(v.parse(boundedArray(2), ['a', 7, null]), ['a', 7]);
  for (const value of ['ab', { 0: 'a', length: 1 }, null, undefined]) {
    assert.equal(v.is(boundedArray(2), value), false);
  }
});
