import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { DraftStore } from '../../../../src/wizard/host/draftStore.ts';
import { Memory } from '../../memory.ts';
import { DRAFT } from '../../truncation/samples.ts';

const A = 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01';
const B = 'b6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e02';
const OPERATION = { ...DRAFT, aspect: 'operation', batchSize: 'half a numb', endTimeMillis: undefined };

let memory: Memory;
let drafts: DraftStore;

beforeEach(() => {
  memory = new Memory();
  drafts = new DraftStore(memory);
});

suite('Drafts', () => {
  test('are found by index and connection, as typed', async () => {
    await drafts.keep(A, DRAFT);
    await drafts.keep(A, OPERATION);
    assert.deepEqual(drafts.of(A, DRAFT), DRAFT);
    assert.deepEqual(drafts.of(A, { entityType: 'dataset', aspect: 'operation' }), OPERATION);
    assert.equal(drafts.of(A, { entityType: 'chart', aspect: 'operation' }), undefined);
    assert.equal(drafts.of(B, DRAFT), undefined);
  });

  test('are ordered by their last edit', async () => {
    assert.equal(drafts.latest(A), undefined);
    await drafts.keep(A, DRAFT);
    await drafts.keep(A, OPERATION);
    assert.deepEqual(drafts.latest(A), OPERATION);
    await drafts.keep(A, { ...DRAFT, batchSize: '5' });
    assert.deepEqual(drafts.latest(A), { ...DRAFT, batchSize: '5' });
  });

  test("don't keep the confirmation of a risky cutoff", async () => {
    await drafts.keep(A, { ...DRAFT, cautionAccepted: true });
    assert.equal(drafts.of(A, DRAFT)?.cautionAccepted, false);
  });

  test('are one per index, and at most ten', async () => {
    for (let n = 0; n < 12; n++) {
      await drafts.keep(A, { ...DRAFT, aspect: `aspect${n}` });
      await drafts.keep(A, { ...DRAFT, aspect: `aspect${n}`, batchSize: '7' });
    }
    assert.equal(drafts.of(A, { entityType: 'dataset', aspect: 'aspect1' }), undefined);
    assert.equal(drafts.of(A, { entityType: 'dataset', aspect: 'aspect2' })?.batchSize, '7');
  });

  test('are removed after sending, and with their connection', async () => {
    await drafts.keep(A, DRAFT);
    await drafts.keep(A, OPERATION);
    await drafts.keep(B, DRAFT);
    await drafts.forget(A, DRAFT);
    assert.deepEqual(drafts.latest(A), OPERATION);
    await drafts.forget(A, OPERATION);
    await drafts.forgetConnection(B);
    assert.deepEqual(memory.keys(), []);
  });

  test('are skipped if damaged', async () => {
    await drafts.keep(A, DRAFT);
    const [key = ''] = memory.keys();
    await memory.update(key, [{ entityType: 1 }, null, DRAFT]);
    assert.deepEqual(drafts.latest(A), DRAFT);
    for (const damaged of ['x', 7, {}, null]) {
      await memory.update(key, damaged);
      assert.equal(drafts.latest(A), undefined);
    }
  });
});
