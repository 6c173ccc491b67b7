import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { removeConnection } from '../../../../src/connections/removal.ts';
import { taskEndTime } from '../../../../src/truncation/sentTruncation.ts';
import { TaskWatch } from '../../../../src/truncation/watching/watch.ts';
import { windowOn } from '../../connections/window.ts';
import { Memory } from '../../memory.ts';
import { SteppedClock } from '../../steppedClock.ts';
import { leaveTruncation } from '../journals.ts';
import { FAILED, FINISHED, MINUTE, NOW, REINDEX, TASK_ID } from '../samples.ts';
import { BASELINE, jobOf, laterThan, nextTimer, task, watching } from './watchedServer.ts';

const CLEAN = { ...FINISHED, readers: 'clean' } as const;

suite('Watched truncations', () => {
  test('are checked at growing intervals if the rows can no longer be counted', async (context) => {
    const { server, look, asked, watch, clock } = await watching(context);
    await look();
    server.isDown = true;
    await look();
    const before = asked().length;
    const looking = watch.keepWatching();
    // The timer of the next look starts once a look is over.
    await nextTimer(clock);
    for (let seconds = 0; seconds < 300; seconds++) {
      clock.advance(1_000);
      await nextTimer(clock);
    }
    looking.dispose();
    const requests = asked().length - before;
    assert.ok(requests >= 10 && requests < 60, String(requests));
  });

  test('are followed by others while the response may come, until rows were counted often enough', async (context) => {
    const { window, watch, clock, record, stored } = await watching(context, { sentAt: NOW, taskId: undefined });
    await leaveTruncation(window.jobs, record);
    const looking = watch.keepWatching();
    context.after(() => looking.dispose());
    await window.jobs.load();
    await watch.checkNow(record);
    for (let count = 1; count < 5; count++) {
      await nextTimer(clock);
      const counted = new Promise((resolve) => watch.onDidChange(resolve));
      clock.advance(2_500);
      await counted;
    }
    assert.deepEqual(stored()?.ending, CLEAN);
  });

  test('are those that a viewer shows: no request is sent for others', async (context) => {
    const { window, watch, clock, record, shown, asked } = await watching(context);
    await leaveTruncation(window.jobs, { ...record, id: `${crypto.randomUUID()}.0`, taskId: 'node:2' });
    await leaveTruncation(window.jobs, record);
    const looked = new Promise((resolve) => watch.onDidChange(resolve));
    const looking = watch.keepWatching(record.id);
    await nextTimer(clock);
    clock.advance(1_000);
    await looked;
    looking.dispose();
    assert.deepEqual([...new Set(shown.map(({ id }) => id))], [record.id]);
    assert.ok(asked().includes('getEsTaskStatus'));
  });

  test('are not judged again after another truncation of the index', async (context) => {
    const { window, watch, clock, record } = await watching(context, { ending: FAILED, endedAt: 1 });
    await leaveTruncation(window.jobs, record);
    await leaveTruncation(window.jobs, laterThan(record, { ending: CLEAN }));
    const looking = watch.keepWatching();
    watch.judgeAgain({ id: record.connectionId, baseUrl: record.baseUrl }, record.plan);
    assert.equal(clock.waiting, 0);
    looking.dispose();
  });
});

