import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { batchReceipt, batchReceiptFileName } from '../../../src/batch/batchReceipt.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { truncationReceipt } from '../../../src/truncation/receipt.ts';
import { RECORD } from '../truncation/samples.ts';

const NOW = Date.UTC(2026, 4, 26, 15, 20);
const ENDING = { kind: 'finished', deleted: 20, versionConflicts: 0 } as const;
const SENT = {
  draft: emptyDraft('dataset', 'operation'),
  run: { record: { ...RECORD, ending: ENDING } },
  state: undefined,
  status: 'finished',
} as const;
const UNSENT = { draft: emptyDraft('chart', 'usage'), run: undefined, state: undefined, status: 'notSent' } as const;
const REFUSED = {
  draft: emptyDraft('chart', 'profile'),
  run: { record: undefined },
  state: {
    phase: 'failed',
    draft: emptyDraft('chart', 'profile'),
    review: { plan: RECORD.plan, access: '', report: RECORD.report, at: 0, monotonicAt: 0 },
    taskId: undefined,
    ending: { kind: 'failed', reason: 'refused', failing: { sentence: 'Not # today' }, failures: [] },
  },
  status: 'failed',
} as const;

suite('The receipt of a batch', () => {
  test('has the receipt of each truncation, the same as of one alone, and names what was not sent', () => {
    const text = batchReceipt([SENT, SENT, UNSENT], 'Staging', NOW, 'markdown');
    const alone = truncationReceipt(SENT.run.record, 'Staging', NOW, 'markdown');
    assert.equal(text, `${alone}\n${alone}\n# Not sent\n\n- \`chart/usage\`\n\n# Total\n\n- Rows deleted: 40\n`);
  });

  test('says nothing of unsent ones if there are none', () => {
    assert.ok(!batchReceipt([SENT], 'Staging', NOW, 'markdown').includes('Not sent'));
  });

  test('lists what the server refused, with its reason, and not as unsent', () => {
    assert.equal(
      batchReceipt([REFUSED, UNSENT], 'Staging', NOW, 'markdown'),
      '# Refused\n\n- `chart/profile`: `Not # today`\n\n# Not sent\n\n- `chart/usage`\n\n# Total\n\n- Rows deleted: 0\n',
    );
    const { refused, notSent } = JSON.parse(batchReceipt([REFUSED, UNSENT], 'Staging', NOW, 'json')) as Record<
      string,
      unknown
    >;
    assert.deepEqual([refused, notSent], [[{ index: 'chart/profile', failure: 'Not # today' }], ['chart/usage']]);
  });

  test('has the least total while one runs', () => {
    const running = { ...SENT, run: { record: { ...RECORD, ending: undefined } }, status: 'running' } as const;
    assert.match(batchReceipt([SENT, running], 'Staging', NOW, 'markdown'), /- Rows deleted: at least 20\n$/);
  });

  test('is one object as JSON', () => {
    const alone = truncationReceipt(SENT.run.record, 'Staging', NOW, 'json');
    assert.deepEqual(JSON.parse(batchReceipt([SENT, UNSENT], 'Staging', NOW, 'json')), {
      truncations: [JSON.parse(alone)],
      refused: [],
      notSent: ['chart/usage'],
      rowsDeleted: 20,
      isTotalComplete: true,
    });
  });

  test('is saved under the day', () => assert.equal(batchReceiptFileName(NOW), 'truncations-2026-05-26.md'));
});
