import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergeRequest } from '../../../../src/truncation/model/clusterRequests.ts';

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
