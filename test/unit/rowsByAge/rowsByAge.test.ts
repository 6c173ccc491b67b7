/** Rows by age by the real client: from the local service, or from a server with chosen responses. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { accessOf, type Connection } from '../../../src/connections/connection.ts';
import { MOST_DRY_RUNS, type RowsByAgeState } from '../../../src/rowsByAge/ageHistogram.ts';
import { AgeHistogramStore } from '../../../src/rowsByAge/ageHistogramStore.ts';
import { RowsByAge } from '../../../src/rowsByAge/rowsByAge.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { RunningService } from '../../service/main.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { serviceFor, until } from '../../service/testClient.ts';
import { Memory } from '../memory.ts';
import { serviceAt } from '../service/clients.ts';
import { clientOf } from '../service/conformance/localClients.ts';
import { reply, wireServer } from '../service/wireServer.ts';
import { SteppedClock } from '../steppedClock.ts';
import { CONNECTION, DAY, PLAN, RECORD, dryRunText } from '../truncation/samples.ts';

const OPERATION = { entityType: 'dataset', aspect: 'operation' };

interface Stage {
  readonly client: MetadataService;
  readonly counts: RowsByAge;
  readonly store: AgeHistogramStore;
  readonly memory: Memory;
  readonly clock: SteppedClock;
  connection: Connection | undefined;
  /** True while rows are deleted. */
  isTruncating: boolean;
  /** Phase and number of counts after each change. */
  readonly seen: (readonly [RowsByAgeState['phase'], number])[];
  histogram(): RowsByAgeState;
  phase(): RowsByAgeState['phase'] | undefined;
}

interface ServiceStage extends Stage {
  readonly service: RunningService;
  dryRuns(): number;
}

function stageOf(
  context: TestContext,
  client: MetadataService,
  { memory = new Memory(), clock = new SteppedClock(Date.now()), baseUrl = '' },
): Stage {
  const store = new AgeHistogramStore(memory);
  const underWay = { ...RECORD, plan: { ...PLAN, ...OPERATION } };
  const parts = {
    store: { get: () => stage.connection },
    services: { get: () => client, network: { ...systemNetwork, clock } },
    jobs: { underWayOn: () => (stage.isTruncating ? [underWay] : []) },
    log: { failure: () => undefined },
    rowsByAge: store,
  };
  const counts = new RowsByAge(OPERATION, CONNECTION.id, parts);
  const stage: Stage = {
    client,
    counts,
    store,
    memory,
    clock,
    connection: { ...CONNECTION, baseUrl },
    isTruncating: false,
    seen: [],
    histogram: () => counts.state ?? assert.fail('nothing was counted'),
    phase: () => counts.state?.phase,
  };
  context.after(() => counts.dispose());
  counts.onDidChange(() => {
    if (counts.state !== undefined) {
      stage.seen.push([counts.state.phase, counts.state.samples.length]);
    }
  });
  return stage;
}

/** @param like Another stage of the same service and memory. */
async function stageFor(
  context: TestContext,
  options: ServiceOptions = {},
  like?: ServiceStage,
): Promise<ServiceStage> {
  const service = like?.service ?? (await serviceFor(context, { rows: 5_000, ...options }));
  const client = clientOf(context, service, 'admin', { baseUrl: service.url });
  const memory = like?.memory ?? new Memory();
  const stage = stageOf(context, client, { memory, baseUrl: service.url });
  return Object.assign(stage, { service, dryRuns: () => dryRunsOf(service).length });
}

function dryRunsOf(service: RunningService): readonly { readonly endTimeMillis: number }[] {
  return service.requests
    .filter(({ path }) => path.includes('truncateTimeseriesAspect'))
    .map(({ body }) => JSON.parse(body) as { endTimeMillis: number });
}

/** A server of rows spread over two years. @param millis What each of its responses takes. @param text Of each, instead. */
async function stageWith(
  context: TestContext,
  { total = 1_000, millis = (_dryRun: number) => 0, text = undefined as string | undefined },
): Promise<Stage & { dryRuns(): number }> {
  const clock = new SteppedClock(Date.now());
  const start = clock.now();
  const server = await wireServer(context, ({ body }, response) => {
    clock.advance(millis(server.requests.length));
    const { endTimeMillis } = JSON.parse(body) as { endTimeMillis: number };
    const share = Math.min(1, Math.max(0, 1 - (start - endTimeMillis) / (730 * DAY)));
    reply(response, 200, { value: text ?? dryRunText(Math.round(share * total), total) });
  });
  const stage = stageOf(context, serviceAt(server.url), { clock, baseUrl: server.url });
  return Object.assign(stage, { dryRuns: () => server.requests.length });
}

/** Runs once a number of counts is shown. */
function once(stage: Stage, counted: number, run: () => void): void {
  const subscription = stage.counts.onDidChange(() => {
    if (stage.counts.state?.samples.length === counted) {
      subscription.dispose();
      run();
    }
  });
}

