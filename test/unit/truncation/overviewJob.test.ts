import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { systemClock } from '../../../src/time.ts';
import { FollowedTruncations } from '../../../src/truncation/follow.ts';
import { emptyDraft, type PlanDraft } from '../../../src/truncation/plan.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncation.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import type { JobItem } from '../../../src/truncation/jobItem.ts';
import { MAX_ITEMS } from '../../../src/truncation/jobSize.ts';
import type { InterruptedJob } from '../../../src/truncation/jobStore.ts';
import { reply } from '../service/wireServer.ts';
import { leaveTruncation } from './journals.ts';
import { DAY, MAX_AGE, RECORD, dryRunText } from './samples.ts';
import {
  firstRuns,
  RunningWindow,
  scriptedServer,
  taskStatus,
  type ScriptedServer,
  type OverviewJob,
  type WindowOptions,
} from './runningWindow.ts';

const ASPECTS = ['operation', 'datasetprofile', 'usage'];
const CUTOFF = Date.now() - 90 * DAY;
/** Tasks are looked at without waiting between two looks. */
const IMPATIENT = { after: (_: number, run: () => void) => systemClock.after(5, run) };

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly job: OverviewJob;
}

function draftOf(aspect: string): PlanDraft {
  return { ...emptyDraft('dataset', aspect), endTimeMillis: CUTOFF };
}

/** A job after its dry runs. */
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
  const job = window.overview();
  await job.count(ASPECTS.map(draftOf));
  assert.equal(job.phase, 'planned');
  return { server, window, job };
}

/** Plans of the items that can be continued, in their order. */
function plansLeft({ left }: InterruptedJob): readonly TruncationPlan[] {
  return left.map(({ plan }) => plan);
}

/** The status of each item in the journal. */
function stored({ job }: InterruptedJob): readonly string[] {
  return job.items.map(({ status }) => status);
}

function deselect(job: OverviewJob, item: JobItem): void {
  job.tick(job.items.indexOf(item), false);
}

/** Why items weren't sent. */
function sentences(job: OverviewJob): readonly string[] {
  return job.items.flatMap(({ state }) => ('failing' in state ? (state.failing?.sentence ?? '') : ''));
}

function statuses(job: OverviewJob): string[] {
  return job.items.map(({ status }) => status);
}

/** Rows are counted repeatedly before an end is accepted. */
async function lookUntilEnded(window: RunningWindow, record: TruncationRecord): Promise<void> {
  while (window.jobs.get(record.connectionId, record.id)?.ending === undefined) {
    await window.watch.checkNow(record);
  }
}

