import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { DryRunReport } from '../../../src/truncation/dryRun.ts';
import {
  type ExecutionOutcome,
  needsRecount,
  outcomeOfResponse,
  outcomeOfFailure,
} from '../../../src/truncation/executionOutcome.ts';
import type { Problem, UnknownOutcome } from '../../../src/truncation/outcome.ts';
import { endingProblem } from '../../../src/truncation/texts/endingTexts.ts';
import { judgementTexts } from '../../../src/truncation/texts/judgementTexts.ts';
import type { ReaderCount } from '../../../src/truncation/readerJudgement.ts';
import { taskTexts } from '../../../src/truncation/texts/taskTexts.ts';
import { DELETE_BY_QUERY, PLAN, REINDEX, TASK_ID, UNKNOWN_WORDS } from './samples.ts';

const FAILING = { sentence: 'As it was told.', next: 'Look.' };

/** Rows that searches find: dated up to the cutoff, and others. */
function counted(toDelete: number, total: number): ReaderCount {
  return { at: 0, toDelete, kept: total - toDelete };
}

/** Outcome of a failed execution, given its dry run and the new count, which it needs. */
function after(
  failure: ServiceFailure,
  now: ReaderCount | undefined,
  report: DryRunReport = DELETE_BY_QUERY,
  release?: string,
): ExecutionOutcome {
  assert.ok(needsRecount(failure, { report }));
  return outcomeOfFailure(failure, FAILING, { report }, now, release);
}

/** Asserts that nothing happened, whatever a count would say. */
function assertNothingHappened(failure: ServiceFailure, report: DryRunReport): void {
  assert.ok(!needsRecount(failure, { report }));
  const outcome = outcomeOfFailure(failure, FAILING, { report }, undefined, undefined);
  assert.partialDeepStrictEqual(outcome, { kind: 'nothingHappened', failing: FAILING });
}

/** What is said of an unknown outcome. */
function said(outcome: ExecutionOutcome, report: DryRunReport = DELETE_BY_QUERY): Problem {
  assert.ok(outcome.kind === 'unknown');
  return endingProblem(outcome.ending, { plan: PLAN, report, taskEnd: outcome.taskEnd });
}

/** Outcome of a failed reindex, given the rows that searches find. */
function hiding(
  toDelete: number,
  total: number,
  missing: UnknownOutcome['missing'] = 'notRefreshedOrCopied',
): ExecutionOutcome {
  return {
    kind: 'unknown',
    taskEnd: { kind: 'short' },
    ending: {
      kind: 'unknown',
      reason: 'rowsHidden',
      found: { toDelete, kept: total - toDelete },
      hidesRows: true,
      missing,
    },
  };
}

suite('Response to an execution', () => {
  test('starts the truncation if it has a task ID', () => {
    assert.deepEqual(outcomeOfResponse({ kind: 'started', taskId: TASK_ID }), { kind: 'started', taskId: TASK_ID });
  });

  test('is a refusal with a next step if it is a sentence', () => {
    const outcome = outcomeOfResponse({ kind: 'declined', serverText: 'please only set one flag' });
    assert.ok(outcome.kind === 'nothingHappened');
    assert.equal(outcome.failing.sentence, "The server didn't start the deletion: please only set one flag");
    assert.match(outcome.failing.next ?? '', /dry run/);
  });
});

suite('Execution with a lost response', () => {
  const lost = new ServiceFailure('unreachable', 'Cut.', { mayHaveActed: true });
  const again = (toDelete: number): string =>
    judgementTexts.countedAgain({ report: DELETE_BY_QUERY }, counted(toDelete, 201));

  for (const [what, now, next] of [
    ['fewer rows than before show that it runs', counted(19, 200), again(19)],
    ['no row is left, so it has run', counted(0, 181), again(0)],
    ['as many rows as before prove nothing', counted(20, 201), again(20)],
    ['more rows than before prove nothing', counted(21, 202), again(20)],
    ['the rows could not be counted', undefined, taskTexts.lost().next],
  ] as const) {
    test(`has an unknown outcome if ${what}`, () => {
      assert.deepEqual(said(after(lost, now)), { sentence: taskTexts.lost().sentence, next });
    });
  }

  for (const failure of [
    new ServiceFailure('timedOut', 'Too late.', { mayHaveActed: true }),
    new ServiceFailure('unavailable', 'Gateway.', { mayHaveActed: true, status: 504 }),
  ]) {
    test(`has probably begun after a timeout: ${failure.kind}`, () => {
      const outcome = after(failure, undefined);
      assert.deepEqual(said(outcome), taskTexts.lostInTime());
    });
  }

  for (const [serverText, sentence] of [
    [undefined, 'The deletion may or may not have started: the server reported an error (HTTP 500).'],
    [
      'delete timed out',
      'The deletion may or may not have started: the server reported an error (HTTP 500: delete timed out).',
    ],
  ] as const) {
    test(`shows the error of the server: ${serverText ?? 'none'}`, () => {
      const failure = new ServiceFailure('server', 'Failed.', { mayHaveActed: true, status: 500, serverText });
      assert.deepEqual(said(after(failure, undefined)), { ...taskTexts.lost(), sentence });
      assert.deepEqual(said(after(failure, counted(20, 201))), { sentence, next: again(20) });
    });
  }

  test('has an unknown outcome if nothing was counted before', () => {
    assert.deepEqual(said(after(lost, counted(19, 200), UNKNOWN_WORDS)), taskTexts.lost());
  });

  test('differs from a refusal, after which nothing is counted', () => {
    const refused = new ServiceFailure('refused', 'No.');
    assertNothingHappened(refused, DELETE_BY_QUERY);
  });

  test('does not show the words that identify a failed reindex', () => {
    const silent = new ServiceFailure('server', 'Failed.', {
      mayHaveActed: true,
      serverText: 'java.io.IOException: disk full',
    });
    assert.deepEqual(said(after(silent, undefined)), taskTexts.lost());
  });
});

