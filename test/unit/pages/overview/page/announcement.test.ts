import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobAnnouncement } from '../../../../../src/pages/overview/page/job.ts';
import { BARE_ITEM } from '../rows.ts';
import type { JobItemView, JobView } from '../../../../../src/pages/overview/protocol.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const SUM: JobView['sum'] = {
  toDelete: 1_534,
  total: 10_617,
  percent: 14.449,
  count: 2,
  bytes: undefined,
  bytesToDelete: undefined,
};
const LEFT_OUT: JobItemView = { ...BARE_ITEM, isSelected: false, canBeSelected: false };
const PLANNED: JobView = {
  phase: 'planned',
  items: [BARE_ITEM, BARE_ITEM],
  question: 'Delete 1,534 of 10,617 rows of 2 indices?',
  deleteLabel: 'Delete 1,534 Rows…',
  scope: undefined,
  sum: SUM,
  tally: '2 ticked',
  consequences: undefined,
  details: [],
  progress: undefined,
  outdated: undefined,
  refusal: undefined,
  failure: undefined,
  outcome: undefined,
  isStopping: false,
  current: undefined,
  canAutomate: true,
  hasReceipt: false,
  interrupted: [],
};

function said(view: Partial<JobView>): string {
  return jobAnnouncement({ ...PLANNED, ...view }, formatsOf('en'));
}

suite('The announcement of a job', () => {
  test('is the sum of the dry runs', () => {
    assert.equal(said({}), 'Dry run complete. 1,534 of 10,617 rows would be deleted (14.4%).');
    assert.equal(
      said({ sum: { ...SUM, toDelete: 1, total: 1, percent: 100 } }),
      'Dry run complete. 1 of 1 row would be deleted (100%).',
    );
  });

  test('is each reason why nothing can be deleted, once', () =>
    assert.equal(
      said({
        sum: { ...SUM, toDelete: 0, total: 0, percent: 0, count: 0 },
        items: [
          { ...LEFT_OUT, remark: 'No rows to delete' },
          { ...LEFT_OUT, remark: 'No rows to delete' },
          { ...LEFT_OUT, status: { text: 'Dry run canceled', kind: 'trouble' } },
        ],
      }),
      'No rows to delete. Dry run canceled',
    ));

  test('is the index being truncated, and the outcome', () => {
    const waiting: JobItemView = { ...BARE_ITEM, name: 'chart/usage', status: { text: 'waiting', kind: 'waiting' } };
    const working: JobItemView = { ...BARE_ITEM, status: { text: '5%', kind: 'working' } };
    assert.equal(said({ phase: 'executing', items: [waiting, working] }), 'dataset/operation');
    const headline = '82,593 rows deleted · 2 indices';
    assert.equal(said({ phase: 'ended', outcome: { headline, deleted: undefined, kind: 'done' } }), headline);
  });

  test('is what the boxes accept while none is ticked', () =>
    assert.equal(
      said({
        sum: { ...SUM, toDelete: 0, total: 0, percent: 0, count: 0 },
        items: [
          { ...BARE_ITEM, isSelected: false, cautions: [{ kind: 'noRowStays', text: 'No row of this index stays.' }] },
        ],
      }),
      'No index is ticked. No row of this index stays.',
    ));

  test('is why the dry runs no longer count', () =>
    assert.equal(said({ outdated: 'The role has changed.' }), 'The role has changed.'));

  test('is empty while the user selects or is asked', () => {
    assert.equal(said({ phase: 'choosing' }), '');
    assert.equal(said({ phase: 'confirming' }), '');
  });
});