suite('A look at a truncation', () => {
  test('yields the time without progress, and whether there ever was any', async (context) => {
    const { server, look, watch, record, clock } = await watching(context);
    const seen = (): object | undefined => watch.lastPoll(record.id)?.progress?.seen;
    const counted = async (deleted: number, times = 1): Promise<number> => {
      server.task = task(false, { deleted });
      await look(times, MINUTE);
      return clock.now();
    };
    const first = await counted(5);
    await counted(5, 2);
    assert.deepEqual(seen(), { at: clock.now(), since: first, hasMoved: false, isReported: true });
    const moved = await counted(6);
    assert.deepEqual(seen(), { at: moved, since: moved, hasMoved: true, isReported: true });
    await counted(4);
    const still = { at: clock.now(), since: moved, hasMoved: true, isReported: true };
    assert.deepEqual(seen(), still, 'fewer is no progress');
  });

  test('does not claim that the server reports a running task if it only counts rows', async (context) => {
    const { server, look, watch, record, clock } = await watching(context, {
      taskId: '3b241101-e2bb-4255-8caf-4136c566a962',
    });
    server.toDelete = 15;
    await look(2, MINUTE);
    const since = clock.now() - MINUTE;
    assert.deepEqual(watch.lastPoll(record.id)?.progress?.seen, {
      at: clock.now(),
      since,
      hasMoved: false,
      isReported: false,
    });
  });

  for (const [what, change, count] of [
    ['without a response', { taskId: undefined }, { toDelete: 7, kept: BASELINE.kept }],
    ['that is lost', { taskId: undefined, ending: { kind: 'unknown', reason: 'lost' }, endedAt: NOW }, { toDelete: 7 }],
    ['that failed', { ending: FAILED, taskEnd: { kind: 'short' }, endedAt: NOW }, { toDelete: 7 }],
  ] as const) {
    test(`${what} is described with its time and counts, each time`, async (context) => {
      const { server, look, watch, record, clock } = await watching(context, change);
      server.toDelete = 7;
      assert.equal(watch.lastPoll(record.id), undefined);
      for (let times = 0; times < 2; times++) {
        await look();
        assert.partialDeepStrictEqual(watch.lastPoll(record.id), { at: clock.now(), count });
      }
      server.isDown = true;
      await look();
      assert.partialDeepStrictEqual(watch.lastPoll(record.id), { at: clock.now(), count: 'notCounted' });
    });
  }

  test('has a time even if it only asks for a task, or the connection points elsewhere', async (context) => {
    const { server, look, watch, record, clock, window } = await watching(context);
    server.task = task(false, { deleted: 5 });
    await look();
    assert.deepEqual([watch.lastPoll(record.id)?.at, watch.lastPoll(record.id)?.count], [clock.now(), undefined]);
    const other = { ...record, id: `${crypto.randomUUID()}.0`, baseUrl: 'https://staging.example.com' };
    await leaveTruncation(window.jobs, other);
    await watch.checkNow(other);
    assert.deepEqual([watch.lastPoll(other.id)?.at, watch.lastPoll(other.id)?.count], [clock.now(), undefined]);
  });

  test('is offered while it may change the end, which is not after a later truncation', async (context) => {
    const { window, watch, record, clock } = await watching(context);
    clock.advance(MINUTE);
    const failed = { ...record, ending: FAILED, endedAt: NOW };
    await leaveTruncation(window.jobs, failed);
    for (const [one, canCheck] of [
      [record, true],
      [failed, true],
      [{ ...record, ending: { ...FINISHED, readers: 'rowsLeft' } }, true],
      [{ ...record, ending: { ...FINISHED, readers: 'notChecked' } }, true],
      [{ ...record, ending: CLEAN }, false],
    ] as const) {
      assert.equal(watch.canCheck(one), canCheck, JSON.stringify(one.ending));
    }
    await leaveTruncation(window.jobs, laterThan(record));
    assert.equal(watch.canCheck(failed), false);
    assert.equal(watch.canCheck(record), true, 'its task can still be asked for');
    assert.equal(watch.canCheck({ ...failed, report: REINDEX }), true, 'it keeps its index from being truncated');
  });

  test('sends no request if the truncation is as planned, was forgotten, or its connection was removed', async (context) => {
    const { window, watch, record, asked, shown } = await watching(context);
    await watch.checkNow(record);
    await leaveTruncation(window.jobs, { ...record, ending: CLEAN, endedAt: NOW });
    await watch.checkNow(record);
    assert.deepEqual(shown.at(-1)?.ending, CLEAN);
    await leaveTruncation(window.jobs, laterThan(record));
    await window.store.remove(record.connectionId);
    await watch.checkNow(laterThan(record));
    assert.deepEqual(asked(), []);
  });
});

suite('What is stored by a look', () => {
  for (const [what, more, runTimeMillis] of [
    ['the run time from the server, however late the end is seen', { runTimeNanos: 90e9 }, 90_000],
    ['no end if the server reports none', {}, undefined],
  ] as const) {
    test(`is ${what}`, async (context) => {
      const { server, look, record } = await watching(context);
      server.task = task(true, { deleted: 20 }, more);
      const stored = (await look(5)) ?? assert.fail();
      assert.deepEqual(stored.readers, { at: stored.endedAt, toDelete: 0, kept: BASELINE.kept });
      assert.equal(stored.runTimeMillis, runTimeMillis);
      assert.equal(taskEndTime(stored), runTimeMillis && record.sentAt + runTimeMillis);
    });
  }

  test('is the same after each equal count', async (context) => {
    const { server, look } = await watching(context);
    server.toDelete = 3;
    const first = await look(12, MINUTE);
    const second = await look(2, MINUTE);
    assert.equal(second?.readers?.at, first?.readers?.at);
  });

  test('has the reason of a full disk if the window is reloaded before the task is forgotten', async (context) => {
    const { server, look, window, record, stored } = await watching(context);
    Object.assign(server, { task: task(false, { retries: { bulk: 7, search: 0 } }), toDelete: 20 });
    await look();
    server.task = { error: `Could not get task status for ${TASK_ID}` };
    const clock = new SteppedClock(NOW + MINUTE);
    const reloaded = new TaskWatch(window.jobs, window.services, window.store, clock);
    context.after(() => reloaded.dispose());
    for (let time = 0; time < 6; time++) {
      clock.advance(10_000);
      await reloaded.checkNow(record);
    }
    assert.partialDeepStrictEqual(stored()?.ending, { kind: 'failed', reason: 'writesRefused' });
  });
});