suite('Reindex refused in other words', () => {
  const refused = new ServiceFailure('badRequest', 'No.', { status: 400 });
  const hidden = hiding(0, 3);
  const some = counted(0, 3);
  const all = counted(REINDEX.rows?.toDelete ?? 0, REINDEX.rows?.total ?? 0);

  for (const planned of [REINDEX, { ...REINDEX, strategy: 'unknown' }] as const) {
    test(`may have hidden rows, which only a count shows (${planned.strategy})`, () => {
      assert.deepEqual(after(refused, some, planned), hidden);
      assert.partialDeepStrictEqual(after(refused, all, planned), { kind: 'nothingHappened', failing: FAILING });
      const notCounted = after(refused, undefined, planned);
      assert.ok(notCounted.kind === 'unknown' && notCounted.ending.hidesRows);
    });
  }

  test('is lost with the missing rows if its response is lost, since one count proves nothing', () => {
    const lost = new ServiceFailure('unreachable', 'Cut.', { mayHaveActed: true });
    const next = judgementTexts.countedAgain({ report: REINDEX }, some);
    assert.match(next, /: searches find 3 of 1,083 rows to keep\.$/);
    assert.deepEqual(said(after(lost, some, REINDEX), REINDEX), { sentence: taskTexts.lost().sentence, next });
  });

  test('is not counted after a status that means it never began', () => {
    assertNothingHappened(new ServiceFailure('refused', 'No.', { status: 403 }), REINDEX);
  });

  test('is not counted for a delete by query', () => {
    assertNothingHappened(refused, DELETE_BY_QUERY);
  });
});

suite('Failed reindex', () => {
  const rows = REINDEX.rows ?? assert.fail();
  const words = [
    'Async reindex failed',
    'ASYNC REINDEX FAILED',
    'Reindexing failed for x',
    'at reindexInPlaceAsync',
    'x should be an alias',
  ];

  for (const serverText of words) {
    test(`is recognized by its text, whether or not the server may have acted: ${serverText}`, () => {
      for (const mayHaveActed of [true, false]) {
        const failure = new ServiceFailure('badRequest', 'Failed.', { serverText, mayHaveActed });
        assert.deepEqual(after(failure, counted(rows.toDelete, rows.total), REINDEX), {
          kind: 'nothingHappened',
          failing: taskTexts.notReindexed(),
          status: undefined,
          serverText,
        });
      }
    });
  }

  const broken = new ServiceFailure('badRequest', 'Failed.', { serverText: 'Async reindex failed' });

  for (const [what, toDelete, total] of [
    ['as many', rows.toDelete, rows.total],
    ['more', rows.toDelete + 1, rows.total + 5],
  ] as const) {
    test(`has done nothing if searches still find ${what} rows of both kinds`, () => {
      assert.equal(after(broken, counted(toDelete, total), REINDEX).kind, 'nothingHappened');
    });
  }

  for (const [what, toDelete, total] of [
    ['one row less in total', rows.toDelete, rows.total - 1],
    ['one row less to delete', rows.toDelete - 1, rows.total - 1],
    ['no rows', 0, 0],
  ] as const) {
    test(`may have hidden rows if searches find ${what}`, () => {
      assert.deepEqual(after(broken, counted(toDelete, total), REINDEX), hiding(toDelete, total));
    });
  }

  test('needs no refresh by an administrator where the release makes one', () => {
    assert.deepEqual(after(broken, counted(0, 0), REINDEX, 'v0.14.0'), hiding(0, 0, 'notCopied'));
  });

  for (const [what, now, planned] of [
    ['the rows could not be counted since', undefined, REINDEX],
    ['nothing was counted before', counted(0, 3), UNKNOWN_WORDS],
  ] as const) {
    test(`may have hidden rows if ${what}`, () => {
      const outcome = after(broken, now, planned);
      assert.ok(outcome.kind === 'unknown' && outcome.ending.hidesRows === true);
      assert.deepEqual(said(outcome), taskTexts.rowsHidden(now && 3));
    });
  }
});
