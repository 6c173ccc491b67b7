import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { PlanDraftStore } from '../../../../../src/pages/truncation/host/draftStore.ts';
import { Memory } from '../../../memory.ts';
import { cutoffInDays } from '../../../../../src/truncation/cutoff.ts';
import * as samples from '../../../truncation/samples.ts';

const A = 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01';
const B = 'b6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e02';
const DRAFT = { ...samples.DRAFT, cutoff: cutoffInDays(90) };
const OPERATION = { ...DRAFT, aspect: 'operation', batchSize: 'half a numb', endTimeMillis: undefined };

let memory: Memory;
let drafts: PlanDraftStore;

beforeEach(() => {
  memory = new Memory();
  drafts = new PlanDraftStore(memory);
});

suite('Drafts', () => {
  test('are found by index and connection, as typed, and the one edited last', async () => {
    await drafts.storeDraft(A, DRAFT);
    await drafts.storeDraft(A, OPERATION);
    assert.deepEqual(drafts.draftOf(A, DRAFT), DRAFT);
    assert.deepEqual(drafts.draftOf(A, { entityType: 'dataset', aspect: 'operation' }), OPERATION);
    assert.equal(drafts.draftOf(A, { entityType: 'chart', aspect: 'operation' }), undefined);
    assert.equal(drafts.draftOf(B, DRAFT), undefined);
    assert.deepEqual(drafts.latestDraft(A), OPERATION);
    await drafts.storeDraft(A, { ...DRAFT, batchSize: '5' });
    assert.deepEqual(drafts.latestDraft(A), { ...DRAFT, batchSize: '5' });
  });

  test("don't keep the confirmation of a risky cutoff", async () => {
    await drafts.storeDraft(A, { ...DRAFT, acceptedCautions: ['future'] });
    assert.deepEqual(drafts.draftOf(A, DRAFT)?.acceptedCautions, []);
  });

  test('are one per index, and at most ten', async () => {
    for (let n = 0; n < 12; n++) {
      await drafts.storeDraft(A, { ...DRAFT, aspect: `aspect${n}` });
      await drafts.storeDraft(A, { ...DRAFT, aspect: `aspect${n}`, batchSize: '7' });
    }
    assert.equal(drafts.draftOf(A, { entityType: 'dataset', aspect: 'aspect1' }), undefined);
    assert.equal(drafts.draftOf(A, { entityType: 'dataset', aspect: 'aspect2' })?.batchSize, '7');
  });

  test('are removed after sending, and with their connection', async () => {
    await drafts.storeDraft(A, DRAFT);
    await drafts.storeDraft(A, OPERATION);
    await drafts.storeDraft(B, DRAFT);
    await drafts.forgetDraft(A, DRAFT);
    assert.deepEqual(drafts.latestDraft(A), OPERATION);
    await drafts.forgetDraft(A, OPERATION);
    await drafts.forgetConnection(B);
    assert.deepEqual(memory.keys(), []);
  });

  test('are skipped if damaged', async () => {
    await drafts.storeDraft(A, DRAFT);
    const [key = ''] = memory.keys();
    await memory.update(key, [{ entityType: 1 }, null, DRAFT]);
    assert.deepEqual(drafts.latestDraft(A), DRAFT);
    for (const damaged of ['x', 7, {}, null]) {
      await memory.update(key, damaged);
      assert.equal(drafts.latestDraft(A), undefined);
    }
  });
});