test('An end that the disk has no space for is shown all the same', async (context) => {
  const { window, record, shown, look } = await watching(context);
  await leaveTruncation(window.jobs, record);
  await window.jobs.load();
  context.mock.method(window.jobs, 'saveCounted', () => Promise.reject(new Error('ENOSPC')));
  await assert.rejects(look(5), /ENOSPC/);
  assert.ok(shown.some(({ taskEnd }) => taskEnd !== undefined));
});

suite('What another window does', () => {
  test('is known to a look: the response may have come, and this window is not notified', async (context) => {
    const change = { sentAt: NOW, taskId: undefined };
    const { window, shared, watch, record, asked, stored } = await watching(context, change);
    await leaveTruncation(window.jobs, record);
    await window.jobs.load();
    const other = windowOn({ ...shared, memory: new Memory() });
    await other.jobs.load();
    await other.jobs.append(jobOf(record), { kind: 'task', at: NOW, item: 0, taskId: TASK_ID });
    await watch.checkNow(record);
    assert.ok(asked().includes('getEsTaskStatus'));
    assert.equal(stored()?.taskId, TASK_ID);
  });

  test('ends a problem of watching, once it stored the end', async (context) => {
    const { server, watch, window, record, look } = await watching(context);
    server.isDown = true;
    await look(2);
    assert.ok(watch.lastPoll(record.id)?.problem);
    await window.jobs.append(jobOf(record), { kind: 'ended', at: NOW, item: 0, ending: CLEAN, endedAt: NOW });
    await look();
    assert.equal(watch.lastPoll(record.id)?.problem, undefined);
  });

  test('is not undone if it judges the end during a look that is behind', async (context) => {
    const { shared, server, look, record } = await watching(context);
    server.counted = async () => {
      const taskEnd = { kind: 'whole', done: 20, total: 20, versionConflicts: 0 } as const;
      const end = { kind: 'ended', at: NOW, item: 0, taskEnd, ending: CLEAN, endedAt: NOW } as const;
      await windowOn(shared).jobs.append(jobOf(record), end);
    };
    assert.deepEqual((await look())?.ending, CLEAN);
  });

  test('is not undone if it forgets the truncation during a look', async (context) => {
    const { shared, server, look, record } = await watching(context);
    await look(4);
    server.counted = () => windowOn(shared).jobs.dismiss(record, NOW);
    assert.equal(await look(), undefined);
  });

  test('is not undone if it removes the connection during a look', async (context) => {
    const { window, shared, server, look, record } = await watching(context);
    await look(4);
    let removal: Promise<void> | undefined;
    server.counted = () => {
      const other = windowOn(shared);
      const forgetConnection = (id: string): Promise<void> => other.jobs.forgetConnection(id);
      removal ??= removeConnection({ ...other, forgetConnection }, record.connectionId);
      return removal;
    };
    await look();
    // Removing the connection aborts its requests, so the look ends first.
    await removal;
    await window.jobs.reload();
    assert.deepEqual(window.jobs.of(record.connectionId), []);
  });
});

test('A truncation is not judged by rows that another window begins to delete during a look', async (context) => {
  const ending = { ...FINISHED, readers: 'rowsLeft', rowsLeft: 3 } as const;
  const change = { report: REINDEX, ending, taskEnd: { kind: 'whole' }, endedAt: NOW } as const;
  const { shared, server, look, record } = await watching(context, change);
  const later = laterThan(record);
  server.counted = async () => void (await leaveTruncation(windowOn(shared).jobs, later));
  assert.deepEqual((await look())?.ending, ending);
});
