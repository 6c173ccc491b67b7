import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobEndMessage } from '../../../../../src/pages/overview/host/jobEnd.ts';
import { DRAFT, FAILED, FINISHED, LOST, NOW, RECORD, REVIEW, STATES } from '../../../truncation/samples.ts';

type Facts = Parameters<typeof jobEndMessage>[1];
type Item = Parameters<typeof jobEndMessage>[0][number];

const INDEX = 'dataset/datasetProfile';
const finished: Item = {
  state: STATES.finished,
  record: { ...RECORD, ending: FINISHED },
  status: 'finished',
};
const failed: Item = { ...finished, state: STATES.failed, record: { ...RECORD, ending: FAILED }, status: 'failed' };
const lost: Item = { ...finished, record: { ...RECORD, ending: LOST }, status: 'unknown' };
const running: Item = { ...finished, state: STATES.running, record: RECORD, status: 'running' };
const unsent: Item = { state: STATES.editing, record: undefined, status: 'notSent' };
const refused: Item = {
  ...failed,
  state: { phase: 'failed', draft: DRAFT, review: REVIEW, failing: { sentence: 'Not today.' } },
  record: undefined,
};

const ENDED: Facts = {
  isStopping: false,
  isPageClosed: false,
  connectionName: 'Staging',
  sizeOf: () => undefined,
  now: NOW,
};
const unchecked: Item = { ...finished, record: { ...RECORD, ending: { ...FINISHED, readers: 'notChecked' } } };
const left: Item = { ...finished, record: { ...RECORD, ending: { ...FINISHED, readers: 'rowsLeft' } } };

suite('The message about the end of a job', () => {
  for (const [what, items, told, facts] of [
    ['that truncated all', [finished, finished], 'Staging: 40 rows deleted · 2 indices', {}],
    ['of which one was not checked', [finished, unchecked], 'Staging: 40 rows deleted · 2 indices · not checked', {}],
    ['of which one left rows', [left, finished], 'Staging: 40 rows deleted · 2 indices · rows left', {}],
    ['of which one was not checked, and one failed', [unchecked, failed], 'Staging: 1 of 2 indices truncated.', {}],
    ['of which one failed', [finished, failed, unsent], 'Staging: 1 of 3 indices truncated.', {}],
    ['whose only one was refused', [refused], 'Staging: 0 of 1 index truncated.', {}],
    ['whose only one was refused after its page was closed', [refused], undefined, { isPageClosed: true }],
    ['of which one was refused', [refused, unsent], 'Staging: 0 of 2 indices truncated.', {}],
    ['of which one may have worked', [lost], 'Staging: 0 of 1 index truncated.', {}],
    ['whose connection changed', [finished, unsent], 'Staging: 1 of 2 indices truncated.', {}],
    ['whose yes came too late', [unsent], 'Staging: 0 of 1 index truncated.', {}],
    [
      'whose page was closed',
      [running, unsent],
      `Staging: 0 of 2 indices truncated so far; ${INDEX} is still being truncated.`,
      {},
    ],
    ['that the user stopped', [finished, running, unsent], undefined, { isStopping: true }],
    [
      'that the user stopped as one was refused',
      [finished, refused, unsent],
      'Staging: 1 of 3 indices truncated.',
      { isStopping: true },
    ],
    ['whose last one still runs', [finished, running], undefined, {}],
  ] as const) {
    test(`${what}: ${told ?? 'there is none'}`, () => {
      const message = jobEndMessage(items, { ...ENDED, ...facts });
      assert.equal(message?.text, told);
      assert.equal(message?.isTrouble, told && items.some((item) => item !== finished));
    });
  }
});
