import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RowsByAgeView, TaskView, WizardView } from '../../../../src/wizard/protocol.ts';
import { announcementFor, arrivalIn } from '../../../../src/wizard/page/announcements.ts';
import { EDITING, NOTHING_COUNTED, REPORT, TASK } from '../views.ts';
import { formatsOf } from '../../../../src/ui/formats.ts';

const formats = formatsOf('en');

const DRY_RUNNING: WizardView = { ...EDITING, phase: 'dryRunning' };
const REVIEWED: WizardView = { ...EDITING, phase: 'reviewed', report: REPORT };
const RUNNING: WizardView = { ...REVIEWED, phase: 'running', task: TASK };

function announced(before: WizardView | undefined, after: WizardView): string | undefined {
  return announcementFor(before, after, formats);
}

function withTask(change: Partial<TaskView>): WizardView {
  return { ...RUNNING, task: { ...TASK, ...change } };
}

suite('A new part of a view', () => {
  test('does not exist when the page opens with a plan', () => {
    assert.equal(arrivalIn(undefined, REVIEWED), undefined);
    assert.equal(announced(undefined, REVIEWED), undefined);
  });

  test('is the outcome if the page opens with one, and is not announced', () => {
    assert.equal(arrivalIn(undefined, RUNNING), 'task');
    assert.equal(arrivalIn(undefined, withTask({ state: 'finished' })), 'task');
    assert.equal(announced(undefined, RUNNING), undefined, 'not a second time');
  });

  test('is a dry run, announced with its counts', () => {
    assert.equal(arrivalIn(DRY_RUNNING, REVIEWED), 'report');
    assert.equal(
      announced(DRY_RUNNING, REVIEWED),
      'Dry run complete. 134,517 of 135,600 rows, 99.2%, would be deleted. Strategy: Reindex',
    );
  });

  test('is not the dry run that is repeated right before executing', () => {
    const confirming: WizardView = { ...REVIEWED, phase: 'confirming' };
    const executing: WizardView = { ...REVIEWED, phase: 'executing', report: { ...REPORT, at: 2 } };
    assert.equal(arrivalIn(confirming, executing), undefined);
    assert.equal(announced(confirming, executing), 'Waiting for the server…');
    assert.equal(announced({ ...executing, report: REPORT }, executing), undefined);
  });

  test('is a dry run to review again, announced with the reason first', () => {
    const again: WizardView = { ...REVIEWED, report: { ...REPORT, notice: 'More rows would go now.' } };
    assert.equal(arrivalIn(REVIEWED, again), 'report');
    assert.match(announced(REVIEWED, again) ?? '', /^More rows would go now\. Dry run complete\./);
  });

  test("is an unreadable report, announced in the server's words", () => {
    const odd: WizardView = { ...REVIEWED, report: { ...REPORT, ...WITHOUT_COUNTS, serverText: 'Lösche 20 Zeilen' } };
    assert.match(announced(DRY_RUNNING, odd) ?? '', /Lösche 20 Zeilen$/);
  });

  test('is a failure before anything else, each time', () => {
    const failed: WizardView = {
      ...EDITING,
      failure: { sentence: 'Refused.', next: 'Ask for the privilege.', isSignedOut: undefined },
    };
    assert.equal(arrivalIn(DRY_RUNNING, failed), 'failure');
    assert.equal(announced(DRY_RUNNING, failed), 'Refused. Ask for the privilege.');
    assert.equal(arrivalIn({ ...failed, phase: 'dryRunning' }, failed), 'failure');
    assert.equal(arrivalIn(failed, { ...failed, indexSize: '1 GB' }), undefined);
  });

  test('is a task, once', () => {
    assert.equal(arrivalIn(REVIEWED, RUNNING), 'task');
    assert.equal(arrivalIn(RUNNING, withTask({ percent: 12 })), undefined);
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

  test('once that the task has ended while searches are counted', () => {
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
    const cautioned: WizardView = { ...EDITING, caution: { kind: 'future', text: 'This lies ahead.' } };
    assert.equal(announced(EDITING, cautioned), 'This lies ahead.');
    assert.equal(announced(cautioned, cautioned), undefined);
  });
});

const WITHOUT_COUNTS = { rowsToDelete: undefined, rowsTotal: undefined, percent: undefined };

suite('While rows by age are counted', () => {
  const counting = (state: RowsByAgeView['state'], more: Partial<RowsByAgeView> = {}): WizardView => ({
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
    const goal = { kind: 'keepDays', days: 90 } as const;
    const solving: WizardView = { ...EDITING, fit: { state: 'solving', goal, sentence: '' } };
    const solved: WizardView = { ...EDITING, fit: { state: 'solved', goal, sentence: 'Filled in.' } };
    assert.equal(announced(EDITING, solving), undefined);
    assert.equal(announced(solving, solved), 'Filled in.');
    assert.equal(announced(solved, { ...solved, forceFlagsKnown: true }), undefined);
  });
});
