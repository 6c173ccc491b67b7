import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseBatchRecord, plansLeft, type BatchRecord } from '../../../src/batch/batchRecord.ts';
import { NOW, PLAN, RECORD } from '../truncation/samples.ts';

const OTHER = { ...PLAN, aspect: 'operation' };
const BATCH: BatchRecord = {
  id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001',
  connectionId: RECORD.connectionId,
  confirmedAt: NOW,
  items: [
    { recordId: RECORD.id, plan: PLAN, isSent: true },
    { recordId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a002', plan: OTHER, isSent: false },
  ],
};

suite('A record of several truncations', () => {
  test('is read again as it was', () => {
    assert.deepEqual(parseBatchRecord(JSON.parse(JSON.stringify(BATCH))), BATCH);
  });

  test('names those that were not sent', () => {
    assert.deepEqual(plansLeft(BATCH), [OTHER]);
  });

  for (const [what, damaged] of [
    ['nothing', undefined],
    ['a text', 'several'],
    ['another kind of record', RECORD],
    ['an item that does not say whether it was sent', { ...BATCH, items: [{ ...BATCH.items[0], isSent: undefined }] }],
    ['an item without a plan', { ...BATCH, items: [{ ...BATCH.items[0], plan: {} }] }],
    ['an id that is none', { ...BATCH, id: '..' }],
  ] as const) {
    test(`is nothing where ${what} was stored`, () => assert.equal(parseBatchRecord(damaged), undefined));
  }
});
