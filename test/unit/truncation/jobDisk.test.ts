import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Folder } from '../../../src/platform/folder.ts';
import { until } from '../../service/testClient.ts';
import { ASPECTS, firstRuns, planned, reviewed, sentTo, taskStatus, type Stage } from './runningWindow.ts';
import { MINUTE } from './samples.ts';

suite('A disk that fails before anything is sent', () => {
  for (const [what, open] of [
    ['the only index', reviewed],
    ['several indices', planned],
  ] as const) {
    test(`lets nothing of ${what} be sent that can't be stored first`, async (context) => {
      const disk = { isFull: false };
      const create =
        (real: Folder): Folder['create'] =>
        (name, text) =>
          disk.isFull ? Promise.reject(new Error('No space is left.')) : real.create(name, text);
      const folder = (real: Folder): Partial<Folder> => ({ create: create(real) });
      const { server, window, job } = await (open === planned
        ? planned(context, { folder })
        : reviewed(context, undefined, { folder }));
      disk.isFull = true;
      await job.execute();
      assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
      assert.match(job.failing, /Nothing was deleted: .* couldn't be recorded/);
    });
  }

  test('leaves no record if it reports a failure of what is stored', async (context) => {
    const { server, window, job } = await reviewed(context);
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = async (...all) => {
      await create(...all);
      throw new Error('The disk is gone.');
    };
    await job.execute();
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
    assert.match(job.failing, /Nothing was deleted/);
  });
});

suite('A disk that is slow', () => {
  test('while the page is closed lets nothing be sent, and the user is told', async (context) => {
    const [hangs, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let willHang = false;
    const { server, window, job } = await reviewed(context, undefined, {
      folder: (real) => ({
        readAll: async () => {
          if (willHang) {
            willHang = false;
            hangs.resolve();
            await released.promise;
          }
          return real.readAll();
        },
      }),
    });
    job.job.onDidChange(() => (willHang ||= job.state.phase === 'executing' && job.state.step === 'sent'));
    const executing = job.execute();
    await hangs.promise;
    job.job.dispose();
    released.resolve();
    await executing;
    assert.deepEqual([sentTo(server), await window.recordsOnDisk(), window.closedUnderQuestion.length], [[], [], 1]);
  });

  test('for longer than a minute lets nothing be sent, even if the clock went back, and the user is asked again', async (context) => {
    const late = { monotonic: 0 };
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late.monotonic };
    const { server, window, job } = await reviewed(context, undefined, { clock });
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = (...all) => {
      late.monotonic += 2 * MINUTE;
      return create(...all);
    };
    await job.execute();
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
    assert.match(job.failing, /Preparing the request took too long/);
    assert.equal(window.asked.length, 2, 'once');
  });
});

suite('A disk that fails while a job is sent', () => {
  /** The line that is torn: part of it is written. */
  async function torn(context: TestContext, kind: string): Promise<Stage> {
    let isTorn = false;
    return planned(context, {
      folder: (real) => ({
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
    test(`sends no more if the line "${kind}" is torn, blocks no index, and sends the rest after new dry runs`, async (context) => {
      const { server, window, job } = await torn(context, kind);
      await job.execute();
      assert.deepEqual([sentTo(server), (await window.recordsOnDisk()).length], [ASPECTS.slice(0, 1), 1]);
      assert.match(job.sentences[1] ?? '', /couldn't be recorded/);
      await job.job.countAgain();
      await job.execute();
      assert.deepEqual(sentTo(server), ASPECTS);
    });
  }

  test('shows a task that could not be stored, and sends none of the rest', async (context) => {
    const { server, window, job } = await torn(context, 'task');
    server.taskStatus = () => taskStatus(7, false);
    const executing = job.execute();
    // No event of the job follows it.
    await until('the notice', () => window.notStored > 0);
    job.job.stop();
    await executing;
    assert.deepEqual([sentTo(server).length, window.notStored, job.item.status], [1, 1, 'running']);
    assert.equal((await window.recordsOnDisk()).length, 1);
  });

  test('says that a truncation is not sent whose journal could not be read', async (context) => {
    let isHidden = false;
    const { server, window, job } = await planned(context, {
      folder: (real) => ({
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
    assert.deepEqual([sentTo(server), await window.recordsOnDisk()], [[], []]);
  });
});

suite("A truncation whose file can't be read", () => {
  test('blocks jobs of its connection, and says so, until it is forgotten', async (context) => {
    const { server, window, job } = await planned(context);
    const id = await window.leaveUnreadable();
    await job.execute();
    assert.deepEqual([window.asked, sentTo(server)], [[], []]);
    job.sentences.forEach((sentence) =>
      assert.match(sentence, /The file of a truncation of this connection can't be read/),
    );
    await window.jobs.remove({ connectionId: window.connection.id, id });
    await job.job.countAgain();
    await job.execute();
    assert.deepEqual(sentTo(server), ASPECTS);
  });

  test('blocks the rest of a job that another window damages meanwhile, and no other connection', async (context) => {
    const { server, window, job } = await planned(context);
    await window.leaveUnreadable(crypto.randomUUID());
    const { executing } = await firstRuns(server, job);
    await window.leaveUnreadable();
    server.taskStatus = () => taskStatus(20, true);
    await executing;
    assert.deepEqual([job.statuses, sentTo(server).length], [['finished', 'notSent', 'notSent'], 1]);
    assert.match(job.sentences[1] ?? '', /can't be read/);
  });
});
