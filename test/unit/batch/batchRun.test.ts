import assert from 'node:assert/strict';
import { truncateAloneText } from '../../../src/batch/batchItem.ts';
import { suite, test, type TestContext } from 'node:test';
import { Emitter } from '../../../src/platform/events.ts';
import { systemClock } from '../../../src/time.ts';
import { FollowedTruncations } from '../../../src/truncation/follow.ts';
import { draftFrom, emptyDraft, type PlanDraft } from '../../../src/truncation/plan.ts';
import { plansLeft } from '../../../src/batch/batchStore.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import type { TruncationRun } from '../../../src/truncation/run.ts';
import { MAX_BATCH_ITEMS } from '../../../src/batch/protocol.ts';
import { reply } from '../service/wireServer.ts';
import { DAY, MAX_AGE, dryRunText } from '../truncation/samples.ts';
import {
  RunningWindow,
  scriptedServer,
  taskStatus,
  type ScriptedServer,
  type ShownBatch,
  type WindowOptions,
} from '../truncation/runningWindow.ts';

const ASPECTS = ['operation', 'datasetprofile', 'usage'];
const CUTOFF = Date.now() - 90 * DAY;
/** Tasks are looked at without waiting between two looks. */
const IMPATIENT = { after: (_: number, run: () => void) => systemClock.after(5, run) };

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly batch: ShownBatch;
}

function draftOf(aspect: string): PlanDraft {
  return { ...emptyDraft('dataset', aspect), endTimeMillis: CUTOFF };
}

/** A batch after its dry runs. */
async function planned(
  context: TestContext,
  options: WindowOptions = {},
  prepare: (server: ScriptedServer) => void = () => undefined,
): Promise<Stage> {
  const server = await scriptedServer(context);
  prepare(server);
  const window = await RunningWindow.open(context, server.url, {
    ...options,
    clock: { ...IMPATIENT, ...options.clock },
  });
  const batch = window.newBatchRun();
  await batch.dryRun(ASPECTS.map(draftOf));
  assert.equal(batch.phase, 'planned');
  return { server, window, batch };
}

function statuses(batch: ShownBatch): string[] {
  return batch.items.map(({ status }) => status);
}

/** Rows are counted repeatedly before an end is accepted. */
async function lookUntilEnded(window: RunningWindow, record: TruncationRecord): Promise<void> {
  while (window.records.get(record.connectionId, record.id)?.ending === undefined) {
    await window.watch.checkNow(record);
  }
}

/** Fulfilled with the next change after which `condition` holds. */
function until(batch: ShownBatch, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => void (condition() && resolve());
    batch.onDidChange(check);
    check();
  });
}

