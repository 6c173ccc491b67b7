// A job that is interrupted, and continued by the same or another window.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Folder } from '../../../src/platform/folder.ts';
import type { InterruptedJob } from '../../../src/truncation/jobStore.ts';
import { reply } from '../service/wireServer.ts';
import {
  ASPECTS,
  draftOf,
  firstRuns,
  leftOnDisk,
  planned,
  RunningWindow,
  scriptedServer,
  sentTo,
  taskStatus,
  type ScriptedServer,
  type ShownJob,
  type Stage,
} from './runningWindow.ts';

interface TwoWindows extends Stage {
  /** The job in the other window, which has counted what was left. */
  readonly other: ShownJob;
  readonly elsewhere: RunningWindow;
}

const refuse: ScriptedServer['execute'] = (response) => reply(response, 200, { value: 'Not today.' });
const accept: ScriptedServer['execute'] = (response) => reply(response, 200, { value: 'node:1' });

/** Each window shows an interrupted job of which nothing was sent, and has counted what is left. */
async function bothCounted(context: TestContext): Promise<TwoWindows & { readonly sent: () => readonly string[] }> {
  const { server, window, job: refused } = await planned(context);
  server.execute = refuse;
  await refused.execute();
  server.execute = accept;
  const before = sentTo(server).length;
  const elsewhere = await window.another(context);
  const [job, other] = await Promise.all([window, elsewhere].map(continued));
  assert.ok(job && other);
  return { server, window, job, other, elsewhere, sent: () => sentTo(server).slice(before) };
}

/** The interrupted job that a window knows. */
function left(window: RunningWindow): InterruptedJob {
  return window.interrupted()[0] ?? assert.fail();
}

/** A window continues the interrupted job up to the dry runs. */
async function continued(window: RunningWindow): Promise<ShownJob> {
  await window.jobs.reload();
  const job = window.overview();
  await job.continueWith(left(window));
  assert.equal(job.phase, 'planned');
  return job;
}

suite('An interrupted job', () => {
  test('is counted again and asked about again by the window that continues it, and leaves no record', async (context) => {
    const { server, window } = await planned(context);
    server.execute = refuse;
    const limited = { ...draftOf('operation'), batchSize: '500', timeoutSeconds: '600' };
    const job = window.overview();
    await job.count([limited, ...ASPECTS.slice(1).map(draftOf)]);
    await job.execute();
    assert.deepEqual(await leftOnDisk(window), ASPECTS);
    server.execute = accept;
    const another = await window.another(context);
    const counted = server.dryRuns().length;
    const later = await continued(another);
    assert.deepEqual([later.item.state.draft, server.dryRuns().length], [limited, counted + 3]);
    await later.execute();
    assert.deepEqual(later.statuses, ['finished', 'finished', 'finished']);
    assert.deepEqual([another.asked.length, await window.interruptedOnDisk()], [1, []]);
    assert.deepEqual(
      server.executions().map(({ batchSize }) => batchSize),
      [500, 500, 10_000, 10_000],
    );
  });

  test('keeps items that it cannot continue with', async (context) => {
    const { server, window, job } = await planned(context);
    server.execute = refuse;
    await job.execute();
    server.execute = accept;
    const counts = server.dryRun;
    server.dryRun = (body) => (body.aspect === 'usage' ? 'The moon is full.' : counts(body));
    await (await continued(window)).execute();
    assert.deepEqual(await leftOnDisk(window), ['usage']);
  });

  test('is offered again if the page that failed to continue it continues another one', async (context) => {
    const server = await scriptedServer(context);
    let isFull = false;
    const folder = (real: Folder): Folder => ({
      ...real,
      create: (name, text) => (isFull ? Promise.reject(new Error('ENOSPC')) : real.create(name, text)),
    });
    const window = await RunningWindow.open(context, server.url, { folder });
    server.execute = refuse;
    for (const aspect of ['operation', 'usage']) {
      const job = window.overview();
      await job.count([draftOf(aspect)]);
      await job.execute();
    }
    server.execute = accept;
    const [one, another] = window.interrupted();
    assert.ok(one && another);
    const page = window.overview();
    isFull = true;
    await page.continueWith(one);
    await page.execute();
    isFull = false;
    await page.continueWith(another);
    await page.execute();
    assert.deepEqual(page.statuses, ['finished']);
    const anHourLater = Date.now() + 3_600_000;
    const offered = window.jobs.interrupted(window.connection, anHourLater);
    assert.deepEqual(
      offered.map(({ job }) => job.id),
      [one.job.id],
    );
  });
});

