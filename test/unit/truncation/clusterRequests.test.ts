import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cancelRequest, mergeRequest, throttleRequest } from '../../../src/truncation/clusterRequests.ts';
import { RECORD } from './samples.ts';

suite('The request that merges an index, for an administrator', () => {
  test('takes out deleted rows only, and names the index as the cluster does', () =>
    assert.equal(
      mergeRequest('dataset_operationaspect_v1_1700000000000'),
      'POST /dataset_operationaspect_v1_1700000000000/_forcemerge?only_expunge_deletes=true\n',
    ));

  test('has a placeholder where no name is known, or where one would make another request of it', () => {
    for (const name of [undefined, '', '*', '_all', 'a,b', 'a/_delete_by_query?x=', 'a b', 'a\nDELETE /b', '../b']) {
      assert.equal(mergeRequest(name), 'POST /<index>/_forcemerge?only_expunge_deletes=true\n');
    }
  });
});

suite('A request about a task', () => {
  test('names the task', () => {
    const record = { ...RECORD, taskId: 'node-1:42' };
    assert.equal(cancelRequest(record), 'POST /_tasks/node-1:42/_cancel\n');
    assert.equal(throttleRequest(record), 'POST /_delete_by_query/node-1:42/_rethrottle?requests_per_second=500\n');
  });

  for (const taskId of [
    undefined,
    '../customers/_delete_by_query?q=*&x=',
    'c0ffee',
    'n:0',
    '_cancel?nodes=',
    'a:1\nPOST /x',
  ]) {
    test(`is not made for ${JSON.stringify(taskId) ?? 'no ID'}`, () =>
      assert.deepEqual(
        [cancelRequest({ ...RECORD, taskId }), throttleRequest({ ...RECORD, taskId })],
        [undefined, undefined],
      ));
  }
});