suite('Dry runs of a batch', () => {
  test('run two at a time', async (context) => {
    let underWay = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const { server } = await planned(context, {}, (scripted) => {
      scripted.dryRun = async () => {
        most = Math.max(most, ++underWay);
        if (underWay > 1) {
          both.resolve();
        }
        await both.promise;
        await new Promise(setImmediate);
        underWay--;
        return dryRunText(20, 201);
      };
    });
    assert.equal(most, 2);
    assert.deepEqual([...new Set(server.dryRuns().map(({ aspect }) => aspect))].toSorted(), ASPECTS.toSorted());
  });

  test('can be cancelled, which keeps finished counts and sends no more requests', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    const batch = window.newBatchRun();
    const held = Promise.withResolvers<string>();
    server.dryRun = ({ aspect }) => (aspect === 'operation' ? dryRunText(20, 201) : held.promise);
    const counting = batch.dryRun([...ASPECTS, 'fourth'].map(draftOf));
    await until(
      batch,
      () => batch.items[0]?.state?.phase === 'reviewed' && batch.items[2]?.state?.phase === 'dryRunning',
    );
    batch.cancel();
    await counting;
    held.resolve(dryRunText(1, 2));
    assert.deepEqual([batch.phase, batch.plannedItems.map(({ draft }) => draft.aspect)], ['planned', ['operation']]);
    assert.ok(server.dryRuns().every(({ aspect }) => aspect !== 'fourth'));
  });

  for (const [why, text] of [
    ['has no rows to delete', dryRunText(0, 201)],
    ['has an unreadable response', 'The moon is full.'],
  ] as const) {
    test(`exclude an index that ${why}, with a reason`, async (context) => {
      const { batch } = await planned(context, {}, (server) => {
        server.dryRun = ({ aspect }) => (aspect === 'usage' ? text : dryRunText(20, 201));
      });
      assert.deepEqual(
        batch.plannedItems.map(({ draft }) => draft.aspect),
        ['operation', 'datasetprofile'],
      );
      assert.notEqual(batch.items[2]?.exclusion?.sentence ?? '', '');
    });
  }

  test('exclude an index that holds state, from a recipe too, whatever the page requests', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    const batch = window.newBatchRun();
    const state = { ...emptyDraft('dataJob', 'DatahubIngestionCheckpoint'), endTimeMillis: CUTOFF };
    await batch.dryRun([draftOf('operation'), state]);
    const [operation, checkpoint] = batch.items;
    assert.deepEqual(batch.plannedItems, [operation]);
    assert.match(checkpoint?.exclusion?.sentence ?? '', /state of ingestion pipelines/);
    assert.equal(checkpoint?.exclusion?.next, truncateAloneText());
    assert.deepEqual([operation?.isForRecipe, checkpoint?.isForRecipe], [true, false]);
    await batch.execute();
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ['operation'],
    );
  });

  test('exclude indices that the server refuses, with its reason', async (context) => {
    const { batch } = await planned(context, {}, (server) => (server.refusesDryRuns = true));
    assert.deepEqual(batch.plannedItems, []);
    assert.match(batch.items[0]?.exclusion?.sentence ?? '', /refused/);
  });

  test('put indices into a recipe if they are in the plan or have no rows yet, unless they were refused', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url, { clock: IMPATIENT });
    const counts = server.dryRun;
    server.dryRun = (body) =>
      body.aspect === 'unread'
        ? 'The moon is full.'
        : body.aspect.startsWith('empty')
          ? dryRunText(0, 201)
          : counts(body);
    window.blocked = ({ aspect }) => (/hidden$/i.test(aspect) ? { sentence: 'Rows are hidden.' } : undefined);
    const batch = window.newBatchRun();
    const forRecipe = (): string[] =>
      batch.items.filter(({ isForRecipe }) => isForRecipe).map(({ draft }) => draft.aspect);
    await batch.dryRun(['operation', 'empty', 'hidden', 'emptyHidden', 'unread', 'unwanted', 'fails'].map(draftOf));
    const unwanted = batch.items.find(({ draft }) => draft.aspect === 'unwanted');
    assert.ok(unwanted);
    batch.select(unwanted, false);
    assert.deepEqual(forRecipe(), ['operation', 'empty', 'fails']);
    server.execute = (response, body) =>
      reply(response, 200, { value: body?.aspect === 'fails' ? 'Not today.' : 'node:1' });
    await batch.execute();
    assert.deepEqual(forRecipe(), ['operation', 'empty'], 'nor what failed');
    server.refusesDryRuns = true;
    await batch.dryRunAgain();
    assert.deepEqual(forRecipe(), []);
  });

  test('put indices with rows into a scheduled job, with what was deleted since, if they are deleted by query', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url, { clock: IMPATIENT });
    const counts = server.dryRun;
    const texts: Readonly<Record<string, string>> = {
      empty: dryRunText(0, 0),
      young: dryRunText(0, 201),
      youngAndUnread: dryRunText(0, 201).replace(/Issuing .*? request\. /, ''),
      reindexed: dryRunText(150, 201),
    };
    server.dryRun = (body) => texts[body.aspect] ?? counts(body);
    const batch = window.newBatchRun();
    const inJob = (): (readonly [string, number])[] =>
      batch.items.flatMap(({ forJob }) => (forJob ? [[forJob.plan.aspect, forJob.deletedSince] as const] : []));
    await batch.dryRun(['operation', 'fails', 'ourCheckpoint', ...Object.keys(texts)].map(draftOf));
    const [first] = batch.items;
    const countedAt = first?.forJob?.at;
    assert.deepEqual(inJob(), [
      ['operation', 0],
      ['fails', 0],
      ['young', 0],
    ]);
    server.execute = (response, body) =>
      reply(response, 200, { value: body?.aspect === 'fails' ? 'Not today.' : 'node:1' });
    await batch.execute();
    assert.deepEqual(inJob(), [
      ['operation', 20],
      ['young', 0],
    ]);
    assert.ok((first?.review?.at ?? 0) > (countedAt ?? Infinity), 'it was counted again');
    assert.equal(first?.forJob?.at, countedAt, 'the cutoff was so many days before its first count');
  });

  test('are limited to as many indices as the question can list', async (context) => {
    const server = await scriptedServer(context);
    const batch = (await RunningWindow.open(context, server.url)).newBatchRun();
    await batch.dryRun(Array.from({ length: MAX_BATCH_ITEMS + 1 }, (_, index) => draftOf(`aspect${index}`)));
    assert.deepEqual([batch.phase, server.dryRuns()], ['choosing', []]);
  });
});

