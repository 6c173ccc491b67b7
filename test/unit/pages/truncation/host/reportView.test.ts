import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FitGoal } from '../../../../../src/rowsByAge/fitGoal.ts';
import type { TruncationState } from '../../../../../src/truncation/state.ts';
import type { TaskProgress } from '../../../../../src/truncation/taskEnd.ts';
import type { AgeHistogramState } from '../../../../../src/rowsByAge/ageHistogramSession.ts';
import { type WizardViewFacts } from '../../../../../src/pages/truncation/host/view.ts';
import {
  DAY,
  DRAFT,
  FINISHED,
  LOST,
  MINUTE,
  NOW,
  PLAN,
  RECORD,
  REINDEX,
  REVIEW,
  STATES,
  UNKNOWN_WORDS,
  exactly,
} from '../../../truncation/samples.ts';
import { reviewed, wizardViewOf } from './wizardViews.ts';

const SAMPLE = { endTimeMillis: NOW, rows: 300, total: 400, at: NOW };

suite('A fitted cutoff', () => {
  const fitted = (goal: FitGoal, cutoff = PLAN.endTimeMillis): AgeHistogramState => ({
    phase: 'idle',
    curve: undefined,
    failing: undefined,
    fit: { goal, found: { kind: 'solved', endTimeMillis: cutoff, sample: SAMPLE, isTight: true } },
  });
  const few: FitGoal = { kind: 'deleteRows', rows: 1_000_000 };

  test('is mentioned as long as it is the cutoff', () => {
    assert.equal(wizardViewOf(STATES.editing, { rowsByAge: fitted(few, DRAFT.endTimeMillis) }).fit?.state, 'solved');
    assert.equal(wizardViewOf(STATES.editing, { rowsByAge: fitted(few, NOW - 200 * DAY) }).fit, undefined);
  });

  test("is mentioned with any cutoff if it can't be found", () => {
    const rowsByAge: AgeHistogramState = {
      ...fitted(few),
      fit: { goal: few, found: { kind: 'unsolved', why: 'noRows' } },
    };
    assert.equal(wizardViewOf(STATES.editing, { rowsByAge }).fit?.state, 'unsolved');
  });

  for (const [goal, notice] of [
    [{ kind: 'deleteRows', rows: 19 }, "This cutoff doesn't meet your limit."],
    [{ kind: 'deleteRows', rows: 20 }, undefined],
    [{ kind: 'keepBytes', bytes: 900 }, "This cutoff doesn't meet your limit."],
    [{ kind: 'keepBytes', bytes: 901 }, undefined],
  ] as const) {
    const relation = notice === undefined ? 'keeps' : 'exceeds';
    test(`${JSON.stringify(goal)}: a review of 20 of 201 rows and 1,000 bytes ${relation} it`, () => {
      const report = { ...REVIEW.report, rows: { toDelete: 20, total: 201 } };
      const noticeOf = (facts: Partial<WizardViewFacts>): string | undefined =>
        wizardViewOf(reviewed({ report }), { indexSize: exactly(1_000), ...facts }).report?.notice;
      assert.equal(noticeOf({ rowsByAge: fitted(goal) }), notice);
      assert.equal(noticeOf({ rowsByAge: fitted(goal, PLAN.endTimeMillis - DAY) }), undefined, 'of another cutoff');
      assert.equal(noticeOf({ rowsByAge: fitted(goal), record: RECORD }), undefined, 'once it was sent');
    });
  }

  test('is less important than the reason for another review', () => {
    const rowsByAge = fitted({ kind: 'deleteRows', rows: 1 });
    assert.match(
      wizardViewOf(reviewed({ notice: 'grew' }), { rowsByAge }).report?.notice ?? '',
      /More rows would be deleted now/,
    );
  });
});

