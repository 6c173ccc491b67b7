/** Rows by age and fits by the real client and the local service. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { indexNameText } from '../../../src/indices/indexName.ts';
import { accessOf, type Connection } from '../../../src/connections/connection.ts';
import type { ReportedIndexSize } from '../../../src/service/indices/indexSize.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import * as fc from 'fast-check';
import type { FitGoal } from '../../../src/rowsByAge/fitGoal.ts';
import { MOST_FIT_DRY_RUNS } from '../../../src/rowsByAge/fitSearch.ts';
import { cutoffFitView } from '../../../src/pages/truncation/host/view.ts';
import { MOST_DRY_RUNS, countRowsUpTo } from '../../../src/rowsByAge/ageHistogram.ts';
import { AgeHistogramSession, type AgeHistogramState } from '../../../src/rowsByAge/ageHistogramSession.ts';
import { AgeHistogramStore } from '../../../src/rowsByAge/ageHistogramStore.ts';
import { systemClock, MILLIS_PER_DAY } from '../../../src/time.ts';
import type { RunningService } from '../../service/main.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { largeIndex } from '../../service/sampleRows.ts';
import { serviceFor, until } from '../../service/testClient.ts';
import { Memory } from '../memory.ts';
import { clientOf } from '../service/conformance/localClients.ts';
import { dryRunText } from '../truncation/samples.ts';

const OPERATION = { entityType: 'dataset', aspect: 'operation' };
const BYTES = 10_000_000;

interface Stage {
  readonly service: RunningService;
  readonly counts: AgeHistogramSession;
  readonly memory: Memory;
  readonly store: AgeHistogramStore;
  /** The size of each index. */
  size: ReportedIndexSize;
  /** Offset of the clock in ms. */
  later: number;
  connection: Connection | undefined;
  /** Events during the count. */
  readonly seen: AgeHistogramState[];
  /** Indices that were counted. */
  readonly countedIndices: string[];
  dryRuns(): number;
  curve(target?: typeof OPERATION): NonNullable<AgeHistogramState['curve']>;
}

async function stageFor(
  context: TestContext,
  options: ServiceOptions = {},
  memory = new Memory(),
  running?: RunningService,
): Promise<Stage> {
  const service = running ?? (await serviceFor(context, { rows: 5_000, ...options }));
  const client: MetadataService = clientOf(context, service, 'admin', { baseUrl: service.url });
  const seen: AgeHistogramState[] = [];
  const store = new AgeHistogramStore(memory);
  const stage: Stage = {
    size: { bytes: BYTES, precision: 'exact' },
    service,
    memory,
    store,
    later: 0,
    countedIndices: [],
    connection: {
      id: 'b6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e02',
      name: 'Local',
      baseUrl: service.url,
      actorUrn: service.users.admin.urn,
      role: 'development',
      createdAt: 0,
    },
    seen,
    counts: new AgeHistogramSession({
      connection: () => stage.connection,
      service: () => client,
      store,
      sizeOf: () => stage.size,
      counted: (_, target) => void stage.countedIndices.push(indexNameText(target)),
      clock: { ...systemClock, now: () => Date.now() + stage.later },
      observe: () => undefined,
    }),
    dryRuns: () => dryRunsOf(service).length,
    curve: (target = OPERATION) => stage.counts.of(target)?.curve ?? assert.fail('nothing was counted'),
  };
  context.after(() => stage.counts.dispose());
  stage.counts.onDidChange(() => {
    const state = stage.counts.of(OPERATION);
    if (state !== undefined) {
      seen.push(state);
    }
  });
  return stage;
}

function dryRunsOf(service: RunningService): readonly { readonly endTimeMillis: number; readonly dryRun: boolean }[] {
  return service.requests
    .filter(({ path }) => path.includes('truncateTimeseriesAspect'))
    .map(({ body }) => JSON.parse(body) as { endTimeMillis: number; dryRun: boolean });
}

