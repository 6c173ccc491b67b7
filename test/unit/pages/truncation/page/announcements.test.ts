import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutcomeView, RowsByAgeView, TruncationPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { announcementFor, arrivalBetween } from '../../../../../src/pages/truncation/page/announcements.ts';
import { EDITING, NOTHING_COUNTED, OUTCOME, REPORT } from '../views.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const formats = formatsOf('en');

const DRY_RUNNING: TruncationPageView = { ...EDITING, phase: 'dryRunning' };
const REVIEWED: TruncationPageView = { ...EDITING, phase: 'reviewed', report: REPORT };
const RUNNING: TruncationPageView = { ...REVIEWED, phase: 'running', outcome: OUTCOME };

function announced(before: TruncationPageView | undefined, after: TruncationPageView): string | undefined {
  return announcementFor(before, after, formats);
}

function withOutcome(change: Partial<OutcomeView>): TruncationPageView {
  return { ...RUNNING, outcome: { ...OUTCOME, ...change } };
}

suite('A new part of a view', () => {
  test('is the plan if the page opens with it, and nothing if it opens with a review', () => {
    assert.equal(arrivalBetween(undefined, EDITING), 'plan');
    assert.equal(announced(undefined, EDITING), undefined);
    assert.equal(arrivalBetween(undefined, REVIEWED), undefined);
    assert.equal(announced(undefined, REVIEWED), undefined);
  });

  test('is the outcome if the page opens with one, and is not announced', () => {
    assert.equal(arrivalBetween(undefined, RUNNING), 'outcome');
    assert.equal(arrivalBetween(undefined, withOutcome({ state: 'finished' })), 'outcome');
    assert.equal(announced(undefined, RUNNING), undefined, 'not a second time');
  });

  test('is a dry run, announced with its counts', () => {
    assert.equal(arrivalBetween(DRY_RUNNING, REVIEWED), 'report');
    assert.equal(
      announced(DRY_RUNNING, REVIEWED),
      'Dry run complete. 134,517 of 135,600 rows would be deleted (99.2%). Strategy: Reindex',
    );
  });

  test('is not the dry run that is repeated right before executing', () => {
    const confirming: TruncationPageView = { ...REVIEWED, phase: 'confirming' };
    const executing: TruncationPageView = { ...REVIEWED, phase: 'executing', report: { ...REPORT, at: 2 } };
    assert.equal(arrivalBetween(confirming, executing), undefined);
    assert.equal(announced(confirming, executing), 'Waiting for the server…');
    assert.equal(announced({ ...executing, report: REPORT }, executing), undefined);
  });

  test('is a dry run to review again, announced with the reason first', () => {
    const again: TruncationPageView = { ...REVIEWED, report: { ...REPORT, notice: 'More rows would go now.' } };
    assert.equal(arrivalBetween(REVIEWED, again), 'report');
    assert.match(announced(REVIEWED, again) ?? '', /^More rows would go now\. Dry run complete\./);
  });

  test('is none if the report is outdated, which is announced with the reason', () => {
    const outdated: TruncationPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    assert.equal(arrivalBetween(REVIEWED, outdated), undefined, 'the user may be elsewhere');
    assert.equal(announced(REVIEWED, outdated), 'The sign-in has changed.');
    assert.equal(announced(outdated, outdated), undefined);
    const again: TruncationPageView = { ...EDITING, report: { ...REPORT, outdated: 'The role has changed.' } };
    assert.equal(announced({ ...outdated, phase: 'dryRunning' }, again), 'The role has changed.');
  });

  test('is the failure of another dry run above outdated figures, which stay silent', () => {
    const outdated: TruncationPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    const counting: TruncationPageView = { ...outdated, phase: 'dryRunning' };
    assert.equal(announced(outdated, counting), 'Waiting for the server…');
    assert.equal(announced(counting, outdated), undefined, 'cancelled');
    const failed = { ...outdated, failure: { sentence: 'Signed out.', next: 'Sign in.', isSignedOut: true } as const };
    assert.equal(arrivalBetween(counting, failed), 'failure');
    assert.equal(announced(counting, failed), 'Signed out. Sign in.');
  });

  test('is the plan after going back to it, from a review or outdated figures', () => {
    const outdated: TruncationPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    assert.equal(arrivalBetween(REVIEWED, EDITING), 'plan');
    assert.equal(arrivalBetween(outdated, EDITING), 'plan');
    assert.equal(arrivalBetween(REVIEWED, DRY_RUNNING), undefined);
  });

  test('is an unreadable report, announced with its warnings', () => {
    const heading = 'Delete an unknown number of rows?';
    const cautions = [{ kind: 'unreadable', text: "It isn't known how." }] as const;
    const odd: TruncationPageView = { ...REVIEWED, report: { ...REPORT, rows: undefined, heading }, cautions };
    assert.equal(announced(DRY_RUNNING, odd), `${heading} It isn't known how.`);
  });

  test('is a report with warnings, which come last', () => {
    const cautions = [{ kind: 'future', text: 'This lies ahead.' }] as const;
    assert.match(announced(DRY_RUNNING, { ...REVIEWED, cautions }) ?? '', /Strategy: Reindex This lies ahead\.$/);
  });

  test('is a failure before anything else, each time', () => {
    const failed: TruncationPageView = {
      ...EDITING,
      failure: { sentence: 'Refused.', next: 'Ask for the privilege.', isSignedOut: undefined },
    };
    assert.equal(arrivalBetween(DRY_RUNNING, failed), 'failure');
    assert.equal(announced(DRY_RUNNING, failed), 'Refused. Ask for the privilege.');
    assert.equal(arrivalBetween({ ...failed, phase: 'dryRunning' }, failed), 'failure');
    assert.equal(arrivalBetween(failed, { ...failed, indexSize: '1 GB' }), undefined);
  });

  test('is a task, once', () => {
    assert.equal(arrivalBetween(REVIEWED, RUNNING), 'outcome');
    assert.equal(arrivalBetween(RUNNING, withOutcome({ percent: 12 })), undefined);
  });
});