suite('The report', () => {
  test("shows rows, strategy and the server's text", () => {
    const { report } = wizardViewOf(STATES.reviewed);
    assert.deepEqual(
      {
        rowsToDelete: report?.rowsToDelete,
        rowsTotal: report?.rowsTotal,
        percent: report?.percent?.toFixed(2),
        strategy: report?.strategy,
        at: report?.at,
      },
      { rowsToDelete: 20, rowsTotal: 201, percent: '9.95', strategy: 'Delete by query', at: NOW },
    );
    assert.equal(report?.serverText, REVIEW.report.serverText);
    assert.equal(report.strategyIsRisky, false);
    assert.equal(report.notice, undefined);
  });

  test('has no counts if they are unknown', () => {
    const { report } = wizardViewOf(reviewed({ report: UNKNOWN_WORDS }));
    assert.ok(report !== undefined && report.rowsToDelete === undefined && report.percent === undefined);
  });

  test('exists from the review on', () => {
    for (const [place, state] of Object.entries(STATES)) {
      assert.equal(wizardViewOf(state).report !== undefined, place !== 'editing' && place !== 'dryRunning', place);
    }
  });

  test('offers delete by query instead of a reindex if the server supports it and nothing was sent', () => {
    const offered = (state: TruncationState, forceFlagsKnown = true): boolean | undefined =>
      wizardViewOf(state, { forceFlagsKnown }).report?.canForceDeleteByQuery;
    const review = { ...REVIEW, plan: { ...PLAN, strategy: 'server' as const }, report: REINDEX };
    assert.equal(offered(reviewed(review)), true);
    const refused = { ...STATES.failed, review, taskId: undefined };
    assert.equal(offered(refused), true);
    assert.equal(
      offered({
        ...refused,
        ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true },
      }),
      false,
      'it would take rows from an index whose others are hidden',
    );
    assert.equal(offered({ ...refused, ending: LOST }), false, 'the server may be deleting');
    assert.equal(offered({ ...STATES.failed, review }), false, 'the task broke off');
    assert.equal(offered(reviewed(review), false), false);
    assert.equal(offered(STATES.reviewed), false);
    assert.equal(offered(reviewed({ ...review, plan: { ...PLAN, strategy: 'deleteByQuery' } })), false);
    assert.equal(offered({ ...STATES.running, review }), false);
    assert.equal(wizardViewOf(reviewed(review)).report?.strategyIsRisky, true);
  });

  test('estimates the size of the rows to delete', () => {
    const estimate = (facts: Partial<WizardViewFacts>, report = REVIEW.report): unknown =>
      wizardViewOf(reviewed({ report }), facts).report?.sizeToDelete;
    assert.deepEqual(estimate({ indexSize: exactly(2_010_000_000) }), {
      bytes: 'about 200 MB',
      ofAll: 'of 2 GB',
    });
    assert.deepEqual(estimate({ indexSize: exactly(8_100_000_000) }, REINDEX), {
      bytes: 'about 8 GB',
      ofAll: 'of 8.1 GB',
    });
    assert.equal(estimate({}), undefined, 'the size is not known');
    assert.equal(estimate({ indexSize: exactly(1_000) }, UNKNOWN_WORDS), undefined, 'the rows are not known');
    assert.equal(estimate({ indexSize: exactly(1_000), record: RECORD }), undefined, 'it was sent');
    const wrong = { bytes: 1_000, precision: 'approximate' } as const;
    assert.equal(estimate({ indexSize: wrong }), undefined, 'the size may be wrong');
  });

  test('says why it needs another review', () => {
    const notices = (['grew', 'strategy', 'unreadable', 'tooOld'] as const).map(
      (notice) => wizardViewOf(reviewed({ notice })).report?.notice ?? '',
    );
    assert.equal(new Set(notices).size, 4);
    assert.ok(notices.slice(0, 3).every((text) => text.startsWith('Nothing was deleted')));
  });
});

