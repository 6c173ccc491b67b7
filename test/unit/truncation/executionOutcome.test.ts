import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { DryRunReport } from '../../../src/truncation/dryRun.ts';
import {
  type ExecutionOutcome,
  needsRecount,
  outcomeOfFailure,
  requestExecution,
} from '../../../src/truncation/executionOutcome.ts';
import type { UnknownOutcome } from '../../../src/truncation/outcome.ts';
import type { ReaderCount } from '../../../src/truncation/readerJudgement.ts';
import { taskTexts } from '../../../src/truncation/texts/taskTexts.ts';
import { DELETE_BY_QUERY, RECORD, REINDEX, UNKNOWN_WORDS } from './samples.ts';

const FAILING = { sentence: 'As it was told.', next: 'Look.' };
const REINDEX_ROWS = REINDEX.rows ?? assert.fail();

type Told = ConstructorParameters<typeof ServiceFailure>[2];

/** Rows that searches find: dated up to the cutoff, and others. */
function counted(toDelete: number, total: number): ReaderCount {
  return { at: 0, toDelete, kept: total - toDelete };
}

function failure(kind: ServiceFailure['kind'], told?: Told): ServiceFailure {
  return new ServiceFailure(kind, 'Failed.', told);
}

/** Outcome of a failed execution, given its dry run and the new count, which it needs. */
function after(
  failed: ServiceFailure,
  now: ReaderCount | undefined,
  report: DryRunReport = DELETE_BY_QUERY,
  release?: string,
): ExecutionOutcome {
  assert.ok(needsRecount(failed, { report }));
  return outcomeOfFailure(failed, FAILING, { report }, now, release);
}

/** Outcome of a failed reindex, given the rows that searches find. */
function hiding(
  found: UnknownOutcome['found'],
  missing: UnknownOutcome['missing'] = 'notRefreshedOrCopied',
): ExecutionOutcome {
  const ending = { kind: 'unknown', reason: 'rowsHidden', found, hidesRows: true, missing } as const;
  return { kind: 'unknown', taskEnd: { kind: 'short' }, ending };
}

suite('Execution with a lost response', () => {
  const lost = failure('unreachable', { mayHaveActed: true });
  const error = { mayHaveActed: true, status: 500 };
  for (const [what, failed, now, report, ending] of [
    [
      'has a new count',
      lost,
      counted(19, 200),
      DELETE_BY_QUERY,
      { reason: 'lost', found: { toDelete: 19, kept: 181 } },
    ],
    ['was not counted', lost, undefined, DELETE_BY_QUERY, { reason: 'lost' }],
    // One count proves nothing.
    ['lacks rows of a reindex', lost, counted(0, 3), REINDEX, { reason: 'lost', found: { toDelete: 0, kept: 3 } }],
    ['was not counted before either', lost, counted(19, 200), UNKNOWN_WORDS, { reason: 'lost' }],
    [
      'has probably begun after a timeout',
      failure('timedOut', { mayHaveActed: true }),
      undefined,
      DELETE_BY_QUERY,
      { reason: 'lostInTime' },
    ],
    [
      "has probably begun after a gateway's timeout",
      failure('unavailable', { mayHaveActed: true, status: 504 }),
      undefined,
      DELETE_BY_QUERY,
      { reason: 'lostInTime' },
    ],
    [
      'keeps the error of the server',
      failure('server', { ...error, serverText: 'delete timed out' }),
      undefined,
      DELETE_BY_QUERY,
      { reason: 'lost', answer: { status: 500, serverText: 'delete timed out' } },
    ],
    [
      'keeps no words that identify a failed reindex',
      failure('server', { mayHaveActed: true, serverText: 'java.io.IOException: disk full' }),
      undefined,
      DELETE_BY_QUERY,
      { reason: 'lost' },
    ],
  ] as const) {
    test(`has an unknown outcome: ${what}`, () =>
      assert.deepEqual(after(failed, now, report), { kind: 'unknown', ending: { kind: 'unknown', ...ending } }));
  }
});

suite('Execution that was refused', () => {
  for (const [what, failed, report] of [
    ['a delete by query', failure('refused'), DELETE_BY_QUERY],
    [
      'a delete by query, with a status that a reindex may have',
      failure('badRequest', { status: 400 }),
      DELETE_BY_QUERY,
    ],
    ['a reindex, with a status that means it never began', failure('refused', { status: 403 }), REINDEX],
  ] as const) {
    test(`did nothing, whatever a count would say: ${what}`, () => {
      assert.ok(!needsRecount(failed, { report }));
      const outcome = outcomeOfFailure(failed, FAILING, { report }, undefined, undefined);
      assert.partialDeepStrictEqual(outcome, { kind: 'nothingHappened', failing: FAILING });
    });
  }
});

