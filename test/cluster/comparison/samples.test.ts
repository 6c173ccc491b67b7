// The local service adds sample rows to a real search cluster, and removes them again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenSearchClient } from '../../service/timeseries/openSearchClient.ts';
import { searchClusterUrl } from '../clusterUrl.ts';
import { startReal, startStandIn } from './engines.ts';

const cluster = new OpenSearchClient(searchClusterUrl());

test('both engines have the same rows, and closing the service removes them from the cluster', async (t) => {
  const standIn = await startStandIn();
  t.after(() => standIn.service.close());
  const real = await startReal();
  t.after(() => real.service.close());
  for (const [entity, aspect] of [
    ['dataset', 'operation'],
    ['dashboard', 'dashboardusagestatistics'],
    ['document', 'documentusagestatistics'],
  ] as const) {
    const [seen, expected] = await Promise.all([
      real.service.cluster.rows(entity, aspect),
      standIn.service.cluster.rows(entity, aspect),
    ]);
    assert.equal(seen.count, expected.count);
    assert.equal(Number(seen.max) - Number(seen.min), Number(expected.max) - Number(expected.min));
  }
  await real.service.close();
  assert.deepEqual(await sampleNames(), []);
});

test('an index that the service did not create is neither filled nor removed', async (t) => {
  const name = 'dataset_operationaspect_v1';
  await cluster.send('PUT', `/${name}`);
  t.after(() => cluster.send('DELETE', `/${name}`));
  await assert.rejects(startReal(), {
    message:
      `The search cluster at ${cluster.url} already has ${name}, which this service did not make. ` +
      'Name a cluster for sample data.',
  });
  assert.deepEqual(await sampleNames(), [name]);
});

async function sampleNames(): Promise<string[]> {
  return Object.keys((await cluster.send('GET', '/*aspect_v1*')) as object);
}