suite('Executing a batch', () => {
  test('asks once about all indices, then counts each again and sends it once, in order', async (context) => {
    const { server, window, batch } = await planned(context);
    await Promise.all([batch.execute(), batch.execute()]);
    assert.deepEqual(statuses(batch), ['finished', 'finished', 'finished']);
    assert.deepEqual(
      window.askedForBatch.map(({ reviews }) => reviews.map(({ plan }) => plan.aspect)),
      [ASPECTS],
    );
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ASPECTS,
    );
    assert.equal(window.askedForBatch[0]?.connection.baseUrl, server.url);
    assert.deepEqual([batch.phase, await window.batchesOnDisk()], ['ended', []]);
    assert.equal((await window.recordsOnDisk()).length, 3);
  });

  test('excludes deselected indices', async (context) => {
    const { server, batch } = await planned(context);
    const [, second] = batch.items;
    assert.ok(second);
    batch.select(second, false);
    await batch.execute();
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ['operation', 'usage'],
    );
  });

  test('sends the next truncation only after the previous task has ended', async (context) => {
    const { server, batch } = await planned(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    // It is looked at more than once meanwhile.
    const seen = (): number => server.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length;
    await until(batch, () => seen() > 2);
    assert.deepEqual([server.executions().length, statuses(batch)], [1, ['running', 'waiting', 'waiting']]);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.equal(server.executions().length, 3);
  });

  test('stores a truncation as sent before sending it', async (context) => {
    const { server, window, batch } = await planned(context);
    const sentThen: number[] = [];
    server.execute = (response) => {
      void window.batchesOnDisk().then(([record]) => {
        sentThen.push(record?.items.filter(({ isSent }) => isSent).length ?? 0);
        reply(response, 200, { value: 'node:1' });
      });
    };
    await batch.execute();
    assert.deepEqual(sentThen, [1, 2, 3]);
  });

  test('sends nothing if the user declines, and can ask again', async (context) => {
    const { server, window, batch } = await planned(context);
    window.answerForBatch = () => false;
    await batch.execute();
    assert.deepEqual([batch.phase, server.executions(), await window.batchesOnDisk()], ['planned', [], []]);
    window.answerForBatch = () => true;
    await batch.execute();
    assert.equal(server.executions().length, 3);
  });

  test('does not ask if an index may no longer be truncated', async (context) => {
    const off = { millis: 0 };
    const { server, window, batch } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    off.millis = MAX_AGE + 1;
    await batch.execute();
    assert.deepEqual([batch.phase, window.askedForBatch, server.executions()], ['planned', [], []]);
    assert.deepEqual(batch.plannedItems, []);
  });

  test('sends nothing if the dry runs become too old while the question is open', async (context) => {
    const off = { millis: 0 };
    const { server, window, batch } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    window.answerForBatch = () => {
      off.millis = MAX_AGE + 1;
      return true;
    };
    await batch.execute();
    assert.deepEqual([server.executions(), await window.batchesOnDisk()], [[], []]);
    assert.deepEqual(statuses(batch), ['notSent', 'notSent', 'notSent']);
  });

  test('ignores the age of later dry runs, since each index is counted again', async (context) => {
    const off = { millis: 0 };
    const { server, batch } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    server.execute = (response) => {
      off.millis += MAX_AGE + 1;
      server.answeredAt = Date.now() + off.millis;
      reply(response, 200, { value: 'node:1' });
    };
    const counted = server.dryRuns().length;
    await batch.execute();
    assert.equal(server.executions().length, 3);
    assert.ok(server.dryRuns().length >= counted + 6, 'the rows up to now, and those to delete, of each');
  });

  test('sends nothing if the batch cannot be stored first', async (context) => {
    const full = { isFull: false };
    const { server, batch } = await planned(context, {
      folder: (real, kind) => ({
        ...real,
        create: (name, text) =>
          full.isFull && kind === 'batches' ? Promise.reject(new Error('No space is left.')) : real.create(name, text),
      }),
    });
    full.isFull = true;
    await batch.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(batch.failing?.sentence ?? '', /Nothing was deleted/);
  });

  for (const [what, change] of [
    ['has another address', (window: RunningWindow) => window.change({ baseUrl: 'https://elsewhere.example' })],
    ['has another sign-in', (window: RunningWindow) => window.signIn()],
  ] as const) {
    test(`stops waiting for the last task if the connection ${what}`, async (context) => {
      const { server, window, batch } = await planned(context);
      batch.items.slice(1).forEach((item) => batch.select(item, false));
      server.taskStatus = () => taskStatus(7, false);
      const executing = batch.execute();
      await until(batch, () => batch.items[0]?.status === 'running');
      await change(window);
      await executing;
      assert.deepEqual([batch.phase, statuses(batch)[0], server.executions().length], ['ended', 'running', 1]);
      assert.deepEqual(await window.batchesOnDisk(), []);
    });
  }
});

