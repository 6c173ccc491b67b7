import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { emptyDraft } from '../../../../../src/truncation/plan.ts';
import { jobView, type JobViewFacts } from '../../../../../src/pages/overview/host/jobView.ts';
import { leaveTruncation } from '../../../truncation/journals.ts';
import { dryRunText, NOW, planOf, RECORD, REINDEX } from '../../../truncation/samples.ts';
import {
  RunningWindow,
  firstRuns,
  scriptedServer,
  taskStatus,
  type ScriptedServer,
  type Stage,
  type ShownJob,
} from '../../../truncation/runningWindow.ts';

interface ShownStage extends Stage {
  readonly shown: (facts?: Partial<JobViewFacts>) => ReturnType<typeof jobView>;
}

function count(job: ShownJob, ...aspects: readonly string[]): Promise<void> {
  const endTimeMillis = Date.UTC(2026, 4, 1);
  return job.count(aspects.map((aspect) => Object.assign(emptyDraft('dataset', aspect), { endTimeMillis })));
}

async function stage(context: TestContext, prepare?: (server: ScriptedServer) => void): Promise<ShownStage> {
  const server = await scriptedServer(context);
  prepare?.(server);
  const window = await RunningWindow.open(context, server.url);
  const job = window.overview();
  await count(job, 'operation', 'usage');
  const shown = (facts: Partial<JobViewFacts> = {}): ReturnType<typeof jobView> =>
    jobView({
      job: job.job,
      sizeOf: () => 1_000_000,
      physicalName: ({ aspect }) => `dataset_${aspect}_v1`,
      connection: window.connection,
      watch: { lastPoll: () => undefined },
      now: Date.now(),
      ...facts,
    });
  return { server, window, job, shown };
}

