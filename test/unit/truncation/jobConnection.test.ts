import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { reply } from '../service/wireServer.ts';
import { OLD, RunningWindow, firstRuns, planned, reviewed, scriptedServer, sentTo } from './runningWindow.ts';

suite('A change of the connection', () => {
  test('by losing its credential, of which the connection shows nothing, discards the review', async (context) => {
    const { server, window, job } = await reviewed(context);
    await window.credentials.delete(window.connection.id);
    await job.execute();
    assert.deepEqual([job.state.phase, window.asked.length, sentTo(server)], ['editing', 0, []]);
    assert.equal(job.failing, 'The connection has changed since the dry run.');
  });

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
