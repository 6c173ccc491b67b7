import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type {
  AgeHistogramView,
  TruncationTaskView,
  WizardPageView,
} from '../../../../../src/pages/truncation/protocol.ts';
import { announcementFor, arrivalBetween } from '../../../../../src/pages/truncation/page/announcements.ts';
import { EDITING, NOTHING_COUNTED, REPORT, TASK } from '../views.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const formats = formatsOf('en');

const DRY_RUNNING: WizardPageView = { ...EDITING, phase: 'dryRunning' };
const REVIEWED: WizardPageView = { ...EDITING, phase: 'reviewed', report: REPORT };
const RUNNING: WizardPageView = { ...REVIEWED, phase: 'running', task: TASK };

function announced(before: WizardPageView | undefined, after: WizardPageView): string | undefined {
  return announcementFor(before, after, formats);
}

function withTask(change: Partial<TruncationTaskView>): WizardPageView {
  return { ...RUNNING, task: { ...TASK, ...change } };
}

suite('A new part of a view', () => {
  test('does not exist when the page opens with a plan', () => {
    assert.equal(arrivalBetween(undefined, REVIEWED), undefined);
    assert.equal(announced(undefined, REVIEWED), undefined);
  });

  test('is the outcome if the page opens with one, and is not announced', () => {
    assert.equal(arrivalBetween(undefined, RUNNING), 'task');
    assert.equal(arrivalBetween(undefined, withTask({ state: 'finished' })), 'task');
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
    const confirming: WizardPageView = { ...REVIEWED, phase: 'confirming' };
    const executing: WizardPageView = { ...REVIEWED, phase: 'executing', report: { ...REPORT, at: 2 } };
    assert.equal(arrivalBetween(confirming, executing), undefined);
    assert.equal(announced(confirming, executing), 'Waiting for the server…');
    assert.equal(announced({ ...executing, report: REPORT }, executing), undefined);
  });

  test('is a dry run to review again, announced with the reason first', () => {
    const again: WizardPageView = { ...REVIEWED, report: { ...REPORT, notice: 'More rows would go now.' } };
    assert.equal(arrivalBetween(REVIEWED, again), 'report');
    assert.match(announced(REVIEWED, again) ?? '', /^More rows would go now\. Dry run complete\./);
  });

  test('is none if the report is outdated, which is announced with the reason', () => {
    const outdated: WizardPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    assert.equal(arrivalBetween(REVIEWED, outdated), undefined, 'the user may be elsewhere');
    assert.equal(announced(REVIEWED, outdated), 'The sign-in has changed.');
    assert.equal(announced(outdated, outdated), undefined);
    const again: WizardPageView = { ...EDITING, report: { ...REPORT, outdated: 'The role has changed.' } };
    assert.equal(announced({ ...outdated, phase: 'dryRunning' }, again), 'The role has changed.');
  });

  test('is the failure of another dry run above outdated figures, which stay silent', () => {
    const outdated: WizardPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    const counting: WizardPageView = { ...outdated, phase: 'dryRunning' };
    assert.equal(announced(outdated, counting), 'Waiting for the server…');
    assert.equal(announced(counting, outdated), undefined, 'cancelled');
    const failed = { ...outdated, failure: { sentence: 'Signed out.', next: 'Sign in.', isSignedOut: true } as const };
    assert.equal(arrivalBetween(counting, failed), 'failure');
    assert.equal(announced(counting, failed), 'Signed out. Sign in.');
  });

  test('is the plan after going back to it, from a review or outdated figures', () => {
    const outdated: WizardPageView = { ...EDITING, report: { ...REPORT, outdated: 'The sign-in has changed.' } };
    assert.equal(arrivalBetween(REVIEWED, EDITING), 'plan');
    assert.equal(arrivalBetween(outdated, EDITING), 'plan');
    assert.equal(arrivalBetween(REVIEWED, DRY_RUNNING), undefined);
  });

  test("is an unreadable report, announced in the server's words", () => {
    const odd: WizardPageView = {
      ...REVIEWED,
      report: { ...REPORT, ...WITHOUT_COUNTS, serverText: 'Lösche 20 Zeilen' },
    };
    assert.match(announced(DRY_RUNNING, odd) ?? '', /Lösche 20 Zeilen$/);
  });

  test('is a failure before anything else, each time', () => {
    const failed: WizardPageView = {
      ...EDITING,
      failure: { sentence: 'Refused.', next: 'Ask for the privilege.', isSignedOut: undefined },
    };
    assert.equal(arrivalBetween(DRY_RUNNING, failed), 'failure');
    assert.equal(announced(DRY_RUNNING, failed), 'Refused. Ask for the privilege.');
    assert.equal(arrivalBetween({ ...failed, phase: 'dryRunning' }, failed), 'failure');
    assert.equal(arrivalBetween(failed, { ...failed, indexSize: '1 GB' }), undefined);
  });

  test('is a task, once', () => {
    assert.equal(arrivalBetween(REVIEWED, RUNNING), 'task');
    assert.equal(arrivalBetween(RUNNING, withTask({ percent: 12 })), undefined);
  });
});