function hang({ service }: ServiceStage): void {
  service.faults.add({ fault: { kind: 'latency', millis: 60_000 }, match: 'truncateTimeseriesAspect' });
}

suite('Rows by age', () => {
  for (const profile of ['0.14', '1.7'] as const) {
    test(`are at most ${MOST_DRY_RUNS} dry runs on ${profile}, each shown as it arrives`, async (context) => {
      const stage = await stageFor(context, { profile });
      assert.equal(await stage.counts.count(), true);
      const histogram = stage.histogram();
      assert.equal(histogram.total, stage.service.rows('dataset', 'operation').count);
      const sent = dryRunsOf(stage.service);
      assert.ok(sent.length <= MOST_DRY_RUNS);
      const body = { ...OPERATION, batchSize: 10_000, dryRun: true };
      sent.forEach((one) => assert.deepEqual(one, { ...body, endTimeMillis: one.endTimeMillis }));
      assert.deepEqual(
        histogram.samples.map(({ endTimeMillis }) => endTimeMillis),
        sent.map(({ endTimeMillis }) => endTimeMillis).toSorted((a, b) => a - b),
      );
      const shown = stage.seen.map(([, count]) => count);
      assert.deepEqual([...new Set(shown)], [0, ...sent.map((_, index) => index + 1)]);
      assert.equal(stage.phase(), 'complete');
    });
  }

  test('are one dry run at a time, which can be stopped', async (context) => {
    const stage = await stageFor(context);
    hang(stage);
    const done = stage.counts.count();
    await until('a dry run', () => stage.dryRuns() === 1);
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['counting', 1]);
    stage.counts.stop();
    await done;
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['stopped', 1]);
  });

  test('are counted on, whatever else the user does', async (context) => {
    const stage = await stageWith(context, {});
    once(stage, 3, () => stage.counts.stopBackground());
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['complete', MOST_DRY_RUNS]);
  });

  test('are kept when stopped, and resumed', async (context) => {
    const stage = await stageFor(context);
    once(stage, 3, () => stage.counts.stop());
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.histogram().samples.length, stage.dryRuns()], ['stopped', 3, 3]);
    await stage.counts.count();
    assert.equal(stage.phase(), 'complete');
    assert.equal(stage.histogram().samples.length, stage.dryRuns(), 'none was counted twice');
  });

  test('stop at a failure with its reason, and keep known counts', async (context) => {
    const stage = await stageFor(context);
    once(stage, 2, () =>
      stage.service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' }),
    );
    await stage.counts.count();
    assert.equal(stage.phase(), 'failed');
    assert.match(stage.counts.state?.failing?.sentence ?? '', /aren't allowed to truncate/);
    assert.deepEqual([stage.histogram().samples.length, stage.dryRuns()], [2, 3]);
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.counts.state?.failing], ['complete', undefined]);
  });

  test("aren't invented from an unreadable report", async (context) => {
    const stage = await stageWith(context, { text: 'The moon is full.' });
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.counts.state?.samples], ['failed', []]);
    assert.match(stage.counts.state?.failing?.sentence ?? '', /Row count not available/);
  });

  for (const [what, disturb] of [
    ['is stopped', ({ counts }: Stage) => counts.stop()],
    [
      'fails',
      ({ service }: ServiceStage) =>
        service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' }),
    ],
  ] as const) {
    test(`are kept if counting again ${what}`, async (context) => {
      const stage = await stageFor(context);
      await stage.counts.count();
      const before = stage.histogram().samples;
      const again = stage.counts.count();
      disturb(stage);
      await again;
      assert.deepEqual([stage.phase(), stage.histogram().samples], ['complete', before]);
      assert.equal(stage.counts.state?.failing !== undefined, what === 'fails');
    });
  }

  test('are counted from the start if they were stopped long ago', async (context) => {
    const stage = await stageWith(context, {});
    once(stage, 3, () => stage.counts.stop());
    await stage.counts.count();
    stage.clock.advance(6 * 60_000);
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['complete', 3 + MOST_DRY_RUNS]);
  });

  test('are not remembered while rows are deleted', async (context) => {
    const stage = await stageWith(context, {});
    stage.isTruncating = true;
    await stage.counts.count();
    assert.deepEqual([stage.phase(), stage.memory.keys()], ['complete', []]);
  });

  test('are remembered, shown without a request, and all counted again when the user asks', async (context) => {
    const first = await stageFor(context);
    await first.counts.count();
    const again = await stageFor(context, {}, first);
    first.service.clearRequests();
    assert.deepEqual(again.counts.state, first.counts.state);
    await again.counts.count('background');
    assert.equal(again.dryRuns(), 0);
    const { service } = first;
    service.addRow('dataset', 'operation', Date.now());
    await service.cluster.refresh('dataset', 'operation');
    await again.counts.count();
    assert.equal(again.histogram().total, first.histogram().total + 1);
    assert.equal(again.histogram().samples.length, again.dryRuns());
  });

  test('are not shown to another user or for another server', async (context) => {
    const stage = await stageWith(context, {});
    await stage.counts.count();
    const connection = stage.connection ?? assert.fail();
    for (const other of [{ typedUser: 'urn:li:corpuser:other' }, { baseUrl: 'https://other.example.com' }]) {
      stage.connection = { ...connection, ...other };
      assert.deepEqual([stage.phase(), stage.counts.state?.samples], ['idle', []]);
    }
    stage.connection = undefined;
    assert.equal(stage.counts.state, undefined);
    await stage.counts.count();
    assert.equal(stage.counts.state, undefined);
    stage.connection = connection;
    assert.equal(stage.phase(), 'complete', 'remembered');
    assert.ok(stage.store.of(connection.id, accessOf(connection), OPERATION));
  });

  for (const [what, forget, phase] of [
    ['the rows were deleted', (stage: Stage, id: string) => stage.store.forget(id, OPERATION), 'idle'],
    [
      'the connection was removed',
      (stage: Stage, id: string) => {
        stage.connection = undefined;
        return stage.store.forgetConnection(id);
      },
      undefined,
    ],
  ] as const) {
    for (const counted of [3, MOST_DRY_RUNS]) {
      test(`are neither shown nor stored if after ${counted} counts ${what}`, async (context) => {
        const stage = await stageWith(context, {});
        let isForgotten = false;
        once(stage, counted, () => {
          isForgotten = true;
          void forget(stage, stage.connection?.id ?? '');
        });
        await stage.counts.count();
        assert.ok(isForgotten);
        assert.deepEqual([stage.phase(), stage.counts.state?.samples ?? []], [phase, []]);
        assert.deepEqual(stage.memory.keys(), []);
      });
    }
  }
});

