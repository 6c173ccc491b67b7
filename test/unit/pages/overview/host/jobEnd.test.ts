import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobEndMessage } from '../../../../../src/pages/overview/host/jobEnd.ts';
import { DRAFT, FAILED, FINISHED, LOST, RECORD, REVIEW, STATES, endProblem } from '../../../truncation/samples.ts';

type Facts = Parameters<typeof jobEndMessage>[0];
type Item = Facts['items'][number];

const INDEX = 'dataset/datasetProfile';
const finished: Item = {
  state: STATES.finished,
  record: { ...RECORD, ending: FINISHED },
  status: 'finished',
  exclusion: undefined,
};
const failed: Item = { ...finished, state: STATES.failed, record: { ...RECORD, ending: FAILED }, status: 'failed' };
const lost: Item = { ...finished, record: { ...RECORD, ending: LOST }, status: 'unknown' };
const running: Item = { ...finished, state: STATES.running, record: RECORD, status: 'running' };
const unsent: Item = { state: STATES.editing, record: undefined, status: 'notSent', exclusion: undefined };
const excluded: Item = { ...unsent, exclusion: { sentence: 'The connection has changed since the dry run.' } };
const refused: Item = {
  ...failed,
  state: { phase: 'failed', draft: DRAFT, review: REVIEW, failing: { sentence: 'Not today.' } },
  record: undefined,
};

const ended = { phase: 'ended', isStopping: false } as const;
const reason = (sentence: string): string => `Truncation of ${INDEX} on Staging: ${sentence}`;
const unchecked: Item = { ...finished, record: { ...RECORD, ending: { ...FINISHED, readers: 'notChecked' } } };

suite('The message about the end of a job', () => {
  for (const [what, items, told, facts] of [
    ['that truncated all', [finished, finished], 'Truncated 2 indices on Staging: 40 rows deleted', {}],
    ['of which one was not checked', [finished, unchecked], reason('Finished on the server; not checked.'), {}],
    ['of which one failed', [finished, failed, unsent], 'Staging: 1 of 3 indices truncated.', {}],
    ['whose only one was refused', [refused], reason('Not today.'), {}],
    ['of which one was refused', [refused, unsent], 'Staging: 0 of 2 indices truncated.', {}],
    ['whose only one was refused once its page was closed', [refused], undefined, { isPageClosed: true }],
    ['of which one may have worked', [lost], reason(endProblem({ ...RECORD, ending: LOST }).sentence), {}],
    ['whose connection changed', [finished, excluded], 'Staging: 1 of 2 indices truncated.', {}],
    [
      'whose yes came too late',
      [excluded],
      reason('The connection has changed since the dry run.'),
      { phase: 'planned' },
    ],
    [
      'whose page was closed',
      [running, unsent],
      `Staging: 0 of 2 indices truncated so far; ${INDEX} is still being truncated.`,
      { isPageClosed: true },
    ],
    [
      'that failed before its page was closed',
      [failed, unsent],
      'Staging: 0 of 2 indices truncated.',
      { isPageClosed: true },
    ],
    ['that the user stopped', [finished, unsent], undefined, { isStopping: true }],
    [
      'that the user stopped before closing its page',
      [finished, unsent],
      undefined,
      { isStopping: true, isPageClosed: true },
    ],
    ['whose last one still runs', [finished, running], undefined, {}],
  ] as const) {
    test(`${what}: ${told ?? 'there is none'}`, () => {
      const { isPageClosed = false, ...state } = { ...ended, ...(facts as Partial<Facts & Facts['state']>) };
      const message = jobEndMessage({ state, items, connectionName: 'Staging', isPageClosed });
      assert.equal(message?.text, told);
      assert.equal(message?.isTrouble, told && items.some((item) => item !== finished));
    });
  }
});
