import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { clusterRequests } from '../../../src/truncation/clusterRequests.ts';
import type { UnknownOutcome } from '../../../src/truncation/outcome.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { FINISHED, PLAN, RECORD } from './samples.ts';

const INDEX = 'dataset_operationaspect_v1_1700000000000';

function requestsFor(
  kind: Parameters<typeof clusterRequests>[1],
  record: TruncationRecord,
  index: string | undefined = undefined,
): Promise<string | undefined> {
  return clusterRequests(record, kind, ({ aspect }) => {
    assert.equal(aspect, PLAN.aspect);
    return Promise.resolve(index);
  });
}

suite('Merge request for an administrator', () => {
  test('expunges deleted rows only and uses the physical index name', async () =>
    assert.equal(await requestsFor('merge', RECORD, INDEX), `POST /${INDEX}/_forcemerge?only_expunge_deletes=true\n`));

  test('has a placeholder for an unknown name and for one that could be read as a request', async () => {
    for (const name of [undefined, '', '*', '_all', 'a,b', 'a/_delete_by_query?x=', 'a b', 'a\nDELETE /b', '../b']) {
      const request = await requestsFor('merge', RECORD, name);
      assert.equal(request, 'POST /<index>/_forcemerge?only_expunge_deletes=true\n');
    }
  });
});

suite('Requests that bring rows back', () => {
  const settings = `PUT /${INDEX}/_settings`;
  const refresh = `POST /${INDEX}/_refresh`;
  const replicas = ['GET /dataset_operationaspect_v1*/_settings/index.number_of_replicas', settings];
  const list =
    'GET /_cat/indices/dataset_operationaspect_v1*?v&h=index,docs.count,creation.date.string&s=creation.date';
  const copy = [list, 'POST /_reindex'];
  const hiding = (missing: UnknownOutcome['missing']): TruncationRecord => ({
    ...RECORD,
    ending: { kind: 'unknown', reason: 'missing', missing },
  });

  for (const [what, record, requests] of [
    ['part of the index is not available', hiding('notAvailable'), [`GET /_cluster/health/${INDEX}`]],
    ['copies disagree', hiding('copiesDisagree'), [settings]],
    ['it is not refreshed', hiding('notRefreshed'), [settings, refresh, ...replicas]],
    ['they may not be copied', hiding('notRefreshedOrCopied'), [settings, refresh, ...copy, refresh, ...replicas]],
    // The server itself refreshes the new index and keeps its replicas.
    ['they are not copied', hiding('notCopied'), [...copy, refresh]],
    [
      'it was not refreshed before searches found them',
      { ...RECORD, ending: FINISHED, wasUnrefreshed: true },
      [settings, refresh, ...replicas],
    ],
    ['nothing is missing', RECORD, []],
  ] as const) {
    test(`depend on why they are missing: ${what}`, async () => {
      const text = await requestsFor('repair', record, INDEX);
      assert.deepEqual(text?.match(/^(?:GET|POST|PUT) .*$/gm) ?? [], requests);
    });
  }
});

suite('The request to cancel a task', () => {
  test('contains the task ID', async () =>
    assert.equal(await requestsFor('cancel', { ...RECORD, taskId: 'node-1:42' }), 'POST /_tasks/node-1:42/_cancel\n'));

  for (const taskId of [
    undefined,
    '../customers/_delete_by_query?q=*&x=',
    'c0ffee',
    'n:0',
    '_cancel?nodes=',
    'a:1\nPOST /x',
  ]) {
    test(`is omitted for ${JSON.stringify(taskId) ?? 'no ID'}`, async () =>
      assert.equal(await requestsFor('cancel', { ...RECORD, taskId }), undefined));
  }

  for (const strategy of ['reindex', 'unknown'] as const) {
    test(`is omitted if the strategy is ${strategy}: a canceled reindex would leave rows to keep hidden`, async () => {
      const record = { ...RECORD, taskId: 'node-1:42', report: { ...RECORD.report, strategy } };
      assert.equal(await requestsFor('cancel', record), undefined);
    });
  }
});
