import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FollowedTruncations } from '../../../src/truncation/watching/follow.ts';
import { statusOf } from '../../../src/truncation/sentTruncation.ts';
import { until } from '../../service/testClient.ts';
import { reply } from '../service/wireServer.ts';
import {
  ASPECTS,
  OLD,
  RunningWindow,
  firstRuns,
  planned,
  reviewed,
  scriptedServer,
  sentTo,
  taskStatus,
  type ScriptedServer,
} from './runningWindow.ts';
import { dryRunText, endProblem } from './samples.ts';

suite('Executing a job', () => {
  test('asks once about all indices, then counts each again and sends it once, in order, once it is on disk', async (context) => {
    const { server, window, job } = await planned(context);
    const onDisk: number[] = [];
    const counted = server.dryRuns().length;
    server.execute = async (response) => {
      onDisk.push((await window.recordsOnDisk()).length);
      reply(response, 200, { value: 'node:1' });
    };
    await Promise.all([job.execute(), job.execute()]);
    assert.deepEqual(
      window.asked.map(({ connection, items }) => [connection.baseUrl, items.map(({ review }) => review.plan.aspect)]),
      [[server.url, ASPECTS]],
    );
    assert.deepEqual([sentTo(server), onDisk], [ASPECTS, [1, 2, 3]]);
    assert.ok(server.dryRuns().length >= counted + 6, 'the rows up to now, and those to delete, of each');
    assert.deepEqual(job.statuses, ['finished', 'finished', 'finished']);
    assert.equal(job.phase, 'ended');
    assert.equal((await window.recordsOnDisk()).length, 3);
  });

  test('excludes deselected indices, sends nothing if the user declines, and can ask again', async (context) => {
    const { server, window, job } = await planned(context);
    job.tick(1, false);
    window.answer = () => false;
    await job.execute();
    assert.deepEqual([job.phase, sentTo(server), await window.recordsOnDisk()], ['planned', [], []]);
    window.answer = () => true;
    await job.execute();
    assert.deepEqual(sentTo(server), ['operation', 'usage']);
  });

  test('tells of a task whose page was closed before the response, once it has ended', async (context) => {
    const { server, window, job } = await planned(context);
    const ended: string[] = [];
    const followed = new FollowedTruncations({
      watch: window.watch,
      jobs: window.jobs,
      isTreeVisible: () => false,
      isOnPage: () => false,
      notifyEnded: ({ plan }) => ended.push(plan.aspect),
    });
    context.after(() => followed.dispose());
    window.concluded = (record) => followed.concluded(record);
    server.taskStatus = () => taskStatus(7, false);
    server.execute = (response) => {
      job.job.dispose();
      reply(response, 200, { value: 'node:1' });
    };
    await job.execute();
    assert.deepEqual([sentTo(server).length, ended], [1, []]);
    server.taskStatus = () => taskStatus(20, true);
    await until('its end', () => ended.length > 0);
    assert.deepEqual(ended, ['operation']);
  });
});

suite('A job of one', () => {
  test('is on disk before it is sent, and is not waited for', async (context) => {
    const { server, window, job } = await reviewed(context);
    let shown: unknown;
    server.execute = async (response) => {
      const [record] = await window.recordsOnDisk();
      shown = record && [record.taskId, statusOf(record, Date.now())];
      reply(response, 200, { value: 'node:1' });
    };
    await job.execute();
    assert.deepEqual([job.state.phase, shown], ['running', [undefined, 'sending']]);
    const [record] = await window.recordsOnDisk();
    assert.partialDeepStrictEqual(record, { taskId: 'node:1', baseUrl: server.url });
    assert.deepEqual([record?.callerUrn, record?.actorUrn], [undefined, window.connection.actorUrn]);
    assert.equal(job.item.record?.id, record?.id);
    job.job.startOver(OLD);
    assert.equal(job.item.record, undefined);
  });

  test('that the server refuses is reported while its page still knows it', async (context) => {
    const { server, window, job } = await reviewed(context);
    server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    const known: boolean[] = [];
    window.concluded = ({ id }, refusal) => known.push(job.item.record?.id === id && refusal !== undefined);
    await job.execute();
    assert.deepEqual([known, job.item.record, job.state.phase], [[true], undefined, 'failed']);
  });

  test('stores the user that the server names, whom the connection follows', async (context) => {
    const server = await scriptedServer(context);
    server.caller = 'urn:li:corpuser:somebody-else';
    const window = await RunningWindow.open(context, server.url);
    const job = await window.wizard(OLD);
    await job.item.dryRun();
    await until('a question', () => server.requests.some(({ path }) => path.endsWith('/graphql')));
    // The run does not wait for the answer: a user takes longer to confirm.
    await window.services.get(window.connection).server.callerActorUrn();
    await job.execute();
    const [record] = await window.recordsOnDisk();
    assert.deepEqual([record?.callerUrn, record?.actorUrn], [server.caller, server.caller]);
  });

  test('accepts a confirmation only for the current question, not for one after it was withdrawn', async (context) => {
    const { server, window, job } = await reviewed(context);
    const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    window.answer = () => (window.asked.length === 1 ? first : second).promise;
    const executing = [job.execute()];
    await until('the first question', () => window.asked.length === 1);
    await window.setRole('production');
    server.dryRun = () => dryRunText(150, 201, 'deleteByQuery');
    await job.item.dryRun();
    executing.push(job.execute());
    await until('the second question', () => window.asked.length === 2);
    first.resolve(true);
    await executing[0];
    assert.deepEqual([sentTo(server), job.state.phase], [[], 'confirming']);
    second.resolve(false);
    await Promise.all(executing);
    assert.deepEqual([sentTo(server), job.state.phase], [[], 'reviewed']);
  });
});

