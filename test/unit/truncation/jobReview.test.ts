import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CAUTION_KINDS, type Caution } from '../../../src/truncation/cautions.ts';
import { MAX_ITEMS } from '../../../src/truncation/jobState.ts';
import type { PlanDraft } from '../../../src/truncation/plan.ts';
import { reply } from '../service/wireServer.ts';
import { leaveTruncation } from './journals.ts';
import {
  ASPECTS,
  OLD,
  RunningWindow,
  draftOf,
  overviewOf,
  planned,
  reviewed,
  scriptedServer,
  sentTo,
  type ScriptedServer,
  type ShownJob,
} from './runningWindow.ts';
import { DAY, FINISHED, MAX_AGE, RECORD, dryRunText } from './samples.ts';

const UNREADABLE = 'The moon is full.';
/** The server chooses the strategy. */
const BY_SERVER: PlanDraft = { ...OLD, strategy: 'server' };
const CHECKPOINTS: PlanDraft = { ...OLD, entityType: 'dataJob', aspect: 'DatahubIngestionCheckpoint' };

function aspectsIn(items: ShownJob['items']): readonly string[] {
  return items.map(({ state }) => state.draft.aspect);
}

suite('Dry runs of a job', () => {
  test('run two at a time', async (context) => {
    let underWay = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const { server, job } = await overviewOf(context);
    server.dryRun = async () => {
      most = Math.max(most, ++underWay);
      if (underWay > 1) {
        both.resolve();
      }
      await both.promise;
      await new Promise(setImmediate);
      underWay--;
      return dryRunText(20, 201);
    };
    await job.count(ASPECTS.map(draftOf));
    assert.equal(most, 2);
    assert.deepEqual([...new Set(server.dryRuns().map(({ aspect }) => aspect))].toSorted(), ASPECTS.toSorted());
  });

  test('can be cancelled, which keeps finished counts and sends no more requests', async (context) => {
    const { server, job } = await overviewOf(context);
    const held = Promise.withResolvers<string>();
    server.dryRun = ({ aspect }) => (aspect === 'operation' ? dryRunText(20, 201) : held.promise);
    const counting = job.count([...ASPECTS, 'fourth'].map(draftOf));
    await job.until(() => job.items[0]?.state.phase === 'reviewed' && job.items[2]?.state.phase === 'dryRunning');
    job.job.cancel();
    await counting;
    held.resolve(dryRunText(1, 2));
    assert.deepEqual([job.phase, aspectsIn(job.job.plannedItems)], ['planned', ['operation']]);
    assert.ok(server.dryRuns().every(({ aspect }) => aspect !== 'fourth'));
  });

  test('are limited to as many indices as the question can list', async (context) => {
    const { server, job } = await overviewOf(context);
    await job.count(Array.from({ length: MAX_ITEMS + 1 }, (_, index) => draftOf(`aspect${index}`)));
    assert.deepEqual([job.phase, server.dryRuns()], ['choosing', []]);
  });

  for (const [why, text, reason = 'It can only be truncated alone.'] of [
    ['has no rows to delete', dryRunText(0, 201), 'No rows to delete'],
    ['has an unreadable response', UNREADABLE],
    ['would be reindexed', dryRunText(200, 201)],
    ['would be deleted from in an unknown way', dryRunText(20, 201).replace(/Issuing .*? request\. /, '')],
  ] as const) {
    test(`exclude an index that ${why}, with a reason`, async (context) => {
      const { server, job } = await overviewOf(context);
      // It can't be told to delete by query.
      server.isDataHub = false;
      server.dryRun = ({ aspect }) => (aspect === 'usage' ? text : dryRunText(20, 201));
      await job.count(ASPECTS.map(draftOf));
      assert.deepEqual(aspectsIn(job.job.plannedItems), ['operation', 'datasetprofile']);
      assert.equal(job.items[2]?.exclusion?.sentence, reason);
    });
  }

  test('exclude indices that the server refuses, with its reason', async (context) => {
    const { server, job } = await overviewOf(context);
    server.refusesDryRuns = true;
    await job.count(ASPECTS.map(draftOf));
    assert.deepEqual(job.job.plannedItems, []);
    assert.match(job.items[0]?.exclusion?.sentence ?? '', /refused/);
  });

  test('exclude an index that holds state, whatever the page requests', async (context) => {
    const { server, job } = await overviewOf(context);
    await job.count([draftOf('operation'), CHECKPOINTS]);
    const [operation, checkpoint] = job.items;
    assert.deepEqual(job.job.plannedItems, [operation]);
    assert.equal(checkpoint?.exclusion?.sentence, 'It can only be truncated alone.');
    await job.execute();
    assert.deepEqual(sentTo(server), ['operation']);
  });

  test('are repeated by a recipe or a scheduled job once they were sent, unless they failed', async (context) => {
    const { server, job } = await overviewOf(context);
    const repeated = (): readonly string[] => aspectsIn(job.items.filter(({ repeatable }) => repeatable));
    await job.count(['operation', 'unwanted', 'fails'].map(draftOf));
    job.tick(1, false);
    const countedAt = job.item.review?.at ?? Infinity;
    assert.deepEqual(repeated(), []);
    server.execute = (response, body) =>
      reply(response, 200, { value: body?.aspect === 'fails' ? 'Not today.' : 'node:1' });
    await job.execute();
    assert.deepEqual(repeated(), ['operation']);
    assert.ok((job.item.review?.at ?? 0) > countedAt, 'it was counted again');
    assert.equal(job.item.repeatable?.at, countedAt, 'the cutoff was so many days before its first count');
  });
});