suite('Job in the overview', () => {
  test('shows the rows of each index, totals that add up, and whose rows they are', async (context) => {
    const { shown } = await stage(context);
    const { items, sum, phase, scope, tally, details } = shown();
    assert.equal(phase, 'planned');
    assert.deepEqual(
      items.map(({ name, rows, isSelected }) => [name, rows?.toDelete, rows?.total, isSelected]),
      [
        ['dataset/operation', 20, 201, true],
        ['dataset/usage', 20, 201, true],
      ],
    );
    const { percent, ...counts } = sum;
    assert.deepEqual(counts, {
      toDelete: 40,
      total: 402,
      size: { toDelete: 'about 199 kB', ofAll: 'of 2 MB' },
      count: 2,
    });
    assert.equal(percent.toFixed(2), '9.95');
    assert.match(scope ?? '', /^Rows dated up to (?:May 1|April 30|Apr 30), 2026, .* \(\d+ days ago\), as /);
    assert.equal(tally, '2 ticked');
    assert.equal(details.filter(({ value }) => /deleted in batches/.test(value ?? '')).length, 1);
  });

  test('stays as it is while the user is asked', async (context) => {
    const { window, job, shown } = await stage(context);
    const planned = shown();
    window.answer = () => {
      const asked = shown();
      assert.deepEqual(asked, { ...planned, phase: 'confirming' });
      return false;
    };
    await job.execute();
    assert.equal(window.asked.length, 1);
  });

  test('says which are left out and why, and what is lost with the rows of each other', async (context) => {
    const { window, job, shown } = await stage(context, (server) => {
      server.isDataHub = false;
      server.dryRun = ({ aspect }) =>
        aspect === 'incident'
          ? 'Delete 0 out of 0 rows (NaN%). Issuing a delete by query request. '
          : dryRunText({ operation: 0, usage: 200, assertionRunEvent: 0 }[aspect] ?? 20, 201);
    });
    const { id: connectionId, baseUrl } = window.connection;
    const hiding = planOf({ ...emptyDraft('dataset', 'assertionRunEvent'), endTimeMillis: NOW });
    const ending = { kind: 'unknown', reason: 'rowsHidden', hidesRows: true } as const;
    await leaveTruncation(window.jobs, { ...RECORD, connectionId, baseUrl, plan: hiding, report: REINDEX, ending });
    await count(job, 'operation', 'usage', 'datasetProfile', 'assertionRunEvent', 'incident');
    const { items, sum, tally, consequences } = shown();
    assert.deepEqual(
      items.map(({ remark, isSelected, canBeSelected, shown: where }) => [
        remark?.replace(/ reindex.*/, ''),
        isSelected,
        canBeSelected,
        where,
      ]),
      [
        ['No rows to delete', false, false, 'not'],
        ['It can only be truncated alone.', false, false, 'below'],
        [undefined, true, true, 'above'],
        ['An earlier', false, false, 'below'],
        ['Searches find no rows', false, false, 'below'],
      ],
    );
    assert.deepEqual([sum.toDelete, sum.count, tally], [20, 1, '1 ticked · 1 has nothing to delete · 3 left out']);
    assert.equal(items[0]?.consequence, undefined);
    assert.match(items[2]?.consequence ?? '', /^Feeds the Stats tab[^.]*: one last profiled before /);
    assert.equal(consequences, "Deleted rows can't be recovered.");
  });

  test('says beside each why its dry run no longer counts once the connection has changed', async (context) => {
    const { window, job, shown } = await stage(context);
    await window.setRole('production');
    const { items, sum, canAutomate } = shown();
    assert.deepEqual(
      items.map(({ rows, canBeSelected, remark }) => [rows, canBeSelected, remark]),
      Array.from({ length: 2 }, () => [
        undefined,
        false,
        'The connection has changed since the dry run. Run the dry run again.',
      ]),
    );
    assert.deepEqual([sum.count, canAutomate, job.job.plannedItems], [0, false, []]);
  });

  test('says whether the item whose turn it is was sent already, and for how long it runs', async (context) => {
    const { server, job, shown } = await stage(context);
    const held = Promise.withResolvers<string>();
    server.dryRun = () => held.promise;
    server.taskStatus = () => taskStatus(7, false);
    assert.equal(shown().current, undefined);
    const executing = job.execute();
    await job.until(() => shown().current?.isSent === false);
    assert.deepEqual(shown().current, { name: 'dataset/operation', isSent: false, pace: undefined });
    held.resolve(dryRunText(20, 201));
    await job.until(() => job.items[0]?.status === 'running');
    job.job.stop();
    await executing;
    const { current, details } = shown();
    assert.equal(current?.isSent, true);
    assert.deepEqual(details[0]?.copy?.intent, { type: 'copyRequests', place: 0, for: 'cancel' });
    assert.match(current?.pace ?? '', /^Running for .* It can't be stopped from here\.$/);
  });

  test('shows two running counts, waiting ones, and cancelled ones', async (context) => {
    const { server, job, shown } = await stage(context);
    const held = Promise.withResolvers<string>();
    server.dryRun = () => held.promise;
    const counting = count(job, 'operation', 'usage', 'profile');
    const statuses = (): (string | undefined)[] => shown().items.map(({ status }) => status?.text);
    await job.until(() => statuses().join() === 'counting…,counting…,waiting');
    assert.deepEqual(
      shown().items.map(({ isSelected, at }) => [isSelected, at]),
      Array.from({ length: 3 }, () => [true, undefined]),
    );
    job.job.cancel();
    await counting;
    held.resolve(dryRunText(1, 2));
    assert.deepEqual(statuses().at(-1), 'canceled');
    assert.equal(shown().sum.count, 0);
  });

  test('shows no bytes if those of an index are missing', async (context) => {
    const { shown } = await stage(context);
    const partly = shown({ sizeOf: ({ aspect }) => (aspect === 'usage' ? undefined : 1_000_000) });
    assert.equal(partly.sum.size, undefined);
  });

  test('shows at the end what was deleted of each and in all, with the sizes', async (context) => {
    const { window, job, shown } = await stage(context);
    window.indexBytes = 1_000_000;
    await job.execute();
    const { items, outcome, hasReceipt, details } = shown({ sizeOf: () => 800_000 });
    assert.deepEqual(
      items.map(({ remark, status, recordId }) => [remark, status?.text, recordId]),
      job.items.map(({ record }) => ['20 rows deleted · 1 MB → 800 kB', 'finished', record?.id]),
    );
    assert.deepEqual(
      [outcome?.headline, outcome?.deleted, outcome?.kind, hasReceipt],
      ['40 rows deleted · 2 MB → 1.6 MB · 2 indices', undefined, 'done', true],
    );
    assert.deepEqual(
      details.map(({ name, code, copy }) => [name, code, copy?.intent]),
      [
        ['Disk space', undefined, undefined],
        ...['operation', 'usage'].map((aspect, place) => [
          `dataset/${aspect}`,
          `POST /dataset_${aspect}_v1/_forcemerge?only_expunge_deletes=true`,
          { type: 'copyRequests', place, for: 'merge' },
        ]),
      ],
    );
  });

  test('calls nothing done whose rows searches still find', async (context) => {
    const { job, shown } = await stage(context);
    job.tick(1, false);
    await job.execute();
    const [item] = job.items;
    assert.ok(item?.record);
    const ending = { kind: 'finished', deleted: 20, versionConflicts: 0, readers: 'rowsLeft', rowsLeft: 5 } as const;
    Object.defineProperty(item, 'record', { value: { ...item.record, ending } });
    const { outcome, items } = shown();
    assert.equal(outcome?.kind, 'trouble');
    assert.deepEqual(items[0]?.status, { text: 'rows left', kind: 'trouble' });
    assert.match(items[0]?.remark ?? '', /searches still find 5 rows dated before the cutoff/);
    assert.equal(items[1]?.remark, 'Not ticked');
  });

  test('names the one that still runs after a stop or why it cannot be watched, and calls nothing done before its end', async (context) => {
    const { server, window, job, shown } = await stage(context);
    const { executing } = await firstRuns(server, job);
    job.job.stop();
    await executing;
    const { outcome, items } = shown();
    assert.deepEqual([items[0]?.status?.text, items[0]?.remark], ['running', undefined]);
    const problem = { sentence: "Can't reach datahub.example.com.", next: 'Check the network.' };
    const [unwatched] = shown({ watch: { lastPoll: () => ({ at: 0, problem }) } }).items;
    assert.deepEqual(
      [unwatched?.status?.text, unwatched?.remark],
      ['status unavailable', "Can't reach datahub.example.com. Check the network."],
    );
    assert.deepEqual(
      [outcome?.kind, outcome?.headline, outcome?.deleted],
      ['running', '0 of 2 indices truncated so far; dataset/operation is still being truncated.', undefined],
    );
    server.taskStatus = () => taskStatus(20, true);
    const first = job.items[0]?.record;
    assert.ok(first);
    while (window.jobs.get(first.connectionId, first.id)?.ending === undefined) {
      await window.watch.checkNow(first);
    }
    const { outcome: end } = shown();
    assert.deepEqual(
      [end?.headline, end?.kind, end?.deleted],
      ['1 of 2 indices truncated.', 'trouble', '20 rows deleted'],
    );
  });

  test('has one waiting until the last one is counted again', async (context) => {
    const { server, job, shown } = await stage(context);
    assert.equal(shown().isAnyWaiting, false);
    const { executing } = await firstRuns(server, job);
    assert.equal(shown().isAnyWaiting, true);
    server.taskStatus = () => taskStatus(20, true);
    await job.until(() => job.items[1]?.status === 'counting');
    assert.equal(shown().isAnyWaiting, false);
    await executing;
  });
});