suite('While one window executes a job', () => {
  /** It executes the first item; another has counted the items that are not sent yet. */
  async function counted(context: TestContext): Promise<TwoWindows & { readonly executing: Promise<void> }> {
    const stage = await planned(context);
    const { executing } = await firstRuns(stage.server, stage.job);
    const elsewhere = await stage.window.another(context);
    return { ...stage, executing, elsewhere, other: await continued(elsewhere) };
  }

  test('another one sends nothing of it twice that continues with an item that was sent', async (context) => {
    const { server, window, job, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sentTo(server).length === 1 ? 20 : 7, sentTo(server).length === 1);
    await job.until(() => job.items[1]?.status === 'running');
    await other.execute();
    assert.deepEqual([sentTo(server), other.statuses], [ASPECTS.slice(0, 2), ['notSent', 'notSent']]);
    assert.match(other.failing, /Nothing was deleted: another truncation of .* still running/);
    assert.deepEqual(await leftOnDisk(window), ['usage']);
    await other.job.countAgain();
    assert.deepEqual(
      other.items.map(({ state }) => state.draft.aspect),
      ['usage'],
    );
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([sentTo(server), await window.interruptedOnDisk()], [ASPECTS, []]);
  });

  test('it stops if another one continues first', async (context) => {
    const { server, window, job, executing, other } = await counted(context);
    server.taskStatus = () => taskStatus(sentTo(server).length === 1 ? 7 : 20, sentTo(server).length > 1);
    await Promise.all([other.execute(), executing]);
    assert.deepEqual(sentTo(server).toSorted(), ASPECTS.toSorted());
    assert.deepEqual(
      [job.statuses, other.statuses],
      [
        ['finished', 'notSent', 'notSent'],
        ['finished', 'finished'],
      ],
    );
    assert.deepEqual(await window.interruptedOnDisk(), []);
  });

  test('it stops if another one dismisses it', async (context) => {
    const { server, job, executing, elsewhere } = await counted(context);
    await elsewhere.jobs.dismissRest(left(elsewhere).job, Date.now());
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([job.statuses, sentTo(server).length], [['finished', 'notSent', 'notSent'], 1]);
  });
});

suite('Of two windows with the same interrupted job', () => {
  test('none sends what the other one has sent, if both continue at the same time', async (context) => {
    const { window, job, other, sent } = await bothCounted(context);
    await Promise.all([job.execute(), other.execute()]);
    assert.deepEqual(sent(), [...new Set(sent())]);
    const rest = await leftOnDisk(await window.another(context));
    assert.ok(!rest.some((aspect) => sent().includes(aspect)), 'no sent item is listed as not sent');
  });

  test('each repeats dry runs only of items that it still owns', async (context) => {
    const { server, window, job, other, sent } = await bothCounted(context);
    const { executing } = await firstRuns(server, other);
    await job.execute();
    assert.match(job.failing, /another truncation of .* still running/);
    await job.job.countAgain();
    assert.deepEqual([job.phase, job.items], ['choosing', []]);
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([sent(), window.asked.length], [ASPECTS, 1]);
  });
});

test('A page that failed to continue a job continues it once the disk has space again', async (context) => {
  const server = await scriptedServer(context);
  let isFull = false;
  const window = await RunningWindow.open(context, server.url, {
    folder: (real) => ({
      create: (name, text) => (isFull ? Promise.reject(new Error('ENOSPC')) : real.create(name, text)),
    }),
  });
  server.execute = refuse;
  const job = window.overview();
  await job.count([draftOf('operation')]);
  await job.execute();
  server.execute = accept;
  const page = await continued(window);
  isFull = true;
  await page.execute();
  isFull = false;
  await page.job.countAgain();
  await page.execute();
  assert.deepEqual([page.statuses, await leftOnDisk(window)], [['finished'], []]);
});

test('An interrupted job is for the server it was confirmed for: another one neither is offered it nor counts it', async (context) => {
  const { server, window, job } = await planned(context);
  server.execute = refuse;
  await job.execute();
  const page = await continued(window);
  const counted = server.dryRuns().length;
  const elsewhere = { id: window.connection.id, baseUrl: `${server.url}/elsewhere` };
  await window.change(elsewhere);
  await page.job.countAgain();
  assert.deepEqual(window.jobs.interrupted(elsewhere, Date.now()), []);
  assert.deepEqual([page.items.length, server.dryRuns().length], [0, counted]);
});