suite('Reindex that may have failed', () => {
  const { toDelete, total } = REINDEX_ROWS;
  const all = counted(toDelete, total);
  const inOtherWords = failure('badRequest', { status: 400 });
  const inItsWords = failure('badRequest', { serverText: 'Async reindex failed' });

  for (const serverText of [
    'Async reindex failed',
    'ASYNC REINDEX FAILED',
    'Reindexing failed for x',
    'at reindexInPlaceAsync',
    'x should be an alias',
  ]) {
    test(`is recognized by its text, whether or not the server may have acted: ${serverText}`, () => {
      const failing = taskTexts.notReindexed();
      for (const mayHaveActed of [true, false]) {
        const outcome = after(failure('badRequest', { serverText, mayHaveActed }), all, REINDEX);
        assert.deepEqual(outcome, { kind: 'nothingHappened', failing, status: undefined, serverText });
      }
    });
  }

  for (const [what, failed, now, report, release, outcome] of [
    ['more rows are found', inItsWords, counted(toDelete + 1, total + 5), REINDEX, undefined, 'nothingHappened'],
    ['one less is found', inItsWords, counted(toDelete, total - 1), REINDEX],
    ['one less to delete is found', inItsWords, counted(toDelete - 1, total - 1), REINDEX],
    ['no row is found', inItsWords, counted(0, 0), REINDEX],
    // An administrator needs no refresh there.
    ['no row is found where the release refreshes', inItsWords, counted(0, 0), REINDEX, 'v0.14.0', 'notCopied'],
    ['the rows could not be counted since', inItsWords, undefined, REINDEX],
    ['nothing was counted before', inItsWords, counted(0, 3), UNKNOWN_WORDS],
    ['all are found after other words', inOtherWords, all, REINDEX, undefined, 'nothingHappened'],
    ['few are found after other words', inOtherWords, counted(0, 3), REINDEX],
    ['they were not counted after other words', inOtherWords, undefined, REINDEX],
    ['few are found after it may have been one', inOtherWords, counted(0, 3), { ...REINDEX, strategy: 'unknown' }],
  ] as readonly (readonly [
    string,
    ServiceFailure,
    ReaderCount | undefined,
    DryRunReport,
    string?,
    ('nothingHappened' | UnknownOutcome['missing'])?,
  ])[]) {
    test(`${outcome === 'nothingHappened' ? 'did nothing' : 'may have hidden rows'} if ${what}`, () => {
      const found = now && { toDelete: now.toDelete, kept: now.kept };
      if (outcome === 'nothingHappened') {
        assert.equal(after(failed, now, report, release).kind, outcome);
      } else {
        assert.deepEqual(after(failed, now, report, release), hiding(found, outcome));
      }
    });
  }
});

test('A request that never left is told with the fact that nothing was deleted, unlike a refusal', async () => {
  for (const [status, sentence] of [
    [undefined, 'Nothing was deleted. As it was told.'],
    [403, FAILING.sentence],
  ] as const) {
    const fails = (): Promise<never> => Promise.reject(failure('unreachable', { status }));
    const service = { indices: { execute: fails }, server: { release: undefined } };
    const { outcome } = await requestExecution(service as unknown as MetadataService, RECORD, {
      mayStillSend: () => Promise.resolve(),
      logProblem: () => FAILING,
      now: () => 0,
    });
    assert.partialDeepStrictEqual(outcome, { kind: 'nothingHappened', failing: { ...FAILING, sentence } });
  }
});

test('An unexpected error while an execution is sent leaves its outcome unknown', async () => {
  const lost = (): Promise<never> => Promise.reject(new TypeError('Not a function.'));
  const service = { indices: { execute: lost, dryRun: lost }, server: { release: undefined } };
  const { outcome } = await requestExecution(service as unknown as MetadataService, RECORD, {
    mayStillSend: () => Promise.resolve(),
    logProblem: () => FAILING,
    now: () => 0,
  });
  assert.partialDeepStrictEqual(outcome, { kind: 'unknown', ending: { reason: 'lost' } });
});