suite('A size that the server may report wrong', () => {
  const shown = wizardViewOf(STATES.editing, { indexSize: { bytes: 8_100_000_000, precision: 'approximate' } });

  test('is shown as "about", with the reason', () => {
    assert.equal(shown.indexSize, 'about 8.1 GB');
    assert.match(shown.sizeNote ?? '', /wrong sizes above 2\.1 GB/);
    const negative = wizardViewOf(STATES.editing, { indexSize: { bytes: undefined, precision: 'approximate' } });
    assert.deepEqual([negative.indexSize, negative.sizeNote], [undefined, shown.sizeNote]);
  });

  test("can't be a limit, and the field says why", () => {
    assert.match(shown.sizeLimitRefusal ?? '', /^Can't limit by size/);
    const exact = wizardViewOf(STATES.editing, { indexSize: exactly(8_100_000_000) });
    assert.deepEqual([exact.sizeNote, exact.sizeLimitRefusal], [undefined, undefined]);
  });

  test('is not used to check a review against a limit', () => {
    const fit = {
      goal: { kind: 'keepBytes', bytes: 1 },
      found: { kind: 'solved', endTimeMillis: PLAN.endTimeMillis, sample: SAMPLE, isTight: true },
    } as const;
    const rowsByAge = { phase: 'idle', curve: undefined, failing: undefined, fit } as const;
    const noticeOf = (precision: 'exact' | 'approximate'): unknown =>
      wizardViewOf(STATES.reviewed, { rowsByAge, indexSize: { bytes: 1_000, precision } }).report?.notice;
    assert.deepEqual([noticeOf('exact'), noticeOf('approximate')], ["This cutoff doesn't meet your limit.", undefined]);
  });
});

suite('A review beside the report', () => {
  const reindex = reviewed({ report: REINDEX });

  test('says what space a reindex needs', () => {
    assert.equal(
      wizardViewOf(reindex, { indexSize: exactly(10e9) }).report?.spaceNeeded,
      "The copy needs about 80 MB of disk space for a while. How much is free isn't known.",
    );
    assert.match(wizardViewOf(reindex).report?.spaceNeeded ?? '', /^The copy needs disk space/);
  });

  test('needs no space for a delete by query, nor after sending', () => {
    assert.equal(wizardViewOf(reviewed({}), { indexSize: exactly(10e9) }).report?.spaceNeeded, undefined);
    assert.equal(
      wizardViewOf(STATES.running, { indexSize: exactly(10e9), record: RECORD }).report?.spaceNeeded,
      undefined,
    );
  });

  test('says the purpose of the rows, and that there is no other copy', () => {
    const { aspectLines = [] } = wizardViewOf(reviewed({})).report ?? {};
    assert.equal(aspectLines.length, 3);
    assert.match(aspectLines[0] ?? '', /Stats tab/);
    assert.match(aspectLines[1] ?? '', /before Aug 23, 2026, 12:00\sPM/);
    assert.match(aspectLines[2] ?? '', /no second copy/);
  });

  test('shows other activity with a report only, until it was sent', () => {
    const serverNotes = ['The server is in maintenance mode.'];
    assert.deepEqual(wizardViewOf(reindex, { serverNotes }).serverNotes, serverNotes);
    assert.equal(wizardViewOf(STATES.editing, { serverNotes }).serverNotes, undefined);
    assert.equal(wizardViewOf(STATES.running, { serverNotes, record: RECORD }).serverNotes, undefined);
  });

  test('shows the rate of a running task once known', () => {
    const progressAt = (at: number, since = at): TaskProgress => {
      const seen = { at, since, hasMoved: true, isReported: true };
      return { counts: 'deleted', done: 10, total: 20, seen };
    };
    const now = NOW + 3 * MINUTE;
    const pace = (progress: TaskProgress, facts: Partial<WizardViewFacts> = {}): string | undefined =>
      wizardViewOf(STATES.running, { record: RECORD, progress, now, ...facts }).task?.pace;
    assert.equal(
      pace(progressAt(now)),
      "Running for 3 min. About 3 rows a minute, about 3 min left. It can't be stopped from here.",
    );
    assert.match(pace(progressAt(now, NOW + MINUTE)) ?? '', /^Running for 3 min\. No progress for 2 min\./);
    assert.equal(pace(progressAt(NOW)), "Running for 3 min. It can't be stopped from here.");
    assert.equal(pace(progressAt(now), { watchProblem: { sentence: 'Down.' } }), undefined);
    assert.equal(pace(progressAt(now), { record: { ...RECORD, ending: FINISHED } }), undefined);
  });
});