suite('Dry runs of a job', () => {
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
    const job = window.overview();
    const held = Promise.withResolvers<string>();
    server.dryRun = ({ aspect }) => (aspect === 'operation' ? dryRunText(20, 201) : held.promise);
    const counting = job.count([...ASPECTS, 'fourth'].map(draftOf));
    await job.until(() => job.items[0]?.state.phase === 'reviewed' && job.items[2]?.state.phase === 'dryRunning');
    job.job.cancel();
    await counting;
    held.resolve(dryRunText(1, 2));
    assert.deepEqual(
      [job.phase, job.job.plannedItems.map(({ state }) => state.draft.aspect)],
      ['planned', ['operation']],
    );
    assert.ok(server.dryRuns().every(({ aspect }) => aspect !== 'fourth'));
  });

  for (const [why, text] of [
    ['has no rows to delete', dryRunText(0, 201)],
    ['has an unreadable response', 'The moon is full.'],
  ] as const) {
    test(`exclude an index that ${why}, with a reason`, async (context) => {
      const { job } = await planned(context, {}, (server) => {
        server.dryRun = ({ aspect }) => (aspect === 'usage' ? text : dryRunText(20, 201));
      });
      assert.deepEqual(
        job.job.plannedItems.map(({ state }) => state.draft.aspect),
        ['operation', 'datasetprofile'],
      );
      assert.notEqual(job.items[2]?.exclusion?.sentence ?? '', '');
    });
  }

  test('exclude an index that holds state, from a recipe too, whatever the page requests', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    const job = window.overview();
    const state = { ...emptyDraft('dataJob', 'DatahubIngestionCheckpoint'), endTimeMillis: CUTOFF };
    await job.count([draftOf('operation'), state]);
    const [operation, checkpoint] = job.items;
    assert.deepEqual(job.job.plannedItems, [operation]);
    assert.match(checkpoint?.exclusion?.sentence ?? '', /state of ingestion pipelines/);
    assert.equal(checkpoint?.exclusion?.next, 'Truncate it alone.');
    assert.deepEqual([operation?.isForRecipe, checkpoint?.isForRecipe], [true, false]);
    await job.execute();
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ['operation'],
    );
  });

  test('exclude indices that the server refuses, with its reason', async (context) => {
    const { job } = await planned(context, {}, (server) => (server.refusesDryRuns = true));
    assert.deepEqual(job.job.plannedItems, []);
    assert.match(job.items[0]?.exclusion?.sentence ?? '', /refused/);
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
    for (const [number, aspect] of ['hidden', 'emptyHidden'].entries()) {
      await leaveTruncation(window.jobs, {
        ...RECORD,
        id: RECORD.id.replace(/.\.0$/, `${number}.0`),
        connectionId: window.connection.id,
        baseUrl: server.url,
        plan: { ...RECORD.plan, aspect },
        ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true },
      });
    }
    const job = window.overview();
    const forRecipe = (): string[] =>
      job.items.filter(({ isForRecipe }) => isForRecipe).map(({ state }) => state.draft.aspect);
    await job.count(['operation', 'empty', 'hidden', 'emptyHidden', 'unread', 'unwanted', 'fails'].map(draftOf));
    const unwanted = job.items.find(({ state }) => state.draft.aspect === 'unwanted');
    assert.ok(unwanted);
    deselect(job, unwanted);
    assert.deepEqual(forRecipe(), ['operation', 'empty', 'fails']);
    server.execute = (response, body) =>
      reply(response, 200, { value: body?.aspect === 'fails' ? 'Not today.' : 'node:1' });
    await job.execute();
    assert.deepEqual(forRecipe(), ['operation', 'empty'], 'nor what failed');
    server.refusesDryRuns = true;
    await job.job.countAgain();
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
    const job = window.overview();
    const inJob = (): (readonly [string, number])[] =>
      job.items.flatMap(({ forSchedule }) =>
        forSchedule ? [[forSchedule.plan.aspect, forSchedule.deletedSince] as const] : [],
      );
    await job.count(['operation', 'fails', 'ourCheckpoint', ...Object.keys(texts)].map(draftOf));
    const [first] = job.items;
    const countedAt = first?.forSchedule?.at;
    assert.deepEqual(inJob(), [
      ['operation', 0],
      ['fails', 0],
      ['young', 0],
    ]);
    server.execute = (response, body) =>
      reply(response, 200, { value: body?.aspect === 'fails' ? 'Not today.' : 'node:1' });
    await job.execute();
    assert.deepEqual(inJob(), [
      ['operation', 20],
      ['young', 0],
    ]);
    assert.ok((first?.review?.at ?? 0) > (countedAt ?? Infinity), 'it was counted again');
    assert.equal(first?.forSchedule?.at, countedAt, 'the cutoff was so many days before its first count');
  });

  test('are limited to as many indices as the question can list', async (context) => {
    const server = await scriptedServer(context);
    const job = (await RunningWindow.open(context, server.url)).overview();
    await job.count(Array.from({ length: MAX_ITEMS + 1 }, (_, index) => draftOf(`aspect${index}`)));
    assert.deepEqual([job.phase, server.dryRuns()], ['choosing', []]);
  });
});

