// Only one run at a time, also after one that was killed.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
import { DRY_RUN, executions, holdAnswer, rowCount } from './rows.ts';
import type { Job, RunningJob } from './script.ts';
import { DASH } from './shells.ts';
import { now, tableOf, testsIn, type Table } from './situations.ts';

const HOUR_SECONDS = 3600;

/** Exit 75: one run at a time, also after one that was killed. */
const LOCK: Table = {
  'held by another run is left to it, with the owner and the time named': async (make) => {
    const { service, job } = await make();
    const since = now() - 60;
    await hold(job, `${since} 4711`);
    const { code, stderr } = await job.execute();
    const lock = join(job.stateFolder, 'lock');
    assert.equal(stderr, `Another run, process 4711, has held ${lock} since ${since} (Unix time).\n`);
    assert.deepEqual([code, service.requests.length, await lockOf(job)], [75, 0, ['since']]);
  },
  'of a run that was asked to end is gone': async (make) => {
    const { service, job } = await make();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const { running, release } = await heldRun(service, job);
      running.kill(signal);
      release();
      assert.equal((await running.end).code, 5, signal);
      assert.deepEqual([await lockOf(job), executions(service).length], [null, 0], signal);
    }
    assert.equal((await job.execute()).code, 0);
  },
  'older than the longest run and an hour is taken over, and gone afterwards': async (make) => {
    const { service, job } = await make({ maxHours: 2 });
    await hold(job, `${now() - 3 * HOUR_SECONDS + 60} 4711`);
    assert.equal((await job.execute()).code, 75);
    await hold(job, `${now() - 3 * HOUR_SECONDS} 4711`);
    assert.deepEqual([(await job.execute()).code, await lockOf(job), rowCount(service)], [0, null, 180]);
  },
  'dated by nothing or by anything but a number is dated by the run that finds it, and runs no command': async (
    make,
  ) => {
    const { service, job } = await make();
    const made = join(job.home, 'made');
    const commands = [`a[$(>${made})] 4711`, `$(>${made}) 4711`];
    for (const since of [...commands, '', '99999999999999999999 7']) {
      await hold(job, since);
      const { code, stderr } = await job.execute();
      assert.deepEqual([code, stderr, service.requests.length], [75, 'Another run starts.\n', 0], since);
      assert.match(await readFile(join(job.stateFolder, 'lock', 'since'), 'utf8'), /^\d+ \?\n$/);
    }
    await assert.rejects(stat(made));
    assert.match((await job.execute()).stderr, /^Another run, process \?, /, 'so that it gets old');
  },
  'is given up if it cannot be dated, as on a full disk: nothing is sent, and the exit code is 1': async (make) => {
    const { service, job } = await make();
    const { code, stderr } = await job.onFullDisk();
    assert.ok(stderr.endsWith(`${join(job.stateFolder, 'lock', 'since')} can't be written.\n`), stderr);
    assert.deepEqual([code, await lockOf(job), service.requests.length], [1, null, 0]);
    assert.equal((await job.execute()).code, 0);
  },
  ...tableOf(
    {
      'is taken': async () => {},
      'left long ago is taken over': (job: Job) => hold(job, `${now() - 30 * HOUR_SECONDS} 4711`),
    },
    (what) => `${what} by one of several runs that start at once`,
    (prepare) => async (make) => {
      const { service, job } = await make();
      for (let round = 0; round < 3; round += 1) {
        await rm(job.stateFolder, { recursive: true, force: true });
        await prepare(job);
        service.clearRequests();
        await runAtOnce(service, job, 3);
      }
    },
  ),
};

/** One of several runs counts, and none leaves the lock behind. */
async function runAtOnce(service: RunningService, job: Job, count: number): Promise<void> {
  // It counts long enough for each other run to find the lock.
  const release = holdAnswer(service, { match: DRY_RUN });
  const ends = Array.from({ length: count }, () => job.run());
  let refused = 0;
  for (const end of ends) void end.then(({ code }) => (refused += Number(code === 75)));
  await until('all but one run are refused', () => refused === count - 1);
  release();
  const codes = (await Promise.all(ends)).map(({ code }) => code);
  assert.deepEqual(codes.toSorted(), [0, ...Array.from({ length: count - 1 }, () => 75)]);
  assert.deepEqual([await lockOf(job), service.requests.length], [null, 2]);
}

/** A run whose first count has no answer yet. */
async function heldRun(
  service: RunningService,
  job: Job,
): Promise<{ readonly running: RunningJob; readonly release: () => void }> {
  service.clearRequests();
  const release = holdAnswer(service, { match: DRY_RUN });
  const running = job.start({ EXECUTE: 'yes' });
  await until('the job counts', () => service.requests.length > 0);
  return { running, release };
}

async function hold(job: Job, since: string): Promise<void> {
  const lock = join(job.stateFolder, 'lock');
  await mkdir(lock, { recursive: true });
  await writeFile(join(lock, 'since'), since && `${since}\n`);
}

/** Names in the folder that is the lock. Null if there is none. */
function lockOf(job: Job): Promise<string[] | null> {
  return readdir(join(job.stateFolder, 'lock')).catch(() => null);
}

suite('A lock', { concurrency: 4 }, () => {
  for (const [name, body] of testsIn(DASH, LOCK)) test(name, body);
});
