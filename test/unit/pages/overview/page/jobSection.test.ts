import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deletedText } from '../../../../../src/pages/overview/page/bottomBar.ts';
import { jobAnnouncement } from '../../../../../src/pages/overview/page/jobSection.ts';
import { BARE_ITEM } from '../rows.ts';
import type { JobItemView, JobView } from '../../../../../src/pages/overview/jobProtocol.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const SUM: JobView['sum'] = {
  rows: 1_534,
  total: 10_617,
  percent: 14.449,
  isLeast: false,
  bytesToDelete: undefined,
  count: 2,
};
const PLANNED: JobView = {
  phase: 'planned',
  cutoff: undefined,
  items: [BARE_ITEM, BARE_ITEM],
  sum: SUM,
  progress: undefined,
  notes: [],
  outdated: undefined,
  refusal: undefined,
  failure: undefined,
  outcome: undefined,
  isStopping: false,
  current: undefined,
  canCopyRecipe: true,
  canCopyJob: true,
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
      said({ sum: { ...SUM, rows: 1, total: 1, percent: 100 } }),
      'Dry run complete. 1 of 1 row would be deleted (100%).',
    );
  });

  test('is each reason why nothing can be deleted, once', () =>
    assert.equal(
      said({
        sum: { ...SUM, rows: 0, total: 0, percent: 0, count: 0 },
        items: [
          { ...BARE_ITEM, isSelected: false, remark: 'No rows to delete' },
          { ...BARE_ITEM, isSelected: false, remark: 'No rows to delete' },
          { ...BARE_ITEM, isSelected: false, status: { text: 'Dry run canceled', kind: 'trouble' } },
        ],
      }),
      'No rows to delete Dry run canceled',
    ));

  test('is the index being truncated, and the outcome', () => {
    const waiting: JobItemView = { ...BARE_ITEM, name: 'chart/usage', status: { text: 'waiting', kind: 'waiting' } };
    const working: JobItemView = { ...BARE_ITEM, status: { text: '5%', kind: 'working' } };
    assert.equal(said({ phase: 'executing', items: [waiting, working] }), 'dataset/operation');
    const sentence = '2 of 2 indices truncated.';
    assert.equal(said({ phase: 'ended', outcome: { sentence, next: undefined, kind: 'done' } }), sentence);
  });

  test('is why the dry runs no longer count', () =>
    assert.equal(said({ outdated: 'The role has changed.' }), 'The role has changed.'));

  test('is empty while the user selects or is asked', () => {
    assert.equal(said({ phase: 'choosing' }), '');
    assert.equal(said({ phase: 'confirming' }), '');
  });
});

test('The number of deleted rows is left out until one is known', () => {
  const text = (sum: Partial<JobView['sum']>): string => deletedText({ ...SUM, ...sum }, formatsOf('en'));
  assert.equal(text({ rows: 0, isLeast: true }), '');
  assert.equal(text({ rows: 20, isLeast: true }), 'at least 20 rows deleted');
  assert.equal(text({ rows: 0 }), '0 rows deleted');
});