suite('The rest of a job is not sent', () => {
  /** Server behaviour for the second item, and what the journal says of it then. */
  const STOPS: readonly (readonly [
    what: string,
    status: string,
    stored: string,
    sentence: RegExp,
    happens: (server: ScriptedServer) => unknown,
  ])[] = [
    [
      'an index has more rows than were shown',
      'notSent',
      'planned',
      /^$/,
      (server) => (server.dryRun = ({ aspect }) => dryRunText(aspect === 'usage' ? 20 : 21, 201)),
    ],
    [
      'an index cannot be counted again',
      'notSent',
      'planned',
      /^Nothing was deleted: .*refused/,
      (server) => (server.refusesDryRuns = true),
    ],
    [
      'the server refuses a truncation',
      'failed',
      'refused',
      /Not today\./,
      (server) => (server.execute = (response) => reply(response, 200, { value: 'Not today.' })),
    ],
    [
      'a task ends early',
      'failed',
      'sent',
      /17 rows left/,
      (server) => {
        const counts = server.dryRun;
        server.taskStatus = () => taskStatus(3, true);
        server.dryRun = (body) => (body.aspect === 'datasetprofile' ? dryRunText(17, 198) : counts(body));
      },
    ],
  ];
  for (const [what, status, stored, sentence, happens] of STOPS) {
    test(`if ${what}, and the journal says which were sent`, async (context) => {
      const { server, window, job } = await planned(context);
      void job.until(() => job.items[0]?.status === 'finished').then(() => happens(server));
      let shown: readonly string[] = [];
      job.job.onDidChange(() => (shown = job.statuses));
      await job.execute();
      // As of the last change event.
      assert.deepEqual(shown, ['finished', status, 'notSent']);
      assert.match(job.sentences[1] ?? '', sentence);
      assert.ok(!sentTo(server).includes('usage'));
      assert.equal((await window.recordsOnDisk()).length, stored === 'sent' ? 2 : 1);
    });
  }

  test('if the user stops it, but the running truncation finishes and reports its end', async (context) => {
    const { server, window, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    job.job.stop();
    await executing;
    assert.deepEqual([job.phase, job.statuses], ['ended', ['running', 'notSent', 'notSent']]);
    server.taskStatus = () => taskStatus(20, true);
    const record = job.item.record ?? assert.fail();
    // Rows are counted repeatedly before an end is accepted.
    while (window.jobs.get(record.connectionId, record.id)?.ending === undefined) {
      await window.watch.checkNow(record);
    }
    assert.deepEqual([job.item.status, sentTo(server).length], ['finished', 1]);
  });

  test('if the page is closed while a task runs', async (context) => {
    const { server, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    job.job.dispose();
    await executing;
    assert.equal(sentTo(server).length, 1);
  });

  for (const [moment, open, isAsked, told] of [
    ['the question is open', reviewed, true, 1],
    ['the question about several is open, which the page says itself', planned, true, 0],
    ['its rows are counted again', reviewed, false, 1],
  ] as const) {
    test(`if the page is closed while ${moment}`, async (context) => {
      const { server, window, job } = await open(context);
      const { dryRun } = server;
      const close = (): true => (job.job.dispose(), true);
      window.answer = () => !isAsked || close();
      server.dryRun = (body) => {
        close();
        return dryRun(body);
      };
      await job.execute();
      assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
      assert.deepEqual(window.closedUnderQuestion, Array(told).fill(window.connection.name));
    });
  }
});

suite('A failed answer', () => {
  test('of a reindex that hid rows blocks the index, in any spelling, until the record is forgotten', async (context) => {
    const { server, window, job } = await reviewed(context);
    server.execute = (response) => {
      server.dryRun = () => dryRunText(0, 3);
      reply(response, 400, { exceptionClass: 'x', message: 'Async reindex failed', status: 400 });
    };
    await job.execute();
    const [record = assert.fail()] = await window.recordsOnDisk();
    assert.deepEqual([record.ending?.kind === 'unknown' && record.ending.hidesRows, record.readers?.kept], [true, 0]);
    assert.match(endProblem(record).next ?? '', /administrator the requests/);
    server.dryRun = () => dryRunText(1, 3, 'deleteByQuery');
    const next = await window.wizard({ ...OLD, aspect: OLD.aspect.toUpperCase() });
    await next.item.dryRun();
    await next.execute();
    assert.deepEqual([window.asked.length, sentTo(server).length], [1, 1]);
    assert.match(next.failing, /^An earlier reindex/);
    await window.jobs.dismiss(record, Date.now());
    await next.execute();
    assert.equal(sentTo(server).length, 2);
  });
});

test(
  'A job that waits for a task sends no more once the user forgets that truncation',
  { timeout: 60_000 },
  async (context) => {
    const { server, window, job } = await planned(context);
    const { executing } = await firstRuns(server, job);
    await window.jobs.dismiss(job.item.record ?? assert.fail(), Date.now());
    await executing;
    assert.equal(sentTo(server).length, 1);
  },
);
