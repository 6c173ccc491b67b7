import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseJson } from '../../../../src/service/http/responseJson.ts';

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
