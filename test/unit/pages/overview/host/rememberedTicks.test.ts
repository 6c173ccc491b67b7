import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { indicesById, type ListedIndex } from '../../../../../src/indices/indexList.ts';
import { rememberedView, RememberedTicks, type Ticks } from '../../../../../src/pages/overview/host/rememberedTicks.ts';
import { Memory } from '../../../memory.ts';
import { PROFILE } from '../rows.ts';

const CONNECTION = { id: '69425abd-8888-4225-bb14-5a656e8cd2d0', baseUrl: 'https://datahub.example.com' };
const KEY = `ticks.${CONNECTION.id}`;
const LAST: Ticks = { indices: [{ entityType: 'dataset', aspect: 'operation' }], days: 30 };

suite('What was ticked', () => {
  test('is kept with the age, for its connection and server, until something else is ticked', async () => {
    const memory = new Memory();
    const store = new RememberedTicks(memory);
    assert.equal(store.of(CONNECTION), undefined);
    await store.keep(CONNECTION, LAST);
    assert.deepEqual(memory.get(KEY), { baseUrl: CONNECTION.baseUrl, ...LAST });
    assert.partialDeepStrictEqual(new RememberedTicks(memory).of(CONNECTION), LAST);
    assert.equal(store.of({ ...CONNECTION, id: crypto.randomUUID() }), undefined);
    assert.equal(store.of({ ...CONNECTION, baseUrl: 'https://elsewhere.example.com' }), undefined);
    await store.keep(CONNECTION, { ...LAST, days: 7 });
    assert.equal(store.of(CONNECTION)?.days, 7);
    await store.keep(CONNECTION, { indices: [], days: 7 });
    assert.deepEqual(store.of(CONNECTION)?.indices, []);
  });

  for (const [what, damaged] of [
    ['no indices', { baseUrl: CONNECTION.baseUrl, days: 30 }],
    ['too many indices', { baseUrl: CONNECTION.baseUrl, days: 30, indices: Array(26).fill(LAST.indices[0]) }],
    ['a fraction of a day', { baseUrl: CONNECTION.baseUrl, days: 0.5, indices: LAST.indices }],
    ['a future cutoff', { baseUrl: CONNECTION.baseUrl, days: -1, indices: LAST.indices }],
  ] as const) {
    test(`counts as none if the stored value has ${what}`, async () => {
      const memory = new Memory();
      await memory.update(KEY, damaged);
      assert.equal(new RememberedTicks(memory).of(CONNECTION), undefined);
    });
  }
});

suite('What was ticked, on a page that is opened again', () => {
  const profiles = { entityType: 'dataset', aspect: 'datasetProfile' };

  test('is found among the indices that are listed now, however they are spelled', () => {
    assert.deepEqual(rememberedView({ indices: [profiles], days: 30 }, indicesById([PROFILE])), {
      ids: [PROFILE.indexName],
      days: 30,
    });
    assert.equal(rememberedView(undefined, indicesById([PROFILE])), undefined);
  });

  test('leaves out what is no longer listed, what holds state and what has no name', () => {
    const checkpoints = { entityType: 'dataJob', aspect: 'datahubIngestionCheckpoint' };
    const state: ListedIndex = { ...PROFILE, ...checkpoints, indexName: 'checkpoints' };
    const foreign: ListedIndex = { ...PROFILE, indexName: 'foreign', entityType: undefined, aspect: undefined };
    const indices = [{ entityType: 'dataset', aspect: 'operation' }, profiles, checkpoints];
    const view = rememberedView({ indices, days: 30 }, indicesById([PROFILE, state, foreign]));
    assert.deepEqual(view, { ids: [PROFILE.indexName], days: 30 });
  });
});