suite('A screen reader announces', () => {
  test("a task that can't be watched, with reason and next step, and the end of that", () => {
    const trouble = withOutcome({ isTrouble: true, headline: 'Token expired.', next: 'Sign in.' });
    assert.equal(announced(RUNNING, trouble), 'Token expired. Sign in.');
    assert.equal(announced(trouble, trouble), undefined);
    assert.equal(announced(trouble, RUNNING), OUTCOME.headline);
  });

  test('progress every ten percent, not with each poll', () => {
    assert.equal(announced(RUNNING, withOutcome({ percent: 19, headline: 'Still.' })), undefined);
    assert.equal(announced(RUNNING, withOutcome({ percent: 20, headline: 'A fifth.' })), 'A fifth.');
  });

  test('the end of the task once, while searches are still counted', () => {
    const all = withOutcome({ percent: 100, headline: 'All of them.' });
    const over = withOutcome({ percent: 100, headline: 'Over.' });
    assert.equal(announced(all, over), 'Over.');
    assert.equal(announced(over, over), undefined);
  });

  test('the end, with the next step', () => {
    const finished = withOutcome({ state: 'finished', headline: 'Done.', next: 'Look at the size.' });
    assert.equal(announced(RUNNING, finished), 'Done. Look at the size.');
  });

  test('waiting for the server or the user', () => {
    assert.equal(announced(EDITING, DRY_RUNNING), 'Waiting for the server…');
    assert.equal(announced(REVIEWED, { ...REVIEWED, phase: 'confirming' }), 'Waiting for your confirmation.');
    assert.equal(announced(DRY_RUNNING, DRY_RUNNING), undefined);
  });
});

suite('While rows by age are counted', () => {
  const counting = (state: RowsByAgeView['state'], more: Partial<RowsByAgeView> = {}): TruncationPageView => ({
    ...EDITING,
    rowsByAge: { ...NOTHING_COUNTED, state, ...more },
  });

  test('the end is announced, and no step before it', () => {
    for (const [before, after, text] of [
      [EDITING, counting('counting'), undefined],
      [counting('counting'), counting('counting', { at: 3 }), undefined],
      [counting('counting'), counting('complete'), 'Rows by age are shown.'],
      [counting('complete'), counting('complete'), undefined],
      // Who stops it knows.
      [counting('counting'), counting('stopped'), undefined],
    ] as const) {
      assert.equal(announced(before, after), text);
    }
  });

  test('a failure is announced with the next step', () => {
    const failure = { sentence: 'Not allowed.', next: 'Ask an administrator.', isSignedOut: undefined };
    assert.equal(
      announced(counting('counting'), counting('failed', { failure })),
      'Not allowed. Ask an administrator.',
    );
  });
});