suite('A dry run', () => {
  test('is refused if the server would not use the selected strategy', async (context) => {
    const { server, job } = await reviewed(context);
    server.dryRun = () => dryRunText(150, 201, 'reindex');
    job.item.edit({ ...OLD, strategy: 'deleteByQuery' });
    await job.item.dryRun();
    assert.equal(job.state.phase, 'editing');
    assert.match(job.failing, /wouldn't use the strategy you selected/);
  });

  test('that was confirmed may be older once it is the turn of its index, which is counted again', async (context) => {
    const off = { millis: 0 };
    const { server, job } = await planned(context, { clock: { now: () => Date.now() + off.millis } });
    server.execute = (response) => {
      off.millis += MAX_AGE + 1;
      server.answeredAt = Date.now() + off.millis;
      reply(response, 200, { value: 'node:1' });
    };
    await job.execute();
    assert.deepEqual(sentTo(server), ASPECTS);
  });
});

suite('A truncation needs a yes of its own', () => {
  /** Another dry run has others. */
  const ofResponse = new Set<Caution['kind']>(['unreadable', 'reindex', 'clock']);
  for (const [what, kinds, script, draft = OLD] of [
    ['a response dated 60 days ago', ['clock'], { answeredAt: Date.now() - 60 * DAY }],
    ['an unreadable report', ['unreadable'], { dryRun: () => UNREADABLE }, BY_SERVER],
    ['lost state', ['holdsState'], {}, CHECKPOINTS],
    ['a future cutoff, which leaves no row', ['future', 'noRowStays'], {}, { ...OLD, endTimeMillis: Date.now() + DAY }],
    ['one much younger than the last', ['muchYounger'], {}, { ...OLD, endTimeMillis: Date.now() - 9 * DAY }],
  ] as readonly (readonly [string, readonly Caution['kind'][], Partial<ScriptedServer>, PlanDraft?])[]) {
    test(`for ${what}, whatever the page sends`, async (context) => {
      const server = Object.assign(await scriptedServer(context), script);
      const window = await RunningWindow.open(context, server.url);
      const sentAt = Date.now() - DAY;
      const plan = { ...RECORD.plan, endTimeMillis: sentAt - (kinds.includes('muchYounger') ? 90 * DAY : 0) };
      const connectionId = window.connection.id;
      await leaveTruncation(window.jobs, { ...RECORD, connectionId, sentAt, plan, ending: FINISHED });
      const others = CAUTION_KINDS.filter((one) => !kinds.includes(one) || ofResponse.has(one));
      const job = await window.wizard({ ...draft, acceptedCautions: others });
      await job.item.dryRun();
      await job.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [0, 0]);
      job.item.edit({ ...job.state.draft, acceptedCautions: kinds });
      await job.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [1, 1]);
      assert.deepEqual(
        window.asked[0]?.items[0]?.cautions.map(({ kind }) => kind),
        kinds,
      );
    });
  }

  test('also for what another window has truncated since the dry run', async (context) => {
    const { server, window, job } = await reviewed(context, { ...OLD, endTimeMillis: Date.now() - 9 * DAY });
    const sentAt = Date.now() - DAY;
    const plan = { ...RECORD.plan, endTimeMillis: sentAt - 90 * DAY };
    const { jobs } = await window.another(context);
    await leaveTruncation(jobs, { ...RECORD, connectionId: window.connection.id, sentAt, plan, ending: FINISHED });
    await job.execute();
    assert.deepEqual([window.asked, sentTo(server)], [[], []]);
  });

  for (const [what, change] of [
    ['leaves no row', { dryRun: () => dryRunText(20, 20, 'deleteByQuery') }],
    ['has another date', { answeredAt: Date.now() - 3 * DAY }],
  ] as readonly (readonly [string, Partial<ScriptedServer>])[]) {
    test(`which nobody gave if the count right before ${what}`, async (context) => {
      const { server, window, job } = await reviewed(context);
      window.answer = () => Object.assign(server, change) !== undefined;
      await job.execute();
      assert.deepEqual([window.asked.length, server.executions().length, job.state.phase], [1, 0, 'reviewed']);
    });
  }
});