suite('Executing a job', () => {
  test('asks once about all indices, then counts each again and sends it once, in order', async (context) => {
    const { server, window, job } = await planned(context);
    await Promise.all([job.execute(), job.execute()]);
    assert.deepEqual(statuses(job), ['finished', 'finished', 'finished']);
    assert.deepEqual(
      window.askedOnOverview.map(({ items }) => items.map(({ review }) => review.plan.aspect)),
      [ASPECTS],
    );
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ASPECTS,
    );
    assert.equal(window.askedOnOverview[0]?.connection.baseUrl, server.url);
    assert.deepEqual([job.phase, await window.interruptedOnDisk()], ['ended', []]);
    assert.equal((await window.recordsOnDisk()).length, 3);
  });

  test('excludes deselected indices', async (context) => {
    const { server, job } = await planned(context);
    const [, second] = job.items;
    assert.ok(second);
    deselect(job, second);
    await job.execute();
    assert.deepEqual(
      server.executions().map(({ aspect }) => aspect),
      ['operation', 'usage'],
    );
  });

  test('sends the next truncation only after the previous task has ended', async (context) => {
    const { server, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    // It is looked at more than once meanwhile.
    const seen = (): number => server.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length;
    await job.until(() => seen() > 2);
    assert.deepEqual([server.executions().length, statuses(job)], [1, ['running', 'waiting', 'waiting']]);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.equal(server.executions().length, 3);
  });

  test('stores a truncation as sent before sending it', async (context) => {
    const { server, window, job } = await planned(context);
    const sentThen: number[] = [];
    server.execute = (response) => {
      void window.recordsOnDisk().then(({ length }) => {
        sentThen.push(length);
        reply(response, 200, { value: 'node:1' });
      });
    };
    await job.execute();
    assert.deepEqual(sentThen, [1, 2, 3]);
  });

  test('sends nothing if the user declines, and can ask again', async (context) => {
    const { server, window, job } = await planned(context);
    window.answerOnOverview = () => false;
    await job.execute();
    assert.deepEqual([job.phase, server.executions(), await window.interruptedOnDisk()], ['planned', [], []]);
    window.answerOnOverview = () => true;
    await job.execute();
    assert.equal(server.executions().length, 3);
  });

  test('does not ask if an index may no longer be truncated', async (context) => {
    const off = { millis: 0 };
    const { server, window, job } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    off.millis = MAX_AGE + 1;
    await job.execute();
    assert.deepEqual([job.phase, window.askedOnOverview, server.executions()], ['planned', [], []]);
    assert.deepEqual(job.job.plannedItems, []);
  });

  test('sends nothing if the dry runs become too old while the question is open', async (context) => {
    const off = { millis: 0 };
    const { server, window, job } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    window.answerOnOverview = () => {
      off.millis = MAX_AGE + 1;
      return true;
    };
    await job.execute();
    assert.deepEqual([server.executions(), await window.interruptedOnDisk()], [[], []]);
    assert.deepEqual(statuses(job), ['notSent', 'notSent', 'notSent']);
  });

  test('ignores the age of later dry runs, since each index is counted again', async (context) => {
    const off = { millis: 0 };
    const { server, job } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    server.execute = (response) => {
      off.millis += MAX_AGE + 1;
      server.answeredAt = Date.now() + off.millis;
      reply(response, 200, { value: 'node:1' });
    };
    const counted = server.dryRuns().length;
    await job.execute();
    assert.equal(server.executions().length, 3);
    assert.ok(server.dryRuns().length >= counted + 6, 'the rows up to now, and those to delete, of each');
  });

  test('sends nothing if the job cannot be stored first', async (context) => {
    const full = { isFull: false };
    const { server, job } = await planned(context, {
      folder: (real, kind) => ({
        ...real,
        create: (name, text) =>
          full.isFull && kind === 'jobs' ? Promise.reject(new Error('No space is left.')) : real.create(name, text),
      }),
    });
    full.isFull = true;
    await job.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(job.failing, /Nothing was deleted/);
  });

  test('sends what is stored although the disk reported a failure, and can be tried again', async (context) => {
    let isBroken = true;
    const { server, window, job } = await planned(context, {
      folder: (real, kind) => ({
        ...real,
        create: async (name, text) => {
          const isMine = await real.create(name, text);
          if (isBroken && kind === 'jobs') {
            isBroken = false;
            throw new Error('The disk was not synced.');
          }
          return isMine;
        },
      }),
    });
    await job.execute();
    assert.deepEqual([server.executions().length, await window.interruptedOnDisk()], [3, []]);
  });

  for (const [what, change] of [
    ['has another address', (window: RunningWindow) => window.change({ baseUrl: 'https://elsewhere.example' })],
    ['has another sign-in', (window: RunningWindow) => window.signIn()],
  ] as const) {
    test(`stops waiting for the last task if the connection ${what}`, async (context) => {
      const { server, window, job } = await planned(context);
      job.items.slice(1).forEach((item) => deselect(job, item));
      const { executing } = await firstRuns(server, job);
      await change(window);
      await executing;
      assert.deepEqual([job.phase, statuses(job)[0], server.executions().length], ['ended', 'running', 1]);
      assert.deepEqual(await window.interruptedOnDisk(), []);
    });
  }
});

