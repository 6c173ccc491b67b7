import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutcomeView, TruncationPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { newsOf } from '../../../../../src/pages/truncation/page/news.ts';
import type { CountPhase } from '../../../../../src/rowsByAge/ageHistogram.ts';
import type { Problem } from '../../../../../src/truncation/problem.ts';
import { EDITING, NOTHING_COUNTED, REVIEWED, RUNNING } from '../pageViews.ts';

type View = TruncationPageView;

const DRY_RUNNING: View = { ...EDITING, phase: 'dryRunning' };
const REPORT = REVIEWED.report ?? assert.fail();
const OUTCOME: OutcomeView = RUNNING.outcome ?? assert.fail();
const CONFIRMING: View = { ...REVIEWED, phase: 'confirming' };
const RESULT = 'Delete 134,517 of 135,600 rows? Strategy: Reindex';
const WAITING = 'Waiting for the server…';
const FAILURE = { sentence: 'Refused.', next: 'Ask for the privilege.', isSignedOut: undefined, hasDetails: true };
const FAILED: View = { ...EDITING, failure: FAILURE };

function withOutcome(change: Partial<OutcomeView>): View {
  return { ...RUNNING, outcome: { ...OUTCOME, ...change } };
}

function withReport(change: Partial<typeof REPORT>, more: Partial<View> = {}): View {
  return { ...REVIEWED, report: { ...REPORT, ...change }, ...more };
}

function counting(phase: CountPhase, failing?: Problem): View {
  return { ...EDITING, rowsByAge: { ...NOTHING_COUNTED, phase, failing } };
}

suite('A screen reader announces, and the focus goes to,', () => {
  for (const [what, view, focus, text] of [
    ['the fields', EDITING, 'days', ''],
    ['a dry run that begins, without a move', DRY_RUNNING, undefined, WAITING],
    ['its report', REVIEWED, 'report-heading', RESULT],
    [
      'a report to review again, with the reason first',
      withReport({ notice: 'More rows would go now.' }),
      'report-heading',
      `More rows would go now. ${RESULT}`,
    ],
    [
      'a report with warnings, which come last',
      withReport({}, { cautions: [{ kind: 'future', text: 'This lies ahead.' }] }),
      'report-heading',
      `${RESULT} This lies ahead.`,
    ],
    [
      'an unreadable report with its warnings',
      withReport({ rows: undefined, heading: 'Delete?' }, { cautions: [{ kind: 'unreadable', text: 'How?' }] }),
      'report-heading',
      'Delete? How?',
    ],
    [
      'a failed dry run, and counts of rows beside it',
      { ...counting('complete'), failure: FAILURE },
      'failure-heading',
      'Refused. Ask for the privilege. Rows by age are shown.',
    ],
    ['the question, without a move', CONFIRMING, undefined, 'Waiting for your confirmation.'],
    ['the dry run before executing, without a move', { ...REVIEWED, phase: 'executing' }, undefined, WAITING],
    ['what is sent', { ...RUNNING, phase: 'executing' }, 'outcome-heading', WAITING],
    ['a task, whose progress is no news', RUNNING, 'outcome-heading', 'Running on the server…'],
    [
      "one that can't be watched",
      withOutcome({ mark: 'warning', headline: 'Token expired.', next: 'Sign in.' }),
      'outcome-heading',
      'Token expired. Sign in.',
    ],
    [
      'the end with the next step, without the size, which is read again later',
      withOutcome({ mark: 'done', headline: '20 rows deleted · still 662 MB', next: 'Look at the size.' }),
      'outcome-heading',
      '20 rows deleted. Look at the size.',
    ],
    ['a failure, with the next step', FAILED, 'failure-heading', 'Refused. Ask for the privilege.'],
    ['the dry run after a failure, without a move', { ...FAILED, phase: 'dryRunning' }, undefined, WAITING],
    ['rows by age that are counted', counting('counting'), 'days', WAITING],
    ['their end', counting('complete'), 'days', 'Rows by age are shown.'],
    ['their failure', counting('failed', FAILURE), 'days', 'Refused. Ask for the privilege.'],
  ] as const satisfies readonly (readonly [string, View, string | undefined, string])[])
    test(what, () => {
      const news = newsOf(view, 'days');
      assert.equal(news.focus, focus);
      assert.equal(news.texts.filter((one) => one !== undefined).join(' '), text);
    });
});

suite('The focus', () => {
  for (const [what, before, after, moves] of [
    ['stays when a dry run is canceled', DRY_RUNNING, EDITING, false],
    ['stays when a failure goes away', FAILED, EDITING, false],
    ['stays when the user says no', CONFIRMING, REVIEWED, false],
    ['stays in the fields while rows are counted', counting('counting'), counting('complete'), false],
    ['stays while a task runs, and at its end', RUNNING, withOutcome({ mark: 'done' }), false],
    ['moves to a failure', EDITING, FAILED, true],
    ['moves to the same failure of another dry run', { ...FAILED, phase: 'dryRunning' }, FAILED, true],
    ['moves to another failure', FAILED, { ...FAILED, failure: { ...FAILURE, sentence: 'Again.' } }, true],
    ['moves to a report', DRY_RUNNING, REVIEWED, true],
    ['moves to another report', REVIEWED, withReport({ at: REPORT.at + 1 }), true],
    ['moves to a report that is back with a reason', REVIEWED, withReport({ notice: 'More rows.' }), true],
    ['moves to one that is back after the yes', { ...REVIEWED, phase: 'executing' }, REVIEWED, true],
    ['moves to the fields after a review', REVIEWED, EDITING, true],
    ['moves to what was sent', { ...REVIEWED, phase: 'executing' }, RUNNING, true],
    ['moves to the fields of a new truncation', RUNNING, EDITING, true],
  ] as const satisfies readonly (readonly [string, View, View, boolean])[])
    test(what, () => {
      const { arrival } = newsOf(before, 'days');
      assert.equal(!arrival.startsWith(newsOf(after, 'days').arrival), moves);
    });
});
