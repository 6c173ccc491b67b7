import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newsOf } from '../../../../../src/pages/overview/page/news.ts';
import type { JobView, OverviewPageView } from '../../../../../src/pages/overview/protocol.ts';
import { BARE_ITEM, BARE_ROW } from '../rows.ts';

const SUM: JobView['sum'] = {
  toDelete: 1_534,
  total: 10_617,
  percent: 14.449,
  count: 2,
  size: undefined,
};
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

const HEADLINE = '82,593 rows deleted · 2 indices';
const FAILURE = { headline: 'Too slow', sentence: 'No response.', next: 'Try again.', hasDetails: true };
const CURRENT = { name: 'dataset/operation', isSent: true, pace: undefined };

function viewOf(job: Partial<JobView>, more: Partial<OverviewPageView> = {}): Parameters<typeof newsOf>[0] {
  return { job: { ...PLANNED, ...job }, rows: [BARE_ROW], failure: undefined, ...more };
}

suite('A screen reader announces, and the focus goes to,', () => {
  for (const [what, view, focus, text] of [
    ['the age, once there are rows', viewOf({ phase: 'choosing' }), 'age', ''],
    ['nothing before', viewOf({ phase: 'choosing' }, { rows: [] }), undefined, ''],
    [
      'why there are none',
      viewOf({ phase: 'choosing' }, { rows: [], failure: FAILURE }),
      undefined,
      'Too slow. No response. Try again.',
    ],
    ['dry runs', viewOf({ phase: 'dryRunning' }), 'job-heading', 'counting…'],
    ['the question of a plan', viewOf({}), 'job-heading', 'Delete 1,534 of 10,617 rows of 2 indices? 2 ticked'],
    [
      'why a plan is empty',
      viewOf({
        items: [
          { ...BARE_ITEM, remark: 'Ask for the privilege' },
          { ...BARE_ITEM, remark: 'Ask for the privilege', cautions: [{ kind: 'noRowStays', text: 'None stays.' }] },
        ],
        question: 'No index to truncate',
        sum: { ...SUM, count: 0 },
        tally: '2 left out',
      }),
      'job-heading',
      'No index to truncate. 2 left out Ask for the privilege. None stays.',
    ],
    ['nothing while the user is asked', viewOf({ phase: 'confirming' }), undefined, ''],
    ['the index being truncated', viewOf({ phase: 'executing', current: CURRENT }), 'job-heading', 'dataset/operation'],
    [
      'the outcome',
      viewOf({ phase: 'ended', outcome: { headline: HEADLINE, deleted: undefined, kind: 'done' } }),
      'job-heading',
      HEADLINE,
    ],
  ] as const)
    test(what, () => {
      const news = newsOf(view);
      assert.equal(news.focus, focus);
      assert.equal(news.texts.filter((one) => one !== undefined).join(' '), text);
    });
});

test('The focus stays when the user says no, and moves at each other change of the phase', () => {
  const arrivals = (['choosing', 'dryRunning', 'planned', 'confirming', 'executing', 'ended'] as const).map(
    (phase) => newsOf(viewOf({ phase })).arrival,
  );
  assert.deepEqual(arrivals, ['choosing', 'dryRunning', 'planned', 'planned confirming', 'executing', 'ended']);
});
