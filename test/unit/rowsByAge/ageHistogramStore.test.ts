import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { AgeHistogramStore } from '../../../src/rowsByAge/ageHistogramStore.ts';
import { Memory } from '../memory.ts';
import { ACCESS, NOW, PLAN } from '../truncation/samples.ts';

const A = 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01';
const B = 'b6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e02';
const SAMPLE = { endTimeMillis: NOW, rows: 5, total: 7, at: NOW };
const ROWS = { start: NOW, counted: [SAMPLE] };

let memory: Memory;
let store: AgeHistogramStore;

beforeEach(() => {
  memory = new Memory();
  store = new AgeHistogramStore(memory);
});

suite('Stored rows by age', () => {
  test('are replaced by newer ones of the index, also of another access', async () => {
    await store.keep(A, ACCESS, PLAN, ROWS);
    await store.keep(A, 'another', PLAN, ROWS);
    assert.equal(store.of(A, ACCESS, PLAN), undefined);
    assert.ok(store.of(A, 'another', PLAN));
    assert.equal(store.of(B, 'another', PLAN), undefined);
  });

  test('are removed when rows are deleted, and with their connection', async () => {
    const other = { ...PLAN, aspect: 'operation' };
    await store.keep(A, ACCESS, PLAN, ROWS);
    await store.keep(A, ACCESS, other, ROWS);
    await store.forget(A, PLAN);
    assert.equal(store.of(A, ACCESS, PLAN), undefined);
    assert.ok(store.of(A, ACCESS, other));
    await store.forgetConnection(A);
    assert.deepEqual(memory.keys(), []);
  });

  test('are removed in every spelling of the index, and found in their own', async () => {
    const typed = { ...PLAN, aspect: PLAN.aspect.toUpperCase() };
    await store.keep(A, ACCESS, typed, ROWS);
    assert.equal(store.of(A, ACCESS, PLAN), undefined);
    await store.forget(A, PLAN);
    assert.equal(store.of(A, ACCESS, typed), undefined);
  });

  test('are limited to the last 20 indices', async () => {
    for (let index = 0; index < 25; index++) {
      // In order.
      await store.keep(A, ACCESS, { entityType: 'dataset', aspect: `a${index}` }, ROWS);
    }
    assert.equal(store.of(A, ACCESS, { entityType: 'dataset', aspect: 'a4' }), undefined);
    assert.ok(store.of(A, ACCESS, { entityType: 'dataset', aspect: 'a5' }));
  });

  test('are skipped if damaged', async () => {
    for (const stored of [
      'x',
      [null],
      [{ target: 'dataset/datasetprofile', access: ACCESS, start: NOW, counted: [] }],
    ]) {
      // One after the other.
      await memory.update(`rowsByAge.${A}`, stored);
      assert.equal(store.of(A, ACCESS, PLAN), undefined);
    }
  });
});