suite('A screen reader announces', () => {
  test("a task that can't be watched, with reason and next step, and the end of that", () => {
    const trouble = withTask({ isTrouble: true, sentence: 'Token expired.', next: 'Sign in.' });
    assert.equal(announced(RUNNING, trouble), 'Token expired. Sign in.');
    assert.equal(announced(trouble, trouble), undefined);
    assert.equal(announced(trouble, RUNNING), TASK.sentence);
  });

  test('progress every ten percent, not with each poll', () => {
    assert.equal(announced(RUNNING, withTask({ percent: 19, sentence: 'Still.' })), undefined);
    assert.equal(announced(RUNNING, withTask({ percent: 20, sentence: 'A fifth.' })), 'A fifth.');
  });

  test('the end of the task once, while searches are still counted', () => {
    const all = withTask({ percent: 100, sentence: 'All of them.' });
    const over = withTask({ percent: 100, sentence: 'Over.' });
    assert.equal(announced(all, over), 'Over.');
    assert.equal(announced(over, over), undefined);
  });

  test('the end, with the next step', () => {
    const finished = withTask({ state: 'finished', sentence: 'Done.', next: 'Look at the size.' });
    assert.equal(announced(RUNNING, finished), 'Done. Look at the size.');
  });

  test('waiting for the server or the user', () => {
    assert.equal(announced(EDITING, DRY_RUNNING), 'Waiting for the server…');
    assert.equal(announced(REVIEWED, { ...REVIEWED, phase: 'confirming' }), 'Confirm in the prompt above to continue.');
    assert.equal(announced(DRY_RUNNING, DRY_RUNNING), undefined);
  });

  test('a warning when it appears, not again', () => {
    const cautioned: WizardPageView = { ...EDITING, cautions: [{ kind: 'future', text: 'This lies ahead.' }] };
    assert.equal(announced(EDITING, cautioned), 'This lies ahead.');
    assert.equal(announced(cautioned, cautioned), undefined);
  });
});

const WITHOUT_COUNTS = { rowsToDelete: undefined, rowsTotal: undefined, percent: undefined };

suite('While rows by age are counted', () => {
  const counting = (state: AgeHistogramView['state'], more: Partial<AgeHistogramView> = {}): WizardPageView => ({
    ...EDITING,
    rowsByAge: { ...NOTHING_COUNTED, state, ...more },
  });

  test('start and end are announced, and no step between them', () => {
    assert.equal(announced(EDITING, counting('loading')), 'Waiting for the server…');
    assert.equal(announced(counting('loading'), counting('loading', { at: 3 })), undefined);
    assert.equal(announced(counting('loading'), counting('complete')), 'Rows by age are shown.');
    assert.equal(announced(counting('complete'), counting('complete')), undefined);
    assert.equal(announced(counting('loading'), counting('stopped')), undefined, 'who stops it knows');
  });

  test('a failure is announced with the next step', () => {
    const failure = { sentence: 'Not allowed.', next: 'Ask an administrator.', isSignedOut: undefined };
    assert.equal(announced(counting('loading'), counting('failed', { failure })), 'Not allowed. Ask an administrator.');
  });

  test('the result of a fit is announced once', () => {
    const goal = { kind: 'deleteRows', rows: 90 } as const;
    const solving: WizardPageView = { ...EDITING, fit: { state: 'solving', goal, sentence: '' } };
    const solved: WizardPageView = { ...EDITING, fit: { state: 'solved', goal, sentence: 'Cutoff filled in.' } };
    assert.equal(announced(EDITING, solving), undefined);
    assert.equal(announced(solving, solved), 'Cutoff filled in.');
    assert.equal(announced(solved, { ...solved, forceFlagsKnown: true }), undefined);
  });
});
