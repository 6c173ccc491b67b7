import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { batchReceipt, batchReceiptFileName } from '../../../src/batch/batchReceipt.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { truncationReceipt } from '../../../src/truncation/receipt.ts';
import { RECORD } from '../truncation/samples.ts';

const NOW = Date.UTC(2026, 4, 26, 15, 20);
const SENT = { draft: emptyDraft('dataset', 'operation'), run: { record: RECORD } };
const UNSENT = { draft: emptyDraft('chart', 'usage'), run: undefined };

suite('The receipt of a batch', () => {
  test('has the receipt of each truncation, the same as of one alone, and names what was not sent', () => {
    const text = batchReceipt([SENT, SENT, UNSENT], 'Staging', NOW, 'markdown');
    const alone = truncationReceipt(SENT.run.record, 'Staging', NOW, 'markdown');
    assert.equal(text, `${alone}\n${alone}\n# Not sent\n\n- \`chart/usage\`\n`);
  });

  test('says nothing of unsent ones if there are none', () => {
    assert.ok(!batchReceipt([SENT], 'Staging', NOW, 'markdown').includes('Not sent'));
  });

  test('is one object as JSON', () => {
    const alone = truncationReceipt(SENT.run.record, 'Staging', NOW, 'json');
    assert.deepEqual(JSON.parse(batchReceipt([SENT, UNSENT], 'Staging', NOW, 'json')), {
      truncations: [JSON.parse(alone)],
      notSent: ['chart/usage'],
    });
  });

  test('is saved under the day', () => assert.equal(batchReceiptFileName(NOW), 'truncations-2026-05-26.md'));
});
