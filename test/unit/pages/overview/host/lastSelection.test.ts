import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type LastSelection, LastSelectionStore } from '../../../../../src/pages/overview/host/lastSelection.ts';
import { Memory } from '../../../memory.ts';

const CONNECTION = { id: '69425abd-8888-4225-bb14-5a656e8cd2d0', baseUrl: 'https://datahub.example.com' };
const KEY = `lastSelection.${CONNECTION.id}`;
const LAST: LastSelection = { indices: [{ entityType: 'dataset', aspect: 'operation' }], days: 30 };

suite('The job that was confirmed last', () => {
  test('is kept for its connection and server until another one is', async () => {
    const memory = new Memory();
    const store = new LastSelectionStore(memory);
    assert.equal(store.of(CONNECTION), undefined);
    await store.keep(CONNECTION, LAST);
    assert.partialDeepStrictEqual(new LastSelectionStore(memory).of(CONNECTION), LAST);
    assert.equal(store.of({ ...CONNECTION, id: crypto.randomUUID() }), undefined);
    assert.equal(store.of({ ...CONNECTION, baseUrl: 'https://elsewhere.example.com' }), undefined);
    await store.keep(CONNECTION, { ...LAST, days: 7 });
    assert.equal(store.of(CONNECTION)?.days, 7);
  });

  test('keeps the names of the indices and nothing else of a plan', async () => {
    const memory = new Memory();
    const plan = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1, batchSize: 10 };
    await new LastSelectionStore(memory).keep(CONNECTION, { indices: [plan], days: 30 });
    assert.deepEqual(memory.get(KEY), { baseUrl: CONNECTION.baseUrl, ...LAST });
  });

  test('is forgotten with its connection', async () => {
    const memory = new Memory();
    const store = new LastSelectionStore(memory);
    await store.keep(CONNECTION, LAST);
    await store.forgetConnection(CONNECTION.id);
    assert.deepEqual(memory.keys(), []);
  });

  for (const [what, damaged] of [
    ['no object', 'damaged'],
    ['no indices', { baseUrl: CONNECTION.baseUrl, days: 30, indices: [] }],
    ['too many indices', { baseUrl: CONNECTION.baseUrl, days: 30, indices: Array(26).fill(LAST.indices[0]) }],
    ['an index without a name', { baseUrl: CONNECTION.baseUrl, days: 30, indices: [{ entityType: 'dataset' }] }],
    ['a fraction of a day', { baseUrl: CONNECTION.baseUrl, days: 0.5, indices: LAST.indices }],
    ['a future cutoff', { baseUrl: CONNECTION.baseUrl, days: -1, indices: LAST.indices }],
  ] as const) {
    test(`counts as none if the stored value has ${what}`, async () => {
      const memory = new Memory();
      await memory.update(KEY, damaged);
      assert.equal(new LastSelectionStore(memory).of(CONNECTION), undefined);
    });
  }
});
