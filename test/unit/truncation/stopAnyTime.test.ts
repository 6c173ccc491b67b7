// "Stop After This One" sends no further one, at whichever moment between two of them the click arrives.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Folder } from '../../../src/platform/folder.ts';
import { systemClock } from '../../../src/time.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { RunningWindow, scriptedServer, type ScriptedServer, type OverviewJob } from './runningWindow.ts';

const CUTOFF = Date.now() - 90 * 86_400_000;
const ASPECTS = ['operation', 'usage'];

interface Outcome {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly job: OverviewJob;
  /** Waits of the host between the end of the first and the request of the second. */
  readonly waits: readonly string[];
}

/** Executes two. The user stops at the wait of this number between the two, counted from 1. */
async function stoppedAt(context: TestContext, stopAt: number): Promise<Outcome> {
  const waits: string[] = [];
  const between = (what: string): void => {
    if (job?.items[0]?.status === 'finished' && server.executions().length === 1 && job.phase === 'executing') {
      waits.push(what);
      if (waits.length === stopAt) {
        job.job.stop();
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
  const watchedFolder = (real: Folder): Folder => ({
    ...real,
    readAll: () => bothEnds('reading files', () => real.readAll()),
    append: (name, line) => bothEnds('appending to a file', () => real.append(name, line)),
    create: (name, text) => bothEnds('creating a file', () => real.create(name, text)),
    remove: (name) => bothEnds('removing a file', () => real.remove(name)),
  });
  let job: OverviewJob | undefined;
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url, {
    clock: { after: (_, run) => systemClock.after(1, run) },
    folder: watchedFolder,
  });
  const { dryRun } = server;
  server.dryRun = (body) => bothEnds('a count', async () => dryRun(body));
  const credential = window.credentials.readSecrets.bind(window.credentials);
  context.mock.method(window.credentials, 'readSecrets', (...which: Parameters<typeof credential>) =>
    bothEnds('the credential', () => credential(...which)),
  );
  job = window.overview();
  await job.count(ASPECTS.map((aspect) => Object.assign(emptyDraft('dataset', aspect), { endTimeMillis: CUTOFF })));
  await job.execute();
  return { server, window, job, waits };
}

suite('Stopping a job between two truncations', () => {
  test('sends nothing more, whatever the host is waiting for when the click arrives', async (context) => {
    const { server, waits } = await stoppedAt(context, Number.POSITIVE_INFINITY);
    assert.equal(server.executions().length, 2, 'the second is sent without a stop');
    for (const what of ['a count', 'appending to a file', 'reading files', 'the credential']) {
      assert.ok(waits.includes(`after ${what}`), `${what} is among ${waits.join(', ')}`);
    }
    const stops = waits.map((_, place) => place + 1);
    for (const stopAt of stops) {
      const stopped = await stoppedAt(context, stopAt);
      const at = `stopped ${stopped.waits[stopAt - 1] ?? 'never'} (${stopAt} of ${stops.length})`;
      assert.deepEqual(
        stopped.server.executions().map(({ aspect }) => aspect),
        ['operation'],
        at,
      );
      const { job, window } = stopped;
      assert.deepEqual([job.phase, job.items.map(({ status }) => status)], ['ended', ['finished', 'notSent']], at);
      // The user can continue with it, and no record claims that it was sent.
      const [interrupted] = await window.interruptedOnDisk();
      assert.deepEqual(
        interrupted?.left.map(({ plan }) => plan.aspect),
        ['usage'],
        at,
      );
      assert.equal((await window.recordsOnDisk()).length, 1, at);
    }
  });
});