suite('Counting again', () => {
  test('takes every tick of a caution away', async (context) => {
    const { server, window, job } = await planned(context);
    server.dryRun = () => dryRunText(201, 201, 'deleteByQuery');
    const tickAll = (): void => job.items.forEach((_, place) => job.tick(place, true));
    await job.job.countAgain();
    await job.execute();
    assert.equal(window.asked.length, 0, 'nothing is ticked');
    job.tick(0, true, (job.item.review?.at ?? 0) - 1);
    assert.deepEqual(job.job.plannedItems, [], 'nor by a tick of the dry run before');
    tickAll();
    assert.equal(job.job.plannedItems.length, 3);
    job.tick(0, false);
    assert.equal(job.job.plannedItems.length, 2);
    tickAll();
    await window.signIn();
    await job.job.countAgain();
    await job.execute();
    assert.deepEqual([job.job.plannedItems, window.asked.length], [[], 0]);
    tickAll();
    await job.execute();
    assert.equal(window.asked.length, 1);
    assert.equal(sentTo(server)[0], 'operation');
  });
});

test('Before a cutoff in the future no row is dated later: none is counted as one to keep', async (context) => {
  const endTimeMillis = Date.now() + DAY;
  const acceptedCautions: PlanDraft['acceptedCautions'] = ['future', 'noRowStays'];
  const { server, window, job } = await reviewed(context, { ...OLD, endTimeMillis, acceptedCautions });
  server.dryRun = (body) => dryRunText(body.endTimeMillis < endTimeMillis ? 150 : 201, 201, 'deleteByQuery');
  job.item.edit(job.state.draft);
  await job.item.dryRun();
  job.item.edit({ ...job.state.draft, acceptedCautions });
  await job.execute();
  const [record] = await window.recordsOnDisk();
  assert.deepEqual(record?.baseline, { countedUpTo: endTimeMillis, kept: 0 });
});
