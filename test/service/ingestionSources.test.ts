import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recipeSecret } from './ingestionSources.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';

const list = `query listIngestionSources($input: ListIngestionSourcesInput!) {
  listIngestionSources(input: $input) { start count total ingestionSources { urn type name schedule { interval timezone } config { recipe executorId } } }
}`;
const one = 'query ingestionSource($urn: String!) { ingestionSource(urn: $urn) { name config { recipe } } }';

for (const profile of ['0.14', '1.7', 'next', 'postgres'] as const) {
  describe(`ingestion sources, ${profile}`, () => {
    test('are a garbage collector that runs every night, one run from a command line, and a warehouse', async (context) => {
      const service = await serviceFor(context, { profile });
      const { body } = await new TestClient(service, 'ingester').graphql(list, { input: {} });
      const listed = dig(body, 'data', 'listIngestionSources');
      assert.equal(dig(listed, 'total'), 3);
      assert.equal(dig(listed, 'count'), 20);
      assert.equal(dig(listed, 'ingestionSources', 0, 'type'), 'datahub-gc');
      assert.deepEqual(dig(listed, 'ingestionSources', 0, 'schedule'), { interval: '0 1 * * *', timezone: 'UTC' });
      const [name, type, schedule] = ['name', 'type', 'schedule'].map((field) =>
        dig(listed, 'ingestionSources', 1, field),
      );
      assert.deepEqual([name, type, schedule], ['[CLI] datahub-gc', 'datahub-gc', null]);
      assert.equal(dig(listed, 'ingestionSources', 1, 'config', 'executorId'), '__datahub_cli_');
      const recipes = [0, 1, 2].map((row) => String(dig(listed, 'ingestionSources', row, 'config', 'recipe')));
      for (const recipe of recipes) assert.match(recipe, new RegExp(recipeSecret));
      assert.equal(dig(JSON.parse(recipes[0] ?? ''), 'source', 'config', 'truncate_index_older_than_days'), 30);
    });

    test('require the privilege for ingestion', async (context) => {
      const service = await serviceFor(context, { profile });
      const operator = new TestClient(service, 'operator');
      for (const answer of [
        await operator.graphql(list, { input: {} }),
        await operator.graphql(one, { urn: 'urn:li:dataHubIngestionSource:datahub-gc' }),
      ]) {
        assert.equal(answer.status, 200);
        assert.equal(dig(answer.body, 'errors', 0, 'extensions', 'code'), 403);
        assert.doesNotMatch(answer.text, new RegExp(recipeSecret));
      }
    });

    test('can be requested one by one', async (context) => {
      const service = await serviceFor(context, { profile });
      const admin = new TestClient(service, 'admin');
      const found = await admin.graphql(one, { urn: 'urn:li:dataHubIngestionSource:warehouse' });
      assert.equal(dig(found.body, 'data', 'ingestionSource', 'name'), 'warehouse');
      const missing = await admin.graphql(one, { urn: 'urn:li:dataHubIngestionSource:none' });
      assert.equal(dig(missing.body, 'data', 'ingestionSource'), null);
      assert.equal(dig(missing.body, 'errors', 0, 'extensions', 'code'), 404);
    });
  });
}

describe('ingestion sources', () => {
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

  test('are not in the interface description', async (context) => {
    const service = await serviceFor(context, { profile: 'spec' });
    const { body } = await new TestClient(service, 'admin').graphql(one, { urn: 'x' });
    assert.equal(dig(body, 'data'), null);
  });
});
