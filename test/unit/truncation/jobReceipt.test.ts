import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { editing } from '../../../src/truncation/state.ts';
import { jobReceipt, jobReceiptFileName, truncationReceipt } from '../../../src/truncation/receipt.ts';
import { RECORD } from './samples.ts';

const NOW = Date.UTC(2026, 4, 26, 15, 20);
const ENDING = { kind: 'finished', deleted: 20, versionConflicts: 0, readers: 'clean' } as const;
const SENT = {
  record: { ...RECORD, ending: ENDING },
  state: editing(emptyDraft('dataset', 'operation')),
  status: 'finished',
} as const;
const UNSENT = { record: undefined, state: editing(emptyDraft('chart', 'usage')), status: 'notSent' } as const;
const REFUSED = {
  record: undefined,
  state: {
    phase: 'failed',
    draft: emptyDraft('chart', 'profile'),
    review: { plan: RECORD.plan, access: '', report: RECORD.report, at: 0, monotonicAt: 0 },
    taskId: undefined,
    ending: { kind: 'failed', reason: 'refused', failing: { sentence: 'Not # today' }, failures: [] },
  },
  status: 'failed',
} as const;

suite('The receipt of a job', () => {
  test('has the receipt of each truncation, the same as of one alone, and names what was not sent', () => {
    const text = jobReceipt([SENT, SENT, UNSENT], 'Staging', NOW);
    const alone = truncationReceipt(SENT.record, 'Staging', NOW);
    assert.equal(text, `${alone}\n${alone}\n# Not sent\n\n- \`chart/usage\`\n\n# Total\n\n- Rows deleted: 40\n`);
  });

  test('says nothing of unsent ones if there are none', () => {
    assert.ok(!jobReceipt([SENT], 'Staging', NOW).includes('Not sent'));
  });

  test('lists what the server refused, with its reason, and not as unsent', () => {
    assert.equal(
      jobReceipt([REFUSED, UNSENT], 'Staging', NOW),
      '# Refused\n\n- `chart/profile`: `Not # today`\n\n# Not sent\n\n- `chart/usage`\n\n# Total\n\n- Rows deleted: 0\n',
    );
  });

  test('has the least total while one runs', () => {
    const running = { ...SENT, record: { ...RECORD, ending: undefined }, status: 'running' } as const;
    assert.match(jobReceipt([SENT, running], 'Staging', NOW), /- Rows deleted: at least 20\n$/);
  });

  test('is saved under the day', () => assert.equal(jobReceiptFileName(NOW), 'truncations-2026-05-26.md'));
});
