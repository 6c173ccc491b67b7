// "Stop After This One" sends no further one, at whichever moment between two of them the click arrives.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Folder } from '../../../src/platform/folder.ts';
import { systemClock } from '../../../src/time.ts';
import { draftOf, overviewOf, sentTo, type ShownJob, type Stage } from './runningWindow.ts';

/** @returns the waits of the host between the end of the first and the request of the second. */
async function stoppedAt(context: TestContext, stopAt: number): Promise<Stage & { readonly waits: readonly string[] }> {
  const waits: string[] = [];
  let shown: ShownJob | undefined;
  const between = (what: string): void => {
    if (shown?.items[0]?.status === 'finished' && sentTo(server).length === 1 && shown.phase === 'executing') {
      waits.push(what);
      if (waits.length === stopAt) {
        shown.job.stop();
      }
    }
  };
  /** Before what is waited for begins, and once it has ended. */
  const bothEnds = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    between(`before ${what}`);
    const result = await work();
    between(`after ${what}`);
    return result;
  };
  const folder = (real: Folder): Partial<Folder> => ({
    readAll: () => bothEnds('reading files', () => real.readAll()),
    append: (name, line) => bothEnds('appending to a file', () => real.append(name, line)),
    create: (name, text) => bothEnds('creating a file', () => real.create(name, text)),
    remove: (name) => bothEnds('removing a file', () => real.remove(name)),
  });
  const clock = { after: (_: number, run: () => void) => systemClock.after(1, run) };
  const { server, window, job } = await overviewOf(context, { folder, clock });
  const { dryRun } = server;
  server.dryRun = (body) => bothEnds('a count', async () => dryRun(body));
  const credential = window.credentials.readSecrets.bind(window.credentials);
  context.mock.method(window.credentials, 'readSecrets', (...which: Parameters<typeof credential>) =>
    bothEnds('the credential', () => credential(...which)),
  );
  shown = job;
  await job.count(['operation', 'usage'].map(draftOf));
  await job.execute();
  return { server, window, job, waits };
}

test('A job that is stopped between two truncations sends nothing more, whatever the host is waiting for', async (context) => {
  const { server, waits } = await stoppedAt(context, Number.POSITIVE_INFINITY);
  assert.equal(sentTo(server).length, 2, 'the second is sent without a stop');
  for (const what of ['a count', 'appending to a file', 'reading files', 'the credential']) {
    assert.ok(waits.includes(`after ${what}`), `${what} is among ${waits.join(', ')}`);
  }
  for (let stopAt = 1; stopAt <= waits.length; stopAt++) {
    const stopped = await stoppedAt(context, stopAt);
    const at = `stopped ${stopped.waits[stopAt - 1] ?? 'never'} (${stopAt} of ${waits.length})`;
    assert.deepEqual(sentTo(stopped.server), ['operation'], at);
    assert.deepEqual([stopped.job.phase, stopped.job.statuses], ['ended', ['finished', 'notSent']], at);
    // No record claims that it was sent.
    assert.equal((await stopped.window.recordsOnDisk()).length, 1, at);
  }
});