/** All rows up to a time, by a separate dry run. */
async function counted({ service }: Stage, endTimeMillis: number, target = OPERATION): Promise<number> {
  const answer = await fetch(`${service.url}/operations?action=truncateTimeseriesAspect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.adminToken}` },
    body: JSON.stringify({ ...target, endTimeMillis, dryRun: true }),
  });
  return Number(/Delete (\d+) out of/.exec(await answer.text())?.[1]);
}

/** The response of a server to a dry run of no rows. */
function rowsText(toDelete: number, total: number): string {
  return dryRunText(toDelete, total, 'deleteByQuery');
}

/** A server with this response to dry runs. */
function countsOf(answer: () => string): AgeHistogramSession {
  const memory = new Memory();
  const connection: Connection = {
    id: 'b6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e02',
    name: 'Local',
    baseUrl: 'https://datahub.example.com',
    actorUrn: 'urn:li:corpuser:jdoe',
    role: 'development',
    createdAt: 0,
  };
  return new AgeHistogramSession({
    connection: () => connection,
    service: () => ({ indices: { dryRun: () => Promise.resolve(answer()) } }) as unknown as MetadataService,
    store: new AgeHistogramStore(memory),
    sizeOf: () => ({ bytes: BYTES, precision: 'exact' }),
    counted: () => undefined,
    clock: systemClock,
    observe: () => undefined,
  });
}

/** After a count, a fit that waits for its first slow dry run. */
async function fitUnderWay(
  context: TestContext,
): Promise<{ readonly stage: Stage; readonly found: Promise<number | undefined> }> {
  const stage = await stageFor(context);
  await stage.counts.show(OPERATION);
  stage.service.clearRequests();
  stage.service.faults.add({ fault: { kind: 'latency', millis: 60_000 }, match: 'truncateTimeseriesAspect' });
  const found = stage.counts.fit(OPERATION, { kind: 'deleteRows', rows: 300 });
  await until('a dry run', () => stage.dryRuns() === 1);
  return { stage, found };
}