suite('Unasked, rows are counted', () => {
  for (const [what, millis, total, dryRuns] of [
    ['to the end if each takes two seconds at most', () => 2_000, 1_000, MOST_DRY_RUNS],
    ['once if that takes longer', () => 2_001, 1_000, 1],
    ['until one takes longer', (dryRun: number) => (dryRun === 3 ? 2_001 : 10), 1_000, 3],
    ['to the end of 50 million', () => 0, 50_000_000, MOST_DRY_RUNS],
    ['once if there are more', () => 0, 50_000_001, 1],
  ] as const) {
    test(what, async (context) => {
      const stage = await stageWith(context, { millis, total });
      const isComplete = dryRuns === MOST_DRY_RUNS;
      assert.equal(await stage.counts.count('background'), isComplete);
      assert.deepEqual([stage.dryRuns(), stage.histogram().samples.length], [dryRuns, dryRuns]);
      assert.equal(stage.histogram().at, stage.clock.now(), 'dated when it was answered');
      assert.equal(stage.phase(), isComplete ? 'complete' : 'stopped');
      await stage.counts.count('background');
      assert.equal(stage.dryRuns(), dryRuns, 'something is counted');
    });
  }

  for (const [what, stop, left] of [
    ['the user leaves', ({ counts }: Stage) => counts.stopBackground(), { phase: 'stopped', uncounted: 1 }],
    ['the user stops it', ({ counts }: Stage) => counts.stop(), { phase: 'stopped', uncounted: 1 }],
    [
      'there is another dry run of that server',
      ({ client }: Stage) => client.indices.dryRun(PLAN),
      { phase: 'stopped', uncounted: 2 },
    ],
    ['the user asks for all', ({ counts }: Stage) => counts.count(), { phase: 'complete', uncounted: 1 }],
  ] as const) {
    test(`until ${what}`, async (context) => {
      const stage = await stageFor(context);
      hang(stage);
      const done = stage.counts.count('background');
      await until('a dry run', () => stage.dryRuns() === 1);
      await stop(stage);
      await done;
      const uncounted = stage.dryRuns() - (stage.counts.state?.samples.length ?? 0);
      assert.deepEqual({ phase: stage.phase(), uncounted }, left);
      assert.equal(stage.counts.state?.failing, undefined);
    });
  }

  test('not beside another dry run of that server', async (context) => {
    const stage = await stageFor(context);
    hang(stage);
    const stop = new AbortController();
    const other = stage.client.indices.dryRun(PLAN, stop.signal);
    await until('a dry run', () => stage.dryRuns() === 1);
    await stage.counts.count('background');
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['stopped', 1]);
    stop.abort();
    await assert.rejects(other);
    await stage.counts.count('background');
    assert.equal(stage.phase(), 'complete');
  });

  test("until one fails, which isn't sent again", async (context) => {
    const stage = await stageFor(context);
    stage.service.faults.add({ fault: { kind: 'status', status: 503 }, match: 'truncateTimeseriesAspect' });
    await stage.counts.count('background');
    assert.deepEqual([stage.phase(), stage.dryRuns()], ['failed', 1]);
    assert.match(stage.counts.state?.failing?.sentence ?? '', /\S/);
  });

  test('not while rows of the index are deleted', async (context) => {
    const stage = await stageWith(context, {});
    stage.isTruncating = true;
    await stage.counts.count('background');
    assert.equal(stage.dryRuns(), 0);
  });
});
