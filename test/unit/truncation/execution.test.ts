// One execution: the gate before its request, and what its response means.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncationRequest.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { DryRunReport } from '../../../src/truncation/dryRun.ts';
import { executionGate, requestExecution, type ExecutionOutcome } from '../../../src/truncation/execution.ts';
import { itemOf } from '../../../src/truncation/storedJob.ts';
import type { UnknownOutcome } from '../../../src/truncation/outcome.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { taskTexts } from '../../../src/truncation/texts/taskTexts.ts';
import {
  addConnection,
  connectionTo,
  sharedStorage,
  windowOn,
  type SharedStorage,
  type Window,
} from '../connections/window.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { leaveTruncation } from './journals.ts';
import { DELETE_BY_QUERY, FINISHED, RECORD, REINDEX, UNANSWERED, UNKNOWN_WORDS, dryRunText } from './samples.ts';

type GateOptions = Parameters<typeof executionGate>[1];

interface Stage {
  readonly shared: SharedStorage;
  readonly window: Window;
  /** About to be sent: stored, without a task. */
  readonly record: TruncationRecord;
  readonly gate: () => Promise<void>;
  /** Reading it may ask for a password. */
  readonly keychain: { isRead: () => Promise<void> };
}

async function stage(context: TestContext, change: Partial<GateOptions> = {}): Promise<Stage> {
  const shared = await sharedStorage(context);
  const keychain = { isRead: () => Promise.resolve() };
  const get: SharedStorage['secrets']['get'] = async (key) => {
    await keychain.isRead();
    return shared.secrets.get(key);
  };
  const window = windowOn({ ...shared, secrets: { ...shared.secrets, get } });
  const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
  const record = { ...UNANSWERED, connectionId: connection.id, baseUrl: connection.baseUrl, sentAt: Date.now() };
  const gate = executionGate(window, {
    connection,
    plan: record.plan,
    job: { connectionId: connection.id, id: itemOf(record.id).id },
    item: 0,
    obstacle: () => undefined,
    isDryRunTooOld: () => false,
    ...change,
  });
  await leaveTruncation(window.jobs, record);
  return { shared, window, record, gate, keychain };
}