suite('Counted rows by age', () => {
  test('are undefined, without a request, until the user asks', async (context) => {
    const stage = await stageFor(context);
    assert.equal(stage.counts.of(OPERATION), undefined);
    assert.equal(stage.dryRuns(), 0);
    assert.deepEqual(stage.countedIndices, []);
  });

  for (const profile of ['spec', '0.14', '1.7', 'next'] as const) {
    test(`are a histogram of ${MOST_DRY_RUNS} dry runs on ${profile}, correct at every sample, shown as it arrives`, async (context) => {
      const stage = await stageFor(context, { profile });
      await stage.counts.show(OPERATION);
      const curve = stage.curve();
      assert.ok(curve.isComplete && !curve.changedMeanwhile);
      assert.equal(curve.total, stage.service.rows('dataset', 'operation').count);
      const sent = dryRunsOf(stage.service);
      assert.ok(sent.length <= MOST_DRY_RUNS && sent.length === curve.samples.length);
      assert.ok(sent.every(({ dryRun }) => dryRun));
      assert.deepEqual(
        stage.seen
          .map((state) => state.curve?.samples.length ?? 0)
          .filter((count, index, all) => count !== all[index - 1]),
        Array.from({ length: curve.samples.length + 1 }, (_, count) => count),
      );
      assert.equal(stage.counts.of(OPERATION)?.phase, 'complete');
    });
  }

  test('postgres: an aspect in the spelling of its registry is counted', async (context) => {
    const stage = await stageFor(context, { profile: 'postgres' });
    const usage = { entityType: 'dataset', aspect: 'datasetUsageStatistics' };
    await stage.counts.show(usage);
    assert.equal(stage.curve(usage).total, stage.service.rows('dataset', 'datasetusagestatistics').count);
  });

  test('take at most two concurrent dry runs', async (context) => {
    const stage = await stageFor(context);
    stage.service.faults.add({
      fault: { kind: 'latency', millis: 60_000 },
      match: 'truncateTimeseriesAspect',
      times: 2,
    });
    const done = stage.counts.show(OPERATION);
    await until('two dry runs', () => stage.dryRuns() === 2);
    // Both hang, so a third would have been sent with them.
    assert.equal(stage.counts.of(OPERATION)?.phase, 'loading');
    stage.counts.stop();
    await done;
    assert.equal(stage.dryRuns(), 2);
    assert.equal(stage.counts.of(OPERATION)?.phase, 'stopped');
  });

  test('are kept when stopped, and resumed', async (context) => {
    const stage = await stageFor(context);
    const subscription = stage.counts.onDidChange(() => {
      if (stage.counts.of(OPERATION)?.curve?.samples.length === 3) {
        stage.counts.stop();
      }
    });
    await stage.counts.show(OPERATION);
    subscription.dispose();
    assert.equal(stage.counts.of(OPERATION)?.phase, 'stopped');
    assert.ok(stage.curve().samples.length >= 3 && !stage.curve().isComplete);
    await stage.counts.show(OPERATION);
    assert.equal(stage.counts.of(OPERATION)?.phase, 'complete');
    assert.ok(stage.curve().samples.length <= MOST_DRY_RUNS);
  });

  test('stop at a failure with its reason, and keep known counts', async (context) => {
    const stage = await stageFor(context);
    const subscription = stage.counts.onDidChange(() => {
      if (stage.counts.of(OPERATION)?.curve?.samples.length === 2) {
        stage.service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' });
      }
    });
    await stage.counts.show(OPERATION);
    subscription.dispose();
    const { phase, failing } = stage.counts.of(OPERATION) ?? assert.fail();
    assert.equal(phase, 'failed');
    assert.match(failing?.sentence ?? '', /aren't allowed to truncate/);
    assert.ok(stage.curve().samples.length >= 2);
    assert.ok(stage.dryRuns() <= 5, `${stage.dryRuns()} dry runs`);
  });

  test('are not invented from an unreadable report', async (context) => {
    const stage = await stageFor(context);
    stage.service.faults.add({
      fault: { kind: 'status', status: 200, body: '{"value":"The moon is full."}', contentType: 'application/json' },
      match: 'truncateTimeseriesAspect',
    });
    await stage.counts.show(OPERATION);
    const { phase, failing, curve } = stage.counts.of(OPERATION) ?? assert.fail();
    assert.deepEqual([phase, failing?.sentence, curve], ['failed', 'Row count not available', undefined]);
  });

  test('are remembered per index until the user refreshes them', async (context) => {
    const first = await stageFor(context);
    await first.counts.show(OPERATION);
    const again = await stageFor(context, {}, first.memory, first.service);
    first.service.clearRequests();
    await again.counts.show(OPERATION);
    assert.deepEqual(again.curve(), first.curve());
    assert.equal(again.dryRuns(), 0);
    first.service.addRow('dataset', 'operation', Date.now());
    await first.service.cluster.refresh('dataset', 'operation');
    await again.counts.refresh(OPERATION);
    assert.equal(again.curve().total, first.curve().total + 1);
    assert.ok(again.dryRuns() > 2);
  });

  test('are not shown to another user or for another server', async (context) => {
    const stage = await stageFor(context);
    await stage.counts.show(OPERATION);
    const connection = stage.connection ?? assert.fail();
    stage.connection = { ...connection, typedUser: 'urn:li:corpuser:other' };
    assert.equal(stage.counts.of(OPERATION), undefined);
    stage.connection = undefined;
    assert.equal(stage.counts.of(OPERATION), undefined);
    await stage.counts.show(OPERATION);
    assert.equal(stage.counts.of(OPERATION), undefined);
    stage.connection = connection;
    const store = new AgeHistogramStore(stage.memory);
    assert.ok(store.of(connection.id, accessOf(connection), OPERATION));
    assert.equal(store.of(connection.id, 'another access', OPERATION), undefined);
  });

  test('abort dry runs when the user looks at another index', async (context) => {
    const stage = await stageFor(context);
    stage.service.faults.add({
      fault: { kind: 'latency', millis: 60_000 },
      match: 'truncateTimeseriesAspect',
      times: 'always',
    });
    const done = stage.counts.show(OPERATION);
    await until('two dry runs', () => stage.dryRuns() === 2);
    stage.counts.leave({ entityType: 'dataset', aspect: 'datasetprofile' });
    await done;
    assert.equal(stage.counts.of(OPERATION), undefined);
    assert.equal(stage.dryRuns(), 2);
  });

  for (const [what, forget] of [
    ['rows that were deleted', (stage: Stage) => stage.store.forget(stage.connection?.id ?? '', OPERATION)],
    [
      'a removed connection',
      (stage: Stage) => {
        const { id = '' } = stage.connection ?? {};
        stage.connection = undefined;
        return stage.store.forgetConnection(id);
      },
    ],
  ] as const) {
    test(`are neither shown nor stored if meanwhile ${what}`, async (context) => {
      const stage = await stageFor(context);
      let isForgotten = false;
      stage.counts.onDidChange(() => {
        if (!isForgotten && stage.counts.of(OPERATION)?.curve?.samples.length === 3) {
          isForgotten = true;
          void forget(stage);
        }
      });
      await stage.counts.show(OPERATION);
      assert.ok(isForgotten);
      assert.equal(stage.counts.of(OPERATION), undefined);
      assert.deepEqual(stage.memory.keys(), []);
    });
  }

  test('are complete and close after 12 dry runs of a million rows', async (context) => {
    const stage = await stageFor(context, { rows: 100, largeIndexRows: 1_000_000 });
    const large = { entityType: largeIndex.entity, aspect: largeIndex.aspect };
    await stage.counts.show(large);
    const curve = stage.curve(large);
    assert.deepEqual([curve.total, curve.isComplete], [1_000_000, true]);
    assert.ok(stage.dryRuns() <= MOST_DRY_RUNS);
    const halfYear = Date.now() - 180 * MILLIS_PER_DAY;
    const off = Math.abs(countRowsUpTo(curve, halfYear).rows - (await counted(stage, halfYear, large)));
    assert.ok(off < 1_000_000 * 0.05, `${off} rows off`);
  });
});

suite('A counted fit', () => {
  test('deletes at most so many rows, and a day more would exceed it', async (context) => {
    const stage = await stageFor(context);
    const cutoff = (await stage.counts.fit(OPERATION, { kind: 'deleteRows', rows: 300 })) ?? assert.fail();
    const rows = await counted(stage, cutoff);
    assert.ok(rows > 0 && rows <= 300);
    assert.ok((await counted(stage, cutoff + MILLIS_PER_DAY)) > 300);
    const fit = stage.counts.of(OPERATION)?.fit;
    assert.ok(fit?.found?.kind === 'solved' && fit.found.sample?.rows === rows && fit.found.isTight);
    assert.ok(stage.dryRuns() - 2 <= MOST_FIT_DRY_RUNS, 'beside the two of this test');
    assert.equal(stage.counts.of(OPERATION)?.phase, 'idle', 'no histogram was asked for');
  });

  test('takes at most 12 dry runs, whatever a server responds', async () => {
    const anyCount = fc.oneof(fc.nat(100), fc.nat(20_000), fc.constantFrom(0, 1));
    const anyAnswer = fc.oneof(
      {
        weight: 40,
        arbitrary: fc.tuple(anyCount, anyCount).map(([toDelete, more]) => rowsText(toDelete, toDelete + more)),
      },
      { weight: 1, arbitrary: fc.constantFrom('The moon is full.', rowsText(20, 10)) },
    );
    const anyGoal: fc.Arbitrary<FitGoal> = fc.oneof(
      fc.nat(20_000).map((rows) => ({ kind: 'deleteRows', rows: rows + 1 }) as const),
      fc.nat(BYTES).map((bytes) => ({ kind: 'keepBytes', bytes: bytes + 1 }) as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(anyAnswer), anyGoal, async (answers, goal) => {
        let asked = 0;
        const counts = countsOf(() => {
          asked++;
          return answers.next().value;
        });
        const cutoff = await counts.fit(OPERATION, goal);
        const found = counts.of(OPERATION)?.fit?.found ?? assert.fail('it ended without a word');
        counts.dispose();
        assert.ok(asked <= MOST_FIT_DRY_RUNS, `${asked} dry runs`);
        assert.equal(cutoff !== undefined, found.kind === 'solved');
        if (found.kind === 'solved') {
          const { rows, total } = found.sample ?? assert.fail('not counted');
          assert.ok(
            goal.kind === 'deleteRows'
              ? rows > 0 && rows <= goal.rows
              : goal.kind === 'keepBytes' && (total - rows) * BYTES <= goal.bytes * total,
          );
        } else {
          const { sentence } = cutoffFitView({ goal, found }, BYTES);
          assert.match(sentence, /^[A-Z][^{}]+\.?$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("doesn't mix with counts of weeks ago", async (context) => {
    const stage = await stageFor(context);
    await stage.counts.show(OPERATION);
    const before = stage.curve();
    stage.later = 21 * MILLIS_PER_DAY;
    stage.service.addRow('dataset', 'operation', Date.now());
    await stage.service.cluster.refresh('dataset', 'operation');
    assert.ok(await stage.counts.fit(OPERATION, { kind: 'deleteRows', rows: 300 }));
    assert.deepEqual(stage.curve(), before);
    const kept = stage.store.of(stage.connection?.id ?? '', accessOf(stage.connection ?? assert.fail()), OPERATION);
    assert.equal(kept?.counted.length, before.samples.length);
  });

  test('fills in nothing if the rows were deleted meanwhile', async (context) => {
    const { stage, found } = await fitUnderWay(context);
    await stage.store.forget(stage.connection?.id ?? '', OPERATION);
    assert.equal(await found, undefined);
    assert.equal(stage.counts.of(OPERATION), undefined);
    assert.deepEqual(stage.memory.keys(), []);
  });

  test('keeps at most so many bytes', async (context) => {
    const stage = await stageFor(context);
    const cutoff = (await stage.counts.fit(OPERATION, { kind: 'keepBytes', bytes: BYTES / 4 })) ?? assert.fail();
    const { count } = stage.service.rows('dataset', 'operation');
    assert.ok(count - (await counted(stage, cutoff)) <= count / 4);
    assert.ok(count - (await counted(stage, cutoff - MILLIS_PER_DAY)) > count / 4);
  });

  test('says why it is impossible, and fills in nothing', async (context) => {
    const stage = await stageFor(context);
    assert.equal(await stage.counts.fit(OPERATION, { kind: 'keepBytes', bytes: BYTES }), undefined);
    assert.deepEqual(stage.counts.of(OPERATION)?.fit?.found, { kind: 'unsolved', why: 'withinBound' });
    assert.equal(stage.counts.of(OPERATION)?.phase, 'idle');
    assert.equal(stage.dryRuns(), 0, 'the size decides it');
  });

  test('by size is refused without a request if the server may report a wrong one', async (context) => {
    const stage = await stageFor(context);
    stage.size = { bytes: BYTES, precision: 'approximate' };
    assert.equal(await stage.counts.fit(OPERATION, { kind: 'keepBytes', bytes: BYTES / 4 }), undefined);
    assert.deepEqual(stage.counts.of(OPERATION)?.fit?.found, { kind: 'unsolved', why: 'sizeApproximate' });
    assert.equal(stage.dryRuns(), 0);
    assert.notEqual(
      await stage.counts.fit(OPERATION, { kind: 'deleteRows', rows: 300 }),
      undefined,
      'rows are counted',
    );
  });

  test('fills in nothing when stopped, and is aborted', async (context) => {
    const { stage, found } = await fitUnderWay(context);
    stage.counts.stopFit();
    assert.equal(await found, undefined);
    assert.equal(stage.counts.of(OPERATION)?.fit, undefined);
    assert.equal(stage.dryRuns(), 1);
  });

  test('shows a failure, and keeps known counts', async (context) => {
    const stage = await stageFor(context);
    await stage.counts.show(OPERATION);
    stage.service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' });
    assert.equal(await stage.counts.fit(OPERATION, { kind: 'deleteRows', rows: 300 }), undefined);
    const { fit, phase } = stage.counts.of(OPERATION) ?? assert.fail();
    assert.ok(fit?.found?.kind === 'failed' && /aren't allowed/.test(fit.found.failing.sentence));
    assert.equal(phase, 'complete');
  });
});