suite('The rest of a job is not sent', () => {
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
      const { server, window, job } = await planned(context);
      void job.until(() => job.items[0]?.status === 'finished').then(() => happens(server));
      let shown: readonly string[] = [];
      job.job.onDidChange(() => (shown = statuses(job)));
      await job.execute();
      // As of the last change event.
      assert.deepEqual(shown, ['finished', status, 'notSent']);
      const [record] = await window.interruptedOnDisk();
      const second = what === 'the server refuses a truncation' ? 'refused' : status === 'notSent' ? 'planned' : 'sent';
      assert.deepEqual(record && stored(record), ['sent', second, 'planned']);
      assert.ok(server.executions().every(({ aspect }) => aspect !== 'usage'));
    });
  }

  test('if the user stops it, but the running truncation finishes and reports its end', async (context) => {
    const { server, window, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    job.job.stop();
    await executing;
    assert.deepEqual([job.phase, statuses(job)], ['ended', ['running', 'notSent', 'notSent']]);
    const [record] = await window.interruptedOnDisk();
    assert.deepEqual(record && plansLeft(record).map(({ aspect }) => aspect), ['datasetprofile', 'usage']);
    server.taskStatus = () => taskStatus(20, true);
    const [first] = job.items;
    assert.ok(first?.record);
    await lookUntilEnded(window, first.record);
    assert.equal(first.status, 'finished');
    assert.equal(server.executions().length, 1);
  });

  test('if the page is closed', async (context) => {
    const { server, window, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    job.job.dispose();
    await executing;
    assert.equal(server.executions().length, 1);
    assert.deepEqual(
      (await window.interruptedOnDisk()).map((record) => plansLeft(record).length),
      [2],
    );
  });

  test('if the page is closed while the question is open, which the page says itself', async (context) => {
    const { server, window, job } = await planned(context);
    window.answerOnOverview = () => {
      job.job.dispose();
      return true;
    };
    await job.execute();
    assert.deepEqual([server.executions(), window.closedUnderQuestion], [[], 0]);
  });

  test('if another window changed the role of the connection, and the old role asks no question', async (context) => {
    const { server, window, job } = await planned(context);
    await (await window.another(context)).setRole('production');
    await job.execute();
    assert.deepEqual([window.askedOnOverview.length, server.executions().length], [0, 0]);
    await job.job.countAgain();
    await job.execute();
    assert.deepEqual(
      window.askedOnOverview.map(({ connection }) => connection.role),
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
      const { server, window, job } = await planned(context);
      const { executing } = await firstRuns(server, job);
      await change(window);
      await executing;
      assert.equal(server.executions().length, 1);
      assert.deepEqual(statuses(job).slice(1), ['notSent', 'notSent']);
    });
  }

  test('if the connection is removed while the job is being stored, which leaves no record', async (context) => {
    let removed: Promise<unknown> | undefined;
    const { server, window, job } = await planned(context, {
      folder: (real, kind) => ({
        ...real,
        create: async (name, text) => {
          if (kind === 'jobs') {
            // Its jobs were forgotten before.
            await (removed ??= window.store.remove(window.connection.id));
          }
          return real.create(name, text);
        },
      }),
    });
    await job.execute();
    assert.ok(removed);
    assert.deepEqual([server.executions(), await window.interruptedOnDisk(), job.phase], [[], [], 'ended']);
  });

  test('if another window removes the connection while the question is open, which leaves no record', async (context) => {
    const { server, window, job } = await planned(context);
    window.answerOnOverview = async () => {
      await (await window.another(context)).remove();
      return true;
    };
    await job.execute();
    assert.deepEqual([server.executions(), await window.interruptedOnDisk()], [[], []]);
  });

  test('if another window dismisses it', async (context) => {
    const { server, window, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    const elsewhere = await window.another(context);
    const [left] = elsewhere.interrupted();
    assert.ok(left);
    await elsewhere.jobs.dismissRest(left.job, Date.now());
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual(statuses(job), ['finished', 'notSent', 'notSent']);
    assert.equal(server.executions().length, 1);
  });
});

suite("A truncation whose file can't be read", () => {
  test('blocks jobs of its connection, and says so, until it is forgotten', async (context) => {
    const { server, window, job } = await planned(context);
    const id = await window.leaveUnreadable();
    await job.execute();
    assert.deepEqual([window.askedOnOverview, server.executions()], [[], []]);
    sentences(job).forEach((sentence) => assert.match(sentence, /can't be read/));
    await window.jobs.remove({ connectionId: window.connection.id, id });
    await job.job.countAgain();
    await job.execute();
    assert.deepEqual([server.executions().length, await window.interruptedOnDisk()], [3, []]);
  });

  test('blocks the rest of a job that another window damages meanwhile, and no other connection', async (context) => {
    const { server, window, job } = await planned(context);
    await window.leaveUnreadable('damaged', crypto.randomUUID());
    const { executing } = await firstRuns(server, job);
    await window.leaveUnreadable();
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([statuses(job), server.executions().length], [['finished', 'notSent', 'notSent'], 1]);
    assert.match(sentences(job)[1] ?? '', /can't be read/);
    const [left] = await window.interruptedOnDisk();
    assert.deepEqual(left && plansLeft(left).map(({ aspect }) => aspect), ['datasetprofile', 'usage']);
  });
});

suite('Continuing an interrupted job', () => {
  test('counts again, asks again, and leaves no record', async (context) => {
    const { server, window, job } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await job.execute();
    const another = await window.another(context);
    const [left] = another.interrupted();
    assert.ok(left);
    assert.deepEqual(
      plansLeft(left).map(({ aspect }) => aspect),
      ASPECTS,
    );
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const later = another.overview();
    const counted = server.dryRuns().length;
    await later.continueWith(left);
    assert.equal(server.dryRuns().length, counted + 3);
    await later.execute();
    assert.deepEqual(statuses(later), ['finished', 'finished', 'finished']);
    assert.deepEqual([another.askedOnOverview.length, await window.interruptedOnDisk()], [1, []]);
  });

  test('is offered only for the server it was confirmed for', async (context) => {
    const { server, window, job } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await job.execute();
    const { id } = window.connection;
    assert.equal(window.jobs.interrupted({ id, baseUrl: server.url }, Date.now()).length, 1);
    assert.deepEqual(window.jobs.interrupted({ id, baseUrl: 'https://elsewhere.example' }, Date.now()), []);
  });

  test('keeps items that it cannot continue with', async (context) => {
    const { server, window, job } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await job.execute();
    const [left] = window.interrupted();
    assert.ok(left);
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const counts = server.dryRun;
    server.dryRun = (body) => (body.aspect === 'usage' ? 'The moon is full.' : counts(body));
    const later = window.overview();
    await later.continueWith(left);
    await later.execute();
    const [rest] = await window.interruptedOnDisk();
    assert.deepEqual(rest && plansLeft(rest).map(({ aspect }) => aspect), ['usage']);
  });
});

suite('A disk that fails while a job is sent', () => {
  /** The line that is torn: part of it is written. */
  async function torn(context: TestContext, kind: string): Promise<Stage> {
    let isTorn = false;
    return planned(context, {
      folder: (real) => ({
        ...real,
        append: async (name, line) => {
          if (!isTorn && line.includes(`"kind":"${kind}"`)) {
            isTorn = true;
            await real.append(name, line.slice(0, 20));
            throw new Error('No space is left.');
          }
          return real.append(name, line);
        },
      }),
    });
  }

  for (const kind of ['dryRun', 'sent']) {
    test(`sends nothing if the line "${kind}" is torn, blocks no index, and can be continued`, async (context) => {
      const { server, window, job } = await torn(context, kind);
      await job.execute();
      assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
      assert.match(sentences(job)[0] ?? '', /couldn't be recorded/);
      const [left] = await window.interruptedOnDisk();
      assert.deepEqual(left && plansLeft(left).map(({ aspect }) => aspect), ASPECTS);
      await job.job.countAgain();
      await job.execute();
      assert.equal(server.executions().length, 3);
    });
  }

  test('sends none of the rest after a task that could not be stored, and the rest can be continued', async (context) => {
    const { server, window, job } = await torn(context, 'task');
    const executing = job.execute();
    await job.until(() => window.notStored > 0);
    job.job.stop();
    await executing;
    assert.deepEqual([server.executions().length, window.notStored], [1, 1]);
    const [left] = await window.interruptedOnDisk();
    assert.deepEqual(left && plansLeft(left).map(({ aspect }) => aspect), ASPECTS.slice(1));
    assert.equal((await window.recordsOnDisk()).length, 1);
  });

  test('says that a truncation is not sent whose journal could not be read', async (context) => {
    let isHidden = false;
    const { server, window, job } = await planned(context, {
      folder: (real) => ({
        ...real,
        readAll: async () => {
          const files = await real.readAll();
          return isHidden ? new Map([...files.keys()].map((name) => [name, undefined])) : files;
        },
      }),
    });
    const { dryRun } = server;
    server.dryRun = async (body) => {
      isHidden = job.phase === 'executing';
      await window.jobs.reload();
      return dryRun(body);
    };
    await job.execute();
    isHidden = false;
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    const [left] = await window.interruptedOnDisk();
    assert.deepEqual(left && plansLeft(left).length, 3);
  });
});

suite('Counting again', () => {
  test('takes every tick of a caution away', async (context) => {
    const { server, window, job } = await planned(context, {}, (scripted) => {
      scripted.dryRun = () => dryRunText(201, 201, 'deleteByQuery');
    });
    await job.execute();
    assert.equal(window.askedOnOverview.length, 0, 'nothing is ticked');
    job.tickAll();
    assert.equal(job.job.plannedItems.length, job.items.length);
    await window.signIn('another-token-of-the-same-person');
    await job.job.countAgain();
    await job.execute();
    assert.deepEqual([job.job.plannedItems, window.askedOnOverview.length], [[], 0]);
    job.tickAll();
    await job.execute();
    assert.equal(window.askedOnOverview.length, 1);
    assert.equal(server.executions()[0]?.aspect, 'operation');
  });

  test('compares with what was confirmed', async (context) => {
    const { server, job } = await planned(context);
    server.execute = (response) => response.destroy();
    await job.execute();
    await job.job.countAgain();
    assert.deepEqual(
      job.items.map(({ current }) => current.confirmedBefore?.toDelete),
      [20, 20],
    );
  });
});

suite('A question that was withdrawn while an index was checked', () => {
  test('does not withdraw the next one', async (context) => {
    const { server, window, job } = await planned(context);
    const [hangs, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reload = window.credentials.reload.bind(window.credentials);
    let isFirst = true;
    context.mock.method(window.credentials, 'reload', async () => {
      if (isFirst) {
        isFirst = false;
        hangs.resolve();
        await released.promise;
      }
      return reload();
    });
    const first = job.execute();
    await hangs.promise;
    await window.setRole('production');
    await job.job.countAgain();
    window.answerOnOverview = async () => {
      released.resolve();
      await first;
      return true;
    };
    await job.execute();
    assert.deepEqual([window.askedOnOverview.length, server.executions().length], [1, 3]);
  });
});

suite('Two windows', () => {
  /** One window is executing the first item; another has counted the items that are not sent yet. */
  async function counted(
    context: TestContext,
  ): Promise<
    Stage & { readonly executing: Promise<void>; readonly other: OverviewJob; readonly elsewhere: RunningWindow }
  > {
    const staged = await planned(context);
    const { server, window, job } = staged;
    const { executing } = await firstRuns(server, job);
    const elsewhere = await window.another(context);
    const [left] = elsewhere.interrupted();
    assert.ok(left);
    const other = elsewhere.overview();
    await other.continueWith(left);
    return { ...staged, executing, other, elsewhere };
  }

  const sent = (server: ScriptedServer): string[] => server.executions().map(({ aspect }) => aspect);

  test('send nothing twice if one continues with an item that the other has sent', async (context) => {
    const { server, window, job, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sent(server).length === 1 ? 20 : 7, sent(server).length === 1);
    await job.until(() => job.items[1]?.status === 'running');
    await other.execute();
    assert.deepEqual([sent(server), statuses(other)], [ASPECTS.slice(0, 2), ['notSent', 'notSent']]);
    assert.match(sentences(other)[0] ?? '', /Nothing was deleted: another truncation of .* still running/);
    assert.deepEqual(
      (await window.interruptedOnDisk()).map((one) => stored(one)),
      [['sent', 'sent', 'planned']],
    );
    await other.job.countAgain();
    assert.deepEqual(
      other.items.map(({ state }) => state.draft.aspect),
      ['usage'],
    );
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([sent(server), await window.interruptedOnDisk()], [ASPECTS, []]);
  });

  test('send nothing twice if the other one continues first', async (context) => {
    const { server, window, job, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sent(server).length === 1 ? 7 : 20, sent(server).length > 1);
    await Promise.all([other.execute(), executing]);
    assert.deepEqual(sent(server).toSorted(), ASPECTS.toSorted());
    assert.deepEqual(
      [statuses(job), statuses(other)],
      [
        ['finished', 'notSent', 'notSent'],
        ['finished', 'finished'],
      ],
    );
    assert.deepEqual(await window.interruptedOnDisk(), []);
  });

  test('send nothing that either has dismissed', async (context) => {
    const { server, window, job, executing, other } = await counted(context);
    job.job.stop();
    await executing;
    const [left] = window.interrupted();
    assert.ok(left);
    await window.jobs.dismissRest(left.job, Date.now());
    await other.execute();
    assert.deepEqual([sent(server), await window.interruptedOnDisk()], [ASPECTS.slice(0, 1), []]);
    assert.match(other.failing, /another window has continued or dismissed/);
  });
});

suite('Two windows with the same interrupted job', () => {
  /** Each has counted what is left. */
  async function bothCounted(
    context: TestContext,
  ): Promise<Stage & { readonly other: OverviewJob; readonly elsewhere: RunningWindow; readonly refused: number }> {
    const staged = await planned(context);
    const { server, window, job } = staged;
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await job.execute();
    server.execute = (response) => reply(response, 200, { value: 'node:1' });
    const elsewhere = await window.another(context);
    await window.jobs.reload();
    const continueIn = async (here: RunningWindow): Promise<OverviewJob> => {
      const [left] = here.interrupted();
      assert.ok(left);
      const continued = here.overview();
      await continued.continueWith(left);
      assert.equal(continued.phase, 'planned');
      return continued;
    };
    const refused = server.executions().length;
    return { ...staged, job: await continueIn(window), other: await continueIn(elsewhere), elsewhere, refused };
  }

  const sentSince = (refused: number, server: ScriptedServer): string[] =>
    server
      .executions()
      .slice(refused)
      .map(({ aspect }) => aspect);

  test('send no item twice if both continue at the same time', async (context) => {
    const { server, window, job, other, refused } = await bothCounted(context);
    await Promise.all([job.execute(), other.execute()]);
    const sent = sentSince(refused, server);
    assert.deepEqual(sent, [...new Set(sent)]);
    const later = await window.another(context);
    const left = later.interrupted().flatMap(plansLeft);
    assert.ok(!left.some(({ aspect }) => sent.includes(aspect)), 'no sent item is listed as not sent');
  });

  test('send nothing that either has dismissed', async (context) => {
    const { server, job, elsewhere, refused } = await bothCounted(context);
    const [left] = elsewhere.interrupted();
    assert.ok(left);
    await elsewhere.jobs.dismissRest(left.job, Date.now());
    await job.execute();
    assert.deepEqual(sentSince(refused, server), []);
    assert.match(job.failing, /another window has continued or dismissed/);
  });

  test('stop sending once the other one continues', async (context) => {
    const { server, job, elsewhere, refused } = await bothCounted(context);
    const { executing } = await firstRuns(server, job);
    await elsewhere.jobs.reload();
    const [left] = elsewhere.interrupted();
    assert.ok(left);
    const later = elsewhere.overview();
    await later.continueWith(left);
    server.taskStatus = () => taskStatus(20, true);
    await Promise.all([later.execute(), executing]);
    assert.deepEqual(sentSince(refused, server).toSorted(), ASPECTS.toSorted());
  });

  test('repeat dry runs only of items that they still own', async (context) => {
    const { server, job, other, refused } = await bothCounted(context);
    const { executing } = await firstRuns(server, other);
    await job.execute();
    assert.match(sentences(job)[0] ?? '', /another truncation of .* still running/);
    await job.job.countAgain();
    assert.deepEqual([job.phase, job.items], ['choosing', []]);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual(sentSince(refused, server), ASPECTS);
  });

  test('never send an item again that a window had sent and died', async (context) => {
    const { server, window, job, refused } = await bothCounted(context);
    const dead = await window.another(context);
    const [left] = dead.interrupted();
    assert.ok(left);
    await dead.jobs.append(left.job, { kind: 'sent', item: 0, at: Date.now(), sessionId: 'dead' });
    await job.execute();
    assert.deepEqual(sentSince(refused, server), []);
    assert.match(sentences(job)[0] ?? '', /another truncation of .* still running/);
    const [rest] = await window.interruptedOnDisk();
    assert.deepEqual(rest && stored(rest), ['sent', 'planned', 'planned'], 'it counts as sent');
  });
});

suite('An interrupted job', () => {
  const LIMITED = { ...draftOf('operation'), batchSize: '500', timeoutSeconds: '600' };

  test('keeps the whole plan of each index', async (context) => {
    const { server, window } = await planned(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    const job = window.overview();
    await job.count([LIMITED]);
    await job.execute();
    const [left] = window.interrupted();
    assert.ok(left);
    const later = window.overview();
    await later.continueWith(left);
    assert.deepEqual(later.items[0]?.state.draft, LIMITED);
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
    const job = window.overview();
    await job.count([LIMITED]);
    await job.execute();
    const [left] = await window.interruptedOnDisk();
    assert.deepEqual(left?.left[0]?.confirmedRows, { toDelete: 20, total: 201 });
  });
});

suite('Messages about the ends of a job', () => {
  /** The indices whose ends are told one by one. The page of the job tells its end, as long as it is open. */
  function follow(context: TestContext, { window, job }: Stage): string[] {
    const ended: string[] = [];
    const followed = new FollowedTruncations({
      watch: window.watch,
      jobs: window.jobs,
      isVisible: (id) => job.job.has(id) && job.job.state.phase === 'executing',
      notifyEnded: ({ plan }) => ended.push(plan.aspect),
    });
    context.after(() => followed.dispose());
    window.concluded = (record) => followed.concluded(record);
    return ended;
  }

  async function eventually(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise(setImmediate);
    }
  }

  test('are not one for each index', async (context) => {
    const stage = await planned(context);
    const ended = follow(context, stage);
    await stage.job.execute();
    assert.deepEqual([statuses(stage.job), ended], [['finished', 'finished', 'finished'], []]);
  });

  test('tell of a task that continues after the user has stopped the job', async (context) => {
    const stage = await planned(context);
    const ended = follow(context, stage);
    const { executing } = await firstRuns(stage.server, stage.job);
    stage.job.job.stop();
    await executing;
    stage.job.job.startOver();
    stage.server.taskStatus = () => taskStatus(20, true);
    await eventually(() => ended.length > 0);
    assert.deepEqual(ended, ['operation']);
  });

  test('tell of a task whose page was closed before the response', async (context) => {
    const stage = await planned(context);
    const ended = follow(context, stage);
    const { server, job } = stage;
    server.taskStatus = () => taskStatus(7, false);
    server.execute = (response) => {
      job.job.dispose();
      reply(response, 200, { value: 'node:1' });
    };
    await job.execute();
    server.taskStatus = () => taskStatus(20, true);
    await eventually(() => ended.length > 0);
    assert.deepEqual([server.executions().length, ended], [1, ['operation']]);
  });
});