suite('The rest of a batch is not sent', () => {
  /** Server behaviour for the second item. */
  const STOPS: Readonly<
    Record<string, { readonly status: string; readonly happens: (server: ScriptedServer) => void }>
  > = {
    'an index has more rows than were shown': {
      status: 'notSent',
      happens: (server) => (server.dryRun = ({ aspect }) => dryRunText(aspect === 'usage' ? 20 : 21, 201)),
    },
    'the server refuses a truncation': {
      status: 'failed',
      happens: (server) => (server.execute = (response) => reply(response, 200, { value: 'Not today.' })),
    },
    'a response is lost': {
      status: 'unknown',
      happens: (server) => (server.execute = (response) => response.destroy()),
    },
    'a task ends early': {
      status: 'failed',
      happens: (server) => {
        const counts = server.dryRun;
        server.taskStatus = () => taskStatus(3, true);
        server.dryRun = (body) => (body.aspect === 'datasetprofile' ? dryRunText(17, 198) : counts(body));
      },
    },
  };
  for (const [what, { status, happens }] of Object.entries(STOPS)) {
    test(`if ${what}, and the record shows which were sent`, async (context) => {
      const { server, window, batch } = await planned(context);
      void until(batch, () => batch.items[0]?.status === 'finished').then(() => happens(server));
      let shown: readonly string[] = [];
      batch.onDidChange(() => (shown = statuses(batch)));
      await batch.execute();
      // As of the last change event.
      assert.deepEqual(shown, ['finished', status, 'notSent']);
      const [record] = await window.batchesOnDisk();
      const isSent = status !== 'notSent' && !(what === 'the server refuses a truncation');
      assert.deepEqual(
        record?.items.map((item) => item.isSent),
        [true, isSent, false],
      );
      assert.ok(server.executions().every(({ aspect }) => aspect !== 'usage'));
    });
  }

  test('if the user stops it, but the running truncation finishes and reports its end', async (context) => {
    const { server, window, batch } = await planned(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    batch.stop();
    await executing;
    assert.deepEqual([batch.phase, statuses(batch)], ['ended', ['running', 'notSent', 'notSent']]);
    const [record] = await window.batchesOnDisk();
    assert.deepEqual(record && plansLeft(record).map(({ aspect }) => aspect), ['datasetprofile', 'usage']);
    server.taskStatus = () => taskStatus(20, true);
    const [first] = batch.items;
    assert.ok(first?.run?.record);
    await lookUntilEnded(window, first.run.record);
    assert.equal(first.status, 'finished');
    assert.equal(server.executions().length, 1);
  });

  test('if the page is closed', async (context) => {
    const { server, window, batch } = await planned(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    batch.dispose();
    await executing;
    assert.equal(server.executions().length, 1);
    assert.deepEqual(
      (await window.batchesOnDisk()).map((record) => plansLeft(record).length),
      [2],
    );
  });

  test('if the page is closed while the question is open, with a notification', async (context) => {
    const { server, window, batch } = await planned(context);
    window.answerForBatch = () => {
      batch.dispose();
      return true;
    };
    await batch.execute();
    assert.deepEqual([server.executions(), window.closedUnderQuestion], [[], 1]);
  });

  test('if another window changed the role of the connection, and the old role asks no question', async (context) => {
    const { server, window, batch } = await planned(context);
    await (await window.another(context)).setRole('production');
    await batch.execute();
    assert.deepEqual([window.askedForBatch.length, server.executions().length], [0, 0]);
    await batch.dryRunAgain();
    await batch.execute();
    assert.deepEqual(
      window.askedForBatch.map(({ connection }) => connection.role),
      ['production'],
    );
    assert.equal(server.executions().length, 3);
  });

  for (const [what, change] of [
    ['has another role', (window: RunningWindow) => window.setRole('production')],
    ['has another sign-in', (window: RunningWindow) => window.signIn()],
    ['has another address', (window: RunningWindow) => window.change({ baseUrl: 'https://elsewhere.example' })],
    ['is removed', (window: RunningWindow) => window.remove()],
  ] as const) {
    test(`if the connection ${what} while a task runs`, async (context) => {
      const { server, window, batch } = await planned(context);
      server.taskStatus = () => taskStatus(7, false);
      const executing = batch.execute();
      await until(batch, () => batch.items[0]?.status === 'running');
      await change(window);
      await executing;
      assert.equal(server.executions().length, 1);
      assert.deepEqual(statuses(batch).slice(1), ['notSent', 'notSent']);
    });
  }

  test('if the connection is removed while the batch is being stored, which leaves no record', async (context) => {
    let removed: Promise<unknown> | undefined;
    const { server, window, batch } = await planned(context, {
      folder: (real, kind) => ({
        ...real,
        create: async (name, text) => {
          if (kind === 'batches') {
            // Its batches were forgotten before.
            await (removed ??= window.store.remove(window.connection.id));
          }
          return real.create(name, text);
        },
      }),
    });
    await batch.execute();
    assert.ok(removed);
    assert.deepEqual([server.executions(), await window.batchesOnDisk(), batch.phase], [[], [], 'ended']);
  });

  test('if another window removes the connection while the question is open, which leaves no record', async (context) => {
    const { server, window, batch } = await planned(context);
    window.answerForBatch = async () => {
      await (await window.another(context)).remove();
      return true;
    };
    await batch.execute();
    assert.deepEqual([server.executions(), await window.batchesOnDisk()], [[], []]);
  });

  test('if another window dismisses it', async (context) => {
    const { server, window, batch } = await planned(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    const elsewhere = await window.another(context);
    const [record] = elsewhere.batches.of(window.connection.id);
    assert.ok(record);
    await elsewhere.batches.forget(record);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual(statuses(batch), ['finished', 'notSent', 'notSent']);
    assert.equal(server.executions().length, 1);
  });
});

suite("A truncation whose file can't be read", () => {
  const sentences = (batch: ShownBatch): string[] =>
    batch.items.flatMap(({ state }) =>
      state !== undefined && 'failing' in state ? (state.failing?.sentence ?? '') : '',
    );

  test('blocks batches of its connection, and says so, until it is forgotten', async (context) => {
    const { server, window, batch } = await planned(context);
    const id = await window.leaveUnreadable();
    await batch.execute();
    assert.deepEqual([window.askedForBatch, server.executions()], [[], []]);
    sentences(batch).forEach((sentence) => assert.match(sentence, /can't be read/));
    await window.records.forget({ connectionId: window.connection.id, id });
    await batch.dryRunAgain();
    await batch.execute();
    assert.deepEqual([server.executions().length, await window.batchesOnDisk()], [3, []]);
  });

  test('blocks the rest of a batch that another window damages meanwhile, and no other connection', async (context) => {
    const { server, window, batch } = await planned(context);
    await window.leaveUnreadable('damaged', crypto.randomUUID());
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    await window.leaveUnreadable();
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([statuses(batch), server.executions().length], [['finished', 'notSent', 'notSent'], 1]);
    assert.match(sentences(batch)[1] ?? '', /can't be read/);
    const [left] = await window.batchesOnDisk();
    assert.deepEqual(left && plansLeft(left).map(({ aspect }) => aspect), ['datasetprofile', 'usage']);
  });
});

suite('Continuing an interrupted batch', () => {
  test('counts again, asks again, and leaves no record', async (context) => {
    const { server, window, batch } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await batch.execute();
    const another = await window.another(context);
    const [left] = another.batches.of(window.connection.id);
    assert.ok(left);
    assert.deepEqual(
      plansLeft(left).map(({ aspect }) => aspect),
      ASPECTS,
    );
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const later = another.newBatchRun();
    const counted = server.dryRuns().length;
    await later.dryRun(
      plansLeft(left).map(({ aspect }) => draftOf(aspect)),
      left,
    );
    assert.equal(server.dryRuns().length, counted + 3);
    await later.execute();
    assert.deepEqual(statuses(later), ['finished', 'finished', 'finished']);
    assert.deepEqual([another.askedForBatch.length, await window.batchesOnDisk()], [1, []]);
  });

  test('is offered only for the server it was confirmed for', async (context) => {
    const { server, window, batch } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await batch.execute();
    const { id } = window.connection;
    assert.equal(window.batches.of(id, server.url).length, 1);
    assert.deepEqual(window.batches.of(id, 'https://elsewhere.example'), []);
  });

  test('keeps items that it cannot continue with', async (context) => {
    const { server, window, batch } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await batch.execute();
    const [left] = window.batches.of(window.connection.id);
    assert.ok(left);
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const counts = server.dryRun;
    server.dryRun = (body) => (body.aspect === 'usage' ? 'The moon is full.' : counts(body));
    const later = window.newBatchRun();
    await later.dryRun(
      plansLeft(left).map(({ aspect }) => draftOf(aspect)),
      left,
    );
    await later.execute();
    const [rest] = await window.batchesOnDisk();
    assert.deepEqual(rest && plansLeft(rest).map(({ aspect }) => aspect), ['usage']);
  });
});

suite('Two windows', () => {
  /** One window is executing the first item; another has counted the items that are not sent yet. */
  async function counted(
    context: TestContext,
  ): Promise<
    Stage & { readonly executing: Promise<void>; readonly other: ShownBatch; readonly elsewhere: RunningWindow }
  > {
    const staged = await planned(context);
    const { server, window, batch } = staged;
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    const elsewhere = await window.another(context);
    const [left] = elsewhere.batches.of(window.connection.id);
    assert.ok(left);
    const other = elsewhere.newBatchRun();
    await other.dryRun(
      plansLeft(left).map(({ aspect }) => draftOf(aspect)),
      left,
    );
    return { ...staged, executing, other, elsewhere };
  }

  const sent = (server: ScriptedServer): string[] => server.executions().map(({ aspect }) => aspect);

  test('send nothing twice if one continues with an item that the other has sent', async (context) => {
    const { server, window, batch, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sent(server).length === 1 ? 20 : 7, sent(server).length === 1);
    await until(batch, () => batch.items[1]?.status === 'running');
    await other.execute();
    assert.deepEqual([sent(server), statuses(other)], [ASPECTS.slice(0, 2), ['notSent', 'notSent']]);
    assert.match(other.failing?.sentence ?? '', /Nothing was deleted/);
    assert.deepEqual(
      (await window.batchesOnDisk()).map(({ items }) => items.map(({ isSent }) => isSent)),
      [[true, true, false]],
    );
    await other.dryRunAgain();
    assert.deepEqual(
      other.items.map(({ draft }) => draft.aspect),
      ['usage'],
    );
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([sent(server), await window.batchesOnDisk()], [ASPECTS, []]);
  });

  test('send nothing twice if the other one continues first', async (context) => {
    const { server, window, batch, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sent(server).length === 1 ? 7 : 20, sent(server).length > 1);
    await Promise.all([other.execute(), executing]);
    assert.deepEqual(sent(server).toSorted(), ASPECTS.toSorted());
    assert.deepEqual(
      [statuses(batch), statuses(other)],
      [
        ['finished', 'notSent', 'notSent'],
        ['finished', 'finished'],
      ],
    );
    assert.deepEqual(await window.batchesOnDisk(), []);
  });

  test('send nothing that either has dismissed', async (context) => {
    const { server, window, batch, executing, other } = await counted(context);
    batch.stop();
    await executing;
    const [left] = window.batches.of(window.connection.id);
    assert.ok(left);
    await window.batches.forget(left);
    await other.execute();
    assert.deepEqual([sent(server), await window.batchesOnDisk()], [ASPECTS.slice(0, 1), []]);
    assert.match(other.failing?.sentence ?? '', /another window has continued or dismissed/);
  });
});

suite('Two windows with the same interrupted batch', () => {
  /** Each has counted what is left. */
  async function bothCounted(
    context: TestContext,
  ): Promise<Stage & { readonly other: ShownBatch; readonly elsewhere: RunningWindow; readonly refused: number }> {
    const staged = await planned(context);
    const { server, window, batch } = staged;
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await batch.execute();
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const elsewhere = await window.another(context);
    await window.batches.reload();
    const continueIn = async (here: RunningWindow): Promise<ShownBatch> => {
      const [left] = here.batches.of(window.connection.id);
      assert.ok(left);
      const continued = here.newBatchRun();
      await continued.dryRun(plansLeft(left).map(draftFrom), left);
      assert.equal(continued.phase, 'planned');
      return continued;
    };
    const refused = server.executions().length;
    return { ...staged, batch: await continueIn(window), other: await continueIn(elsewhere), elsewhere, refused };
  }

  const sentSince = (refused: number, server: ScriptedServer): string[] =>
    server
      .executions()
      .slice(refused)
      .map(({ aspect }) => aspect);

  test('send no item twice if both continue at the same time', async (context) => {
    const { server, window, batch, other, refused } = await bothCounted(context);
    await Promise.all([batch.execute(), other.execute()]);
    const sent = sentSince(refused, server);
    assert.deepEqual(sent, [...new Set(sent)]);
    const later = await window.another(context);
    const left = later.batches.of(window.connection.id).flatMap(plansLeft);
    assert.ok(!left.some(({ aspect }) => sent.includes(aspect)), 'no sent item is listed as not sent');
  });

  test('send nothing that either has dismissed', async (context) => {
    const { server, window, batch, elsewhere, refused } = await bothCounted(context);
    const [left] = elsewhere.batches.of(window.connection.id);
    assert.ok(left);
    await elsewhere.batches.forget(left);
    await batch.execute();
    assert.deepEqual(sentSince(refused, server), []);
    assert.match(batch.failing?.sentence ?? '', /another window has continued or dismissed/);
  });

  test('stop sending once the other one continues', async (context) => {
    const { server, window, batch, elsewhere, refused } = await bothCounted(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await until(batch, () => batch.items[0]?.status === 'running');
    await elsewhere.batches.reload();
    const [left] = elsewhere.batches.of(window.connection.id);
    assert.ok(left);
    const later = elsewhere.newBatchRun();
    await later.dryRun(plansLeft(left).map(draftFrom), left);
    server.taskStatus = () => taskStatus(20, true);
    await Promise.all([later.execute(), executing]);
    assert.deepEqual(sentSince(refused, server).toSorted(), ASPECTS.toSorted());
  });

  test('repeat dry runs only of items that they still own', async (context) => {
    const { server, batch, other, refused } = await bothCounted(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = other.execute();
    await until(other, () => other.items[0]?.status === 'running');
    await batch.execute();
    assert.match(batch.failing?.sentence ?? '', /another window has continued/);
    await batch.dryRunAgain();
    assert.deepEqual([batch.phase, batch.items], ['choosing', []]);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual(sentSince(refused, server), ASPECTS);
  });

  test('never resend an item that a closed window had claimed', async (context) => {
    const { server, window, batch, refused } = await bothCounted(context);
    const { draft, run } = batch.items[0] ?? {};
    assert.ok(draft && run);
    const dead = await window.another(context);
    assert.ok(await dead.records.claim(recordOf(run, window.connection.id)));
    await batch.execute();
    assert.deepEqual(sentSince(refused, server), []);
    assert.match(batch.failing?.sentence ?? '', /another window has continued/);
    const [left] = await window.batchesOnDisk();
    assert.deepEqual(
      left?.items.map(({ isSent }) => isSent),
      [true, false, false],
      'it counts as sent',
    );
  });

  for (const [how, isReadable] of [
    ['without an event from VS Code', true],
    ['with an unreadable record', false],
  ] as const) {
    test(`never resend an item that another window claimed ${how}`, async (context) => {
      let hidden = '';
      const { server, window, batch } = await planned(context, {
        folder: (real) => ({
          ...real,
          readAll: async () =>
            new Map([...(await real.readAll())].map(([name, text]) => [name, hidden === name ? undefined : text])),
        }),
      });
      const { run } = batch.items[0] ?? {};
      assert.ok(run);
      const record = recordOf(run, window.connection.id);
      const other = await window.another(context);
      const { dryRun } = server;
      server.dryRun = async (body) => {
        hidden = isReadable ? '' : `${record.connectionId}.${record.id}.json`;
        await other.records.claim(record);
        return dryRun(body);
      };
      await batch.execute();
      server.dryRun = dryRun;
      await batch.dryRunAgain();
      await batch.execute();
      assert.deepEqual(
        server.executions().filter(({ aspect }) => aspect === record.plan.aspect),
        [],
      );
    });
  }
});

/** A truncation that is about to be sent from a run. */
function recordOf({ recordId, state }: TruncationRun, connectionId: string): TruncationRecord {
  assert.ok(state.phase === 'reviewed');
  const { plan, report, at } = state.review;
  return { id: recordId, connectionId, plan, report, reviewedAt: at, sentAt: at };
}

suite('An interrupted batch', () => {
  const LIMITED = { ...draftOf('operation'), batchSize: '500', timeoutSeconds: '600' };

  test('keeps the whole plan of each index', async (context) => {
    const { server, window } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    const batch = window.newBatchRun();
    await batch.dryRun([LIMITED]);
    await batch.execute();
    const [left] = window.batches.of(window.connection.id);
    assert.ok(left);
    const later = window.newBatchRun();
    await later.dryRun(plansLeft(left).map(draftFrom), left);
    assert.deepEqual(later.items[0]?.draft, LIMITED);
    await later.execute();
    assert.deepEqual(
      server.requests
        .filter(({ body }) => body.includes('"dryRun":false'))
        .map(({ body }) => (JSON.parse(body) as { batchSize: number }).batchSize),
      [500, 500],
    );
  });

  test('compares each count with the confirmed one', async (context) => {
    const { server, window } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    const batch = window.newBatchRun();
    await batch.dryRun([LIMITED]);
    await batch.execute();
    const [left] = await window.batchesOnDisk();
    assert.deepEqual(left?.items[0]?.confirmedRows, { toDelete: 20, total: 201 });
  });
});

suite('Notifications about a batch', () => {
  interface Told {
    readonly isVisible: (isVisible: boolean) => void;
    /** The truncations whose progress a notification shows, and those whose end was announced. */
    readonly open: Set<string>;
    readonly ended: string[];
  }

  function follow(context: TestContext, { window, batch }: Stage): Told {
    const showing = new Emitter<void>();
    let visible = true;
    const open = new Set<string>();
    const ended: string[] = [];
    const followed = new FollowedTruncations({
      watch: window.watch,
      records: window.records,
      isShowing: (id) => visible && batch.has(id),
      onDidChangeShowing: [batch.onDidChange, showing.event],
      notify: ({ plan: { aspect } }) => {
        open.add(aspect);
        return { update: () => undefined, close: () => open.delete(aspect) };
      },
      notifyEnded: ({ plan }) => ended.push(plan.aspect),
      clock: IMPATIENT,
    });
    context.after(() => followed.dispose());
    window.concluded = (record) => followed.concluded(record);
    const isVisible = (now: boolean): void => {
      visible = now;
      showing.fire();
    };
    return { isVisible, open, ended };
  }

  async function eventually(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise(setImmediate);
    }
  }

  test('are absent while the page is visible', async (context) => {
    const stage = await planned(context);
    const { open, ended } = follow(context, stage);
    await stage.batch.execute();
    assert.deepEqual([statuses(stage.batch), [...open], ended], [['finished', 'finished', 'finished'], [], []]);
  });

  test('appear while the page is hidden', async (context) => {
    const stage = await planned(context);
    const { isVisible, open, ended } = follow(context, stage);
    stage.server.taskStatus = () => taskStatus(7, false);
    const executing = stage.batch.execute();
    await until(stage.batch, () => stage.batch.items[0]?.status === 'running');
    isVisible(false);
    await eventually(() => open.has('operation'));
    stage.server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([[...open], ended], [[], ASPECTS]);
  });

  test('appear for a task that continues after the page shows something else', async (context) => {
    const stage = await planned(context);
    const { open, ended } = follow(context, stage);
    stage.server.taskStatus = () => taskStatus(7, false);
    const executing = stage.batch.execute();
    await until(stage.batch, () => stage.batch.items[0]?.status === 'running');
    stage.batch.stop();
    await executing;
    stage.batch.startOver();
    await eventually(() => open.has('operation'));
    stage.server.taskStatus = () => taskStatus(20, true);
    await eventually(() => ended.length > 0);
    assert.deepEqual([[...open], ended], [[], ['operation']]);
  });

  test('appear for a task whose page was closed before the response', async (context) => {
    const stage = await planned(context);
    const { isVisible, open, ended } = follow(context, stage);
    const { server, batch } = stage;
    server.taskStatus = () => taskStatus(7, false);
    server.execute = (response) => {
      batch.dispose();
      isVisible(false);
      reply(response, 200, { value: 'node:1' });
    };
    await batch.execute();
    await eventually(() => open.has('operation'));
    server.taskStatus = () => taskStatus(20, true);
    await eventually(() => ended.length > 0);
    assert.deepEqual([server.executions().length, ended], [1, ['operation']]);
  });
});
