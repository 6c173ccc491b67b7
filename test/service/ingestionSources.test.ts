import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recipeSecret } from './ingestionSources.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';

const list = `query listIngestionSources($input: ListIngestionSourcesInput!) {
  listIngestionSources(input: $input) {
    start count total
    ingestionSources { urn type name schedule { interval timezone } config { recipe executorId } }
  }
}`;
const one = 'query ingestionSource($urn: String!) { ingestionSource(urn: $urn) { name config { recipe } } }';

describe('ingestion sources', () => {
  test('can be requested one by one, with a secret in the recipe', async (context) => {
    const admin = new TestClient(await serviceFor(context, { profile: 'next' }), 'admin');
    const found = await admin.graphql(one, { urn: 'urn:li:dataHubIngestionSource:datahub-gc' });
    assert.match(String(dig(found.body, 'data', 'ingestionSource', 'config', 'recipe')), new RegExp(recipeSecret));
    const missing = await admin.graphql(one, { urn: 'urn:li:dataHubIngestionSource:none' });
    assert.equal(dig(missing.body, 'data', 'ingestionSource'), null);
    assert.equal(dig(missing.body, 'errors', 0, 'extensions', 'code'), 404);
  });

  test('are searched by name, and filtered where the schema has filters', async (context) => {
    const service = await serviceFor(context, { profile: 'next' });
    const admin = new TestClient(service, 'admin');
    for (const [input, total] of [
      [{ query: 'ware' }, 1],
      [{ query: '*' }, 3],
      [{ filters: [{ field: 'type', values: ['datahub-gc'] }] }, 2],
      [{ filters: [{ field: 'type', values: ['mysql'] }] }, 0],
      [{ start: 1, count: 1 }, 3],
    ] as const) {
      const { body } = await admin.graphql(list, { input });
      assert.equal(dig(body, 'data', 'listIngestionSources', 'total'), total, JSON.stringify(input));
    }
    const older = await serviceFor(context, { profile: '0.14' });
    const { body } = await new TestClient(older, 'admin').graphql(list, { input: { filters: [] } });
    assert.equal(dig(body, 'data'), null);
  });
});
