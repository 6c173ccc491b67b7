import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutcomeView, TruncationPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { announcementFor, arrivalBetween } from '../../../../../src/pages/truncation/page/announcements.ts';
import type { CountPhase } from '../../../../../src/rowsByAge/ageHistogram.ts';
import type { Problem } from '../../../../../src/truncation/outcome.ts';
import { EDITING, NOTHING_COUNTED, REVIEWED, RUNNING as SENT } from '../pageViews.ts';

type View = TruncationPageView;

const DRY_RUNNING: View = { ...EDITING, phase: 'dryRunning' };
const REPORT = REVIEWED.report ?? assert.fail();
const OUTCOME: OutcomeView = { ...(SENT.outcome ?? assert.fail()), percent: 11 };
const CONFIRMING: View = { ...REVIEWED, phase: 'confirming' };
const RUNNING: View = { ...SENT, outcome: OUTCOME };
const TROUBLE = withOutcome({ mark: 'warning', headline: 'Token expired.', next: 'Sign in.' });
const OVER = withOutcome({ percent: 100, headline: 'Over.' });
const COMPLETE = 'Delete 134,517 of 135,600 rows? Strategy: Reindex';
const WAITING = 'Waiting for the server…';
const FAILURE = { sentence: 'Refused.', next: 'Ask for the privilege.', isSignedOut: undefined, hasDetails: true };
const FAILED: View = { ...EDITING, failure: FAILURE };

function withOutcome(change: Partial<OutcomeView>): View {
  return { ...RUNNING, outcome: { ...OUTCOME, ...change } };
}

function withReport(change: Partial<typeof REPORT>, more: Partial<View> = {}): View {
  return { ...REVIEWED, report: { ...REPORT, ...change }, ...more };
}

function counting(phase: CountPhase, failing?: Problem, at = 0): View {
  return { ...EDITING, rowsByAge: { ...NOTHING_COUNTED, phase, failing, at } };
}

type Case = readonly [
  what: string,
  before: View | undefined,
  after: View,
  arrival: ReturnType<typeof arrivalBetween>,
  announced: string | undefined,
];

const CASES: readonly Case[] = [
  ['a page that opens with the plan', undefined, EDITING, 'plan', undefined],
  ['a page that opens with a review', undefined, REVIEWED, undefined, undefined],
  ['a page that opens with an outcome', undefined, RUNNING, 'outcome', undefined],
  ['a dry run that begins', EDITING, DRY_RUNNING, undefined, WAITING],
  ['a dry run that goes on', DRY_RUNNING, DRY_RUNNING, undefined, undefined],
  ['a dry run', DRY_RUNNING, REVIEWED, 'report', COMPLETE],
  ['the question', REVIEWED, CONFIRMING, undefined, 'Waiting for your confirmation.'],
  [
    'the dry run that is repeated right before executing',
    CONFIRMING,
    withReport({ at: 2 }, { phase: 'executing' }),
    undefined,
    WAITING,
  ],
  [
    'its figures',
    withReport({}, { phase: 'executing' }),
    withReport({ at: 2 }, { phase: 'executing' }),
    undefined,
    undefined,
  ],
  [
    'a dry run to review again, with the reason first',
    REVIEWED,
    withReport({ notice: 'More rows would go now.' }),
    'report',
    `More rows would go now. ${COMPLETE}`,
  ],
  [
    'a report with warnings, which come last',
    DRY_RUNNING,
    withReport({}, { cautions: [{ kind: 'future', text: 'This lies ahead.' }] }),
    'report',
    `${COMPLETE} This lies ahead.`,
  ],
  [
    'an unreadable report with its warnings',
    DRY_RUNNING,
    withReport({ rows: undefined, heading: 'Delete?' }, { cautions: [{ kind: 'unreadable', text: 'How?' }] }),
    'report',
    'Delete? How?',
  ],
  ['the plan after a review', REVIEWED, EDITING, 'plan', undefined],
  ['a dry run after a review', REVIEWED, DRY_RUNNING, undefined, WAITING],
  ['a failure', DRY_RUNNING, FAILED, 'failure', 'Refused. Ask for the privilege.'],
  ['the same failure again', { ...FAILED, phase: 'dryRunning' }, FAILED, 'failure', 'Refused. Ask for the privilege.'],
  ['a failure that stays', FAILED, { ...FAILED, indexBytes: 1e9 }, undefined, undefined],
  ['a task', REVIEWED, RUNNING, 'outcome', OUTCOME.headline],
  [
    'progress of less than ten percent',
    RUNNING,
    withOutcome({ percent: 19, headline: 'Still.' }),
    undefined,
    undefined,
  ],
  ['progress', RUNNING, withOutcome({ percent: 20, headline: 'A fifth.' }), undefined, 'A fifth.'],
  ["a task that can't be watched", RUNNING, TROUBLE, undefined, 'Token expired. Sign in.'],
  ["one that still can't", TROUBLE, TROUBLE, undefined, undefined],
  ['one that can again', TROUBLE, RUNNING, undefined, OUTCOME.headline],
  [
    'a task whose searches are still counted',
    withOutcome({ percent: 100, headline: 'All.' }),
    OVER,
    undefined,
    'Over.',
  ],
  ['those counts', OVER, OVER, undefined, undefined],
  [
    'the size that is read after the end',
    withOutcome({ mark: 'done', percent: 100, headline: '20 rows deleted · still 662 MB' }),
    withOutcome({ mark: 'done', percent: 100, headline: '20 rows deleted · still 664 MB' }),
    undefined,
    undefined,
  ],
  [
    'the end, with the next step',
    RUNNING,
    withOutcome({ mark: 'done', headline: 'Done.', next: 'Look at the size.' }),
    undefined,
    'Done. Look at the size.',
  ],
  ['rows by age that are counted', EDITING, counting('counting'), undefined, undefined],
  ['a step of that', counting('counting'), counting('counting', undefined, 3), undefined, undefined],
  ['its end', counting('counting'), counting('complete'), undefined, 'Rows by age are shown.'],
  // Who stops it knows.
  ['its stop', counting('counting'), counting('stopped'), undefined, undefined],
  [
    'its failure, with the next step',
    counting('counting'),
    counting('failed', FAILURE),
    undefined,
    'Refused. Ask for the privilege.',
  ],
];

suite('The focus goes to, and a screen reader announces,', () => {
  for (const [what, before, after, arrival, announced] of CASES)
    test(what, () => {
      assert.equal(arrivalBetween(before, after), arrival);
      assert.equal(announcementFor(before, after), announced);
    });
});
