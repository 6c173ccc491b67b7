import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cancelRequest, mergeRequest, repairRequests } from '../../../src/truncation/clusterRequests.ts';
import { RECORD } from './samples.ts';

suite('Merge request for an administrator', () => {
  test('expunges deleted rows only and uses the physical index name', () =>
    assert.equal(
      mergeRequest('dataset_operationaspect_v1_1700000000000'),
      'POST /dataset_operationaspect_v1_1700000000000/_forcemerge?only_expunge_deletes=true\n',
    ));

  test('has a placeholder for an unknown name and for one that could be read as a request', () => {
    for (const name of [undefined, '', '*', '_all', 'a,b', 'a/_delete_by_query?x=', 'a b', 'a\nDELETE /b', '../b']) {
      assert.equal(mergeRequest(name), 'POST /<index>/_forcemerge?only_expunge_deletes=true\n');
    }
  });
});

suite('Requests that bring rows back', () => {
  const index = 'dataset_operationaspect_v1_1700000000000';
  const requestsFor = (missing: Parameters<typeof repairRequests>[0]): readonly string[] =>
    (repairRequests(missing, RECORD, index) ?? '').match(/^(?:GET|POST|PUT) .*$/gm) ?? [];
  const settings = `PUT /${index}/_settings`;
  const refresh = `POST /${index}/_refresh`;
  const replicas = ['GET /dataset_operationaspect_v1*/_settings/index.number_of_replicas', settings];
  const list =
    'GET /_cat/indices/dataset_operationaspect_v1*?v&h=index,docs.count,creation.date.string&s=creation.date';
  const copy = [list, 'POST /_reindex'];

  for (const [missing, requests] of [
    ['notAvailable', [`GET /_cluster/health/${index}`]],
    ['copiesDisagree', [settings]],
    ['notRefreshed', [settings, refresh, ...replicas]],
    ['notRefreshedOrCopied', [settings, refresh, ...copy, refresh, ...replicas]],
  ] as const) {
    test(`depend on why they are missing: ${missing}`, () => assert.deepEqual(requestsFor(missing), requests));
  }

  test('only copy them where the server itself refreshes the new index and keeps its replicas', () =>
    assert.deepEqual(requestsFor('notCopied'), [...copy, refresh]));
});

suite('The request to cancel a task', () => {
  test('contains the task ID', () => {
    const record = { ...RECORD, taskId: 'node-1:42' };
    assert.equal(cancelRequest(record), 'POST /_tasks/node-1:42/_cancel\n');
  });

  for (const taskId of [
    undefined,
    '../customers/_delete_by_query?q=*&x=',
    'c0ffee',
    'n:0',
    '_cancel?nodes=',
    'a:1\nPOST /x',
  ]) {
    test(`is omitted for ${JSON.stringify(taskId) ?? 'no ID'}`, () =>
      assert.equal(cancelRequest({ ...RECORD, taskId }), undefined));
  }
});
