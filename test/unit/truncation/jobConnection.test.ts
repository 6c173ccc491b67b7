import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { reply } from '../service/wireServer.ts';
import {
  OLD,
  RunningWindow,
  firstRuns,
  planned,
  reviewed,
  scriptedServer,
  sentTo,
  type ScriptedServer,
  type Stage,
} from './runningWindow.ts';
import { dryRunText } from './samples.ts';

suite('A change of the connection', () => {
  /** What the user is told that has changed. */
  const CHANGES: readonly (readonly [
    how: string,
    subject: string,
    change: (stage: Stage, other: ScriptedServer) => Promise<unknown>,
  ])[] = [
    [
      'to another path of the same origin',
      "The connection's address",
      ({ window }) => window.change({ baseUrl: `${window.connection.baseUrl}/production` }),
    ],
    ['to another server', "The connection's address", ({ window }, { url }) => window.change({ baseUrl: url })],
    [
      'to another actor',
      "The connection's user",
      ({ window }) => window.change({ typedUser: 'urn:li:corpuser:other' }),
    ],
    ['to another product', 'The connection', ({ window }) => window.change({ product: 'Service' })],
    [
      'of its consent',
      'The connection',
      ({ window }) => window.change({ plainHttpOrigin: new URL(window.connection.baseUrl).origin }),
    ],
    ['by another sign-in', 'The sign-in', ({ window }) => window.signIn()],
    ['to production', "The connection's role", ({ window }) => window.setRole('production')],
    ['to read-only', "The connection's role", ({ window }) => window.setRole('readOnly')],
    ['by signing out', 'The sign-in', ({ window }) => window.credentials.signOut(window.connection)],
    ['by losing its credential', 'The sign-in', ({ window }) => window.credentials.delete(window.connection.id)],
    ['by being removed', 'The connection', ({ window }) => window.remove()],
  ];

  for (const [how, subject, change] of CHANGES) {
    for (const moment of ['before', 'while the question is open', 'during the repeated count'] as const) {
      test(`${how} ${moment} discards the review and executes nothing`, async (context) => {
        const stage = await reviewed(context);
        const { server, window, job } = stage;
        const other = await scriptedServer(context);
        let changed: Promise<unknown> | undefined;
        const happen = async (now: typeof moment): Promise<true> => {
          await (now === moment && (changed ??= change(stage, other)));
          return true;
        };
        await happen('before');
        window.answer = () => happen('while the question is open');
        server.dryRun = () => happen('during the repeated count').then(() => dryRunText(20, 201));
        await job.execute();
        await changed;
        assert.deepEqual([job.state.phase, window.asked.length], ['editing', moment === 'before' ? 0 : 1]);
        const nothing = moment === 'before' ? '' : 'Nothing was deleted. ';
        assert.equal(job.failing, `${nothing}${subject} has changed since the dry run.`);
        assert.deepEqual([sentTo(server), sentTo(other), await window.recordsOnDisk()], [[], [], []]);
      });
    }
  }

  for (const [what, change] of [
    ['changes', (window: RunningWindow) => window.setRole('production')],
    ['is removed', (window: RunningWindow) => window.remove()],
  ] as const) {
    test(`of several: the rest is not sent if the connection ${what} while a task runs`, async (context) => {
      const { server, window, job } = await planned(context);
      const { executing } = await firstRuns(server, job);
      await change(window);
      await executing;
      assert.deepEqual([job.phase, job.statuses], ['ended', ['running', 'notSent', 'notSent']]);
      assert.equal(sentTo(server).length, 1);
    });
  }

  test('to read-only allows dry runs, but an execution asks nothing and sends nothing', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    await window.setRole('readOnly');
    const job = await window.wizard(OLD);
    await job.item.dryRun();
    assert.equal(job.state.phase, 'reviewed');
    const counted = server.dryRuns().length;
    await job.execute();
    assert.equal(job.state.phase, 'reviewed');
    assert.match(job.failing, /read-only/);
    assert.deepEqual([window.asked.length, server.dryRuns().length, sentTo(server)], [0, counted, []]);
  });

  test('while a truncation is being written takes it back, and sends nothing', async (context) => {
    const { server, window, job } = await reviewed(context, undefined, {
      folder: (real) => ({
        create: async (name, text) => {
          await window.setRole('production');
          return real.create(name, text);
        },
      }),
    });
    await job.execute();
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
    assert.match(job.failing, /^Nothing was deleted\. The connection's role has changed/);
  });

  test('while a question is checked withdraws that one, and not the next one', async (context) => {
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
    window.answer = async () => {
      released.resolve();
      await first;
      return true;
    };
    await job.execute();
    assert.deepEqual([window.asked.length, sentTo(server).length], [1, 3]);
  });
});

suite('A connection that is removed', () => {
  for (const where of ['here', 'in another window'] as const) {
    test(`${where} while the response is awaited leaves no record`, async (context) => {
      const { server, window, job } = await reviewed(context);
      const remover = where === 'here' ? window : await window.another(context);
      const removed = Promise.withResolvers<void>();
      server.execute = (response) => {
        void remover.remove().then(() => {
          reply(response, 200, { value: 'node:1' });
          removed.resolve();
        });
      };
      await job.execute();
      await removed.promise;
      assert.deepEqual(await window.recordsOnDisk(), []);
    });
  }

  test('while the job is being stored, and its files cannot be read for a moment, leaves no file', async (context) => {
    let isStored = false;
    let failed = 0;
    const { server, window, job } = await planned(context, {
      folder: (real) => ({
        create: async (name, text) => {
          // Its jobs were forgotten before.
          await window.store.remove(window.connection.id);
          return (isStored = await real.create(name, text));
        },
      }),
      connectionsFolder: (real) => ({
        readAll: () =>
          isStored && failed++ === 0 ? Promise.reject(new Error('The disk does not answer.')) : real.readAll(),
      }),
    });
    await job.execute();
    assert.ok(isStored && failed > 0);
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
  });

  test('in another window while the question is open leaves no record', async (context) => {
    const { server, window, job } = await planned(context);
    window.answer = async () => {
      await (await window.another(context)).remove();
      return true;
    };
    await job.execute();
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
  });
});

test('A connection whose file cannot be read once the response is there keeps the record', async (context) => {
  let isUnreadable = false;
  const { server, window, job } = await reviewed(context, undefined, {
    connectionsFolder: (real) => ({
      readAll: async () => {
        const files = await real.readAll();
        return isUnreadable ? new Map([...files.keys()].map((name) => [name, undefined])) : files;
      },
    }),
  });
  server.execute = (response) => {
    isUnreadable = true;
    reply(response, 200, { value: 'node:1' });
  };
  await job.execute();
  assert.partialDeepStrictEqual(await window.recordsOnDisk(), [{ taskId: 'node:1' }]);
});
