import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobAnnouncement } from '../../../../../src/pages/overview/page/job.ts';
import { BARE_ITEM } from '../rows.ts';
import type { JobItemView, JobView } from '../../../../../src/pages/overview/protocol.ts';

const SUM: JobView['sum'] = {
  toDelete: 1_534,
  total: 10_617,
  percent: 14.449,
  count: 2,
  size: undefined,
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
  refusal: undefined,
  outcome: undefined,
  isStopping: false,
  current: undefined,
  isAnyWaiting: false,
  canAutomate: true,
  hasReceipt: false,
};

const NOTHING: JobView['sum'] = { ...SUM, toDelete: 0, total: 0, percent: 0, count: 0 };
const NO_ROWS: JobItemView = { ...LEFT_OUT, remark: 'No rows to delete' };
const CANCELED: JobItemView = { ...LEFT_OUT, status: { text: 'Dry run canceled', kind: 'trouble' } };
const UNTICKED: JobItemView = {
  ...BARE_ITEM,
  isSelected: false,
  cautions: [{ kind: 'noRowStays', text: 'None stays.' }],
};
const WAITING: JobItemView = { ...BARE_ITEM, name: 'chart/usage', status: { text: 'waiting', kind: 'waiting' } };
const WORKING: JobItemView = { ...BARE_ITEM, status: { text: '5%', kind: 'working' } };
const HEADLINE = '82,593 rows deleted · 2 indices';

suite('The announcement of a job', () => {
  for (const [what, view, text] of [
    ['the question, with the sum of the dry runs', {}, 'Delete 1,534 of 10,617 rows of 2 indices?'],
    [
      'each reason why nothing can be deleted, once',
      { sum: NOTHING, items: [NO_ROWS, NO_ROWS, CANCELED] },
      'No rows to delete. Dry run canceled.',
    ],
    [
      'what the boxes accept while none is ticked',
      { sum: NOTHING, items: [UNTICKED] },
      'No index is ticked. None stays.',
    ],
    ['the index being truncated', { phase: 'executing', items: [WAITING, WORKING] }, 'dataset/operation'],
    ['the outcome', { phase: 'ended', outcome: { headline: HEADLINE, deleted: undefined, kind: 'done' } }, HEADLINE],
    ['nothing while the user selects', { phase: 'choosing' }, ''],
    ['nothing while the user is asked', { phase: 'confirming' }, ''],
  ] as const)
    test(`is ${what}`, () => assert.equal(jobAnnouncement({ ...PLANNED, ...view }), text));
});
