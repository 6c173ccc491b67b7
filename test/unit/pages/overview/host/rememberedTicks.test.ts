import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RememberedTicks } from '../../../../../src/pages/overview/host/rememberedTicks.ts';
import { Memory } from '../../../memory.ts';

const CONNECTION = { id: '69425abd-8888-4225-bb14-5a656e8cd2d0', baseUrl: 'https://datahub.example.com' };
const KEY = `ticks.${CONNECTION.id}`;
const LAST = { ids: ['dataset_operationaspect_v1'], days: 30 };
const anything = (): boolean => true;

suite('What was ticked', () => {
  test('is kept with the age, for its connection and server, until something else is ticked', async () => {
    const memory = new Memory();
    const store = new RememberedTicks(memory);
    assert.equal(store.of(CONNECTION), undefined);
    await store.keep(CONNECTION, LAST, anything);
    assert.deepEqual(memory.get(KEY), { baseUrl: CONNECTION.baseUrl, ...LAST });
    assert.partialDeepStrictEqual(new RememberedTicks(memory).of(CONNECTION), LAST);
    assert.equal(store.of({ ...CONNECTION, id: crypto.randomUUID() }), undefined);
    assert.equal(store.of({ ...CONNECTION, baseUrl: 'https://elsewhere.example.com' }), undefined);
    await store.keep(CONNECTION, { ids: ['another'], days: 7 }, anything);
    assert.partialDeepStrictEqual(store.of(CONNECTION), { ids: ['another'], days: 7 });
    await store.keep(CONNECTION, { ids: [], days: 7 }, anything);
    assert.deepEqual(store.of(CONNECTION)?.ids, []);
  });

  test("stays while it isn't listed, as when the list couldn't be loaded", async () => {
    const store = new RememberedTicks(new Memory());
    await store.keep(CONNECTION, LAST, anything);
    await store.keep(CONNECTION, { ids: ['added'], days: 7 }, (id) => id === 'added');
    assert.partialDeepStrictEqual(store.of(CONNECTION), { ids: ['added', ...LAST.ids], days: 7 });
  });

  for (const [what, damaged] of [
    ['no indices', { baseUrl: CONNECTION.baseUrl, days: 30 }],
    ['too many indices', { baseUrl: CONNECTION.baseUrl, ids: Array(26).fill('one'), days: 30 }],
    ['a fraction of a day', { baseUrl: CONNECTION.baseUrl, ...LAST, days: 0.5 }],
    ['a future cutoff', { baseUrl: CONNECTION.baseUrl, ...LAST, days: -1 }],
  ] as const) {
    test(`counts as none if the stored value has ${what}`, async () => {
      const memory = new Memory();
      await memory.update(KEY, damaged);
      assert.equal(new RememberedTicks(memory).of(CONNECTION), undefined);
    });
  }
});