suite('An execution may still be sent', () => {
  test('while its record is stored, its page is open and its dry run is recent', async (context) => {
    const { gate } = await stage(context);
    await gate();
  });

  test('but not once another window has forgotten it while the keychain asked for its password', async (context) => {
    const { shared, record, gate, keychain } = await stage(context);
    keychain.isRead = () => windowOn(shared).jobs.dismiss(record, Date.now());
    assert.match((await failureOf(gate())).message, /was forgotten before it was sent/);
  });

  test('but not once its dry run is too old', async (context) => {
    const { gate } = await stage(context, { isDryRunTooOld: () => true });
    assert.match((await failureOf(gate())).message, /took too long/);
  });

  test('but not if the records can’t be read', async (context) => {
    const { shared, gate } = await stage(context);
    await rm(shared.path, { recursive: true });
    await writeFile(shared.path, 'no folder');
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  const isSending = { taskId: undefined };
  const UNCHECKED = { ...FINISHED, readers: 'notChecked' } as const;
  const running = /^Nothing was deleted: Another truncation of dataset\/datasetProfile may still be running\.$/;
  const hidden = /^Nothing was deleted: An earlier reindex of dataset\/datasetProfile may have hidden rows to keep\.$/;
  const isLost = { sentAt: Date.now() - 600_000, taskId: undefined };
  for (const [what, change, refusal] of [
    ['is being sent', isSending, running],
    ['runs', {}, running],
    ['runs on another server', { baseUrl: 'https://before.example.com' }, undefined],
    ['reindexes', { report: REINDEX, ...isLost }, running],
    ['is a reindex that nobody checked', { report: REINDEX, ending: UNCHECKED }, hidden],
    ['has ended', { ending: FINISHED }, undefined],
  ] as const) {
    test(`${refusal === undefined ? '' : 'but not '}while another one of its index ${what}`, async (context) => {
      const { shared, record, gate } = await stage(context);
      const { connectionId, baseUrl, sentAt } = record;
      const other = { ...RECORD, connectionId, baseUrl, sentAt, ...change, id: crypto.randomUUID() };
      await leaveTruncation(windowOn(shared).jobs, other as TruncationRecord);
      if (refusal === undefined) {
        await gate();
      } else {
        assert.match((await failureOf(gate())).message, refusal);
      }
    });
  }
});

const FAILING = { sentence: 'As it was told.', next: 'Look.' };
const REINDEX_ROWS = REINDEX.rows ?? assert.fail();

type Told = ConstructorParameters<typeof ServiceFailure>[2];

type Found = DryRunReport['rows'];

function counted(toDelete: number, total: number): Found {
  return { toDelete, total };
}

function failure(kind: ServiceFailure['kind'], told?: Told): ServiceFailure {
  return new ServiceFailure(kind, 'Failed.', told);
}

/** Outcome of a failed execution, given its dry run and the rows that searches find since, if they can be counted. */
async function after(
  failed: unknown,
  now: Found,
  report: DryRunReport = DELETE_BY_QUERY,
  release?: string,
): Promise<{ readonly outcome: ExecutionOutcome; readonly counts: number }> {
  let counts = 0;
  const indices = {
    execute: () => Promise.reject(failed),
    dryRun: ({ endTimeMillis }: TruncationPlan) => {
      counts++;
      const toDelete = endTimeMillis === RECORD.plan.endTimeMillis ? now?.toDelete : now?.total;
      return now === undefined || toDelete === undefined
        ? Promise.reject(new Error('Down.'))
        : Promise.resolve({ text: dryRunText(toDelete, now.total) });
    },
  };
  const service = { indices, server: { release } } as unknown as MetadataService;
  const { rows } = report;
  const outcome = await requestExecution(
    service,
    { ...RECORD, report, baseline: rows && { countedUpTo: RECORD.sentAt, kept: rows.total - rows.toDelete } },
    {
      mayStillSend: () => Promise.resolve(),
      logProblem: () => FAILING,
      now: () => 0,
    },
  );
  return { outcome, counts };
}

/** Outcome of a failed reindex, given the rows that searches find. */
function hiding(
  found: { readonly toDelete: number; readonly kept: number } | undefined,
  missing: UnknownOutcome['missing'] = 'notRefreshedOrCopied',
): ExecutionOutcome {
  const ending = { kind: 'unknown', reason: 'rowsHidden', found, hidesRows: true, missing } as const;
  return { kind: 'unknown', taskEnd: { kind: 'short' }, readers: found && { at: 0, ...found }, ending };
}

suite('Execution with a lost response', () => {
  const lost = failure('unreachable', { mayHaveActed: true });
  const error = { mayHaveActed: true, status: 500 };
  for (const [what, failed, ending] of [
    ['has no response', lost, { reason: 'lost' }],
    ['has probably begun after a timeout', failure('timedOut', { mayHaveActed: true }), { reason: 'lostInTime' }],
    [
      "has probably begun after a gateway's timeout",
      failure('unavailable', { mayHaveActed: true, status: 504 }),
      { reason: 'lostInTime' },
    ],
    [
      'keeps the error of the server',
      failure('server', { ...error, serverText: 'delete timed out' }),
      { reason: 'lost', answer: { status: 500, serverText: 'delete timed out' } },
    ],
    [
      'keeps no words that identify a failed reindex',
      failure('server', { mayHaveActed: true, serverText: 'java.io.IOException: disk full' }),
      { reason: 'lost' },
    ],
  ] as const) {
    test(`has an unknown outcome, and isn't counted: ${what}`, async () =>
      assert.deepEqual(await after(failed, undefined, REINDEX), {
        outcome: { kind: 'unknown', ending: { kind: 'unknown', ...ending } },
        counts: 0,
      }));
  }
});

suite('Execution that was refused', () => {
  for (const [what, failed, report] of [
    ['a delete by query', failure('refused', { status: 403 }), DELETE_BY_QUERY],
    [
      'a delete by query, with a status that a reindex may have',
      failure('badRequest', { status: 400 }),
      DELETE_BY_QUERY,
    ],
    ['a reindex, with a status that means it never began', failure('refused', { status: 403 }), REINDEX],
  ] as const) {
    test(`did nothing, whatever a count would say: ${what}`, async () => {
      const { outcome, counts } = await after(failed, undefined, report);
      assert.partialDeepStrictEqual(outcome, { kind: 'nothingHappened', failing: FAILING });
      assert.equal(counts, 0);
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
    test(`is recognized by its text, whether or not the server may have acted: ${serverText}`, async () => {
      const failing = taskTexts.notReindexed();
      for (const mayHaveActed of [true, false]) {
        const { outcome } = await after(failure('badRequest', { serverText, mayHaveActed }), all, REINDEX);
        assert.deepEqual(outcome, { kind: 'nothingHappened', failing });
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
    Found,
    DryRunReport,
    string?,
    ('nothingHappened' | UnknownOutcome['missing'])?,
  ])[]) {
    test(`${outcome === 'nothingHappened' ? 'did nothing' : 'may have hidden rows'} if ${what}`, async () => {
      const found = report.rows && now && { toDelete: now.toDelete, kept: now.total - now.toDelete };
      const { outcome: seen, counts } = await after(failed, now, report, release);
      assert.equal(counts > 0, report.rows !== undefined);
      if (outcome === 'nothingHappened') {
        assert.equal(seen.kind, outcome);
      } else {
        assert.deepEqual(seen, hiding(found, outcome));
      }
    });
  }
});

test('A request that never left is told with the fact that nothing was deleted, unlike a refusal', async () => {
  for (const [status, sentence] of [
    [undefined, 'Nothing was deleted: As it was told.'],
    [403, FAILING.sentence],
  ] as const) {
    const { outcome } = await after(failure('unreachable', { status }), undefined);
    assert.partialDeepStrictEqual(outcome, { kind: 'nothingHappened', failing: { ...FAILING, sentence } });
  }
});

test('An unexpected error while an execution is sent leaves its outcome unknown', async () => {
  const { outcome } = await after(new TypeError('Not a function.'), undefined);
  assert.partialDeepStrictEqual(outcome, { kind: 'unknown', ending: { reason: 'lost' } });
});
