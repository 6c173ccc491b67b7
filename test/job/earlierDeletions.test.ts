// A deletion that the job has not started, such as the server's own cleanup: it waits for its end.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import type { RunningService } from '../service/main.ts';
import { execute } from '../service/testTruncations.ts';
import { until } from '../service/testClient.ts';
import { DRY_RUN, executions, holdAnswer, rowCount } from './rows.ts';
import type { Job, JobRun } from './script.ts';
import { inEachShell, type Story, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

interface Ending {
  /** Batches of five rows after which it fails. */
  readonly failAfterBatches?: number;
  /** Acts once searches show the first rows deleted. */
  readonly meanwhile?: (service: RunningService) => void;
  /** Looks without a change after which the run gives up. Many by default. */
  readonly looks?: number;
  readonly code: number;
  readonly says: RegExp;
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'it ends well': { code: 0, says: /, 0 of 180 after: an earlier deletion: done\n$/ },
  'it ends early': {
    failAfterBatches: 1,
    looks: 5,
    code: 4,
    says: /, 15 of 195 after: an earlier deletion: ended early\n$/,
  },
  'its end cannot be seen': {
    meanwhile: ({ faults }) => {
      faults.add({ fault: { kind: 'latency', millis: 0 } });
      faults.add({ fault: { kind: 'status', status: 401 }, times: 'always' });
    },
    looks: 5,
    code: 5,
    says: /: an earlier deletion: end not known: /,
  },
  'rows to keep are missing afterwards': {
    failAfterBatches: 1,
    meanwhile: (service) => service.assignShards('dataset', 'operation', false),
    code: 6,
    says: /: an earlier deletion: only \d+ of 180 rows to keep are found\n$/,
  },
};

inEachShell(register, 'A deletion by another client', {
  ...Object.fromEntries(
    Object.entries(ENDINGS).map(([title, { looks, ...ending }]) => [
      `is awaited, and no other is started, with exit ${ending.code} where ${title}`,
      async (make): ReturnType<Story> => {
        const { service, job } = await make(looks === undefined ? {} : { looks });
        const { code, stdout } = await runBeside(service, job, ending);
        assert.match(stdout, /^dataset\/operation: 20 of 200 rows before, /);
        assert.match(stdout, ending.says);
        assert.deepEqual([code, executions(service), service.tasks().length], [ending.code, [], 1]);
      },
    ]),
  ),
  'is awaited after a run that saw its own deletion to its end, too': async (make) => {
    const { service, job } = await make();
    await mkdir(job.stateFolder);
    await writeFile(job.record, '200 -\n');
    const { code, stdout } = await runBeside(service, job, {});
    assert.match(stdout, /, 0 of 180 after: an earlier deletion: done\n$/);
    assert.deepEqual([code, executions(service), service.tasks().length], [0, [], 1]);
  },
});

/** A run that finds all rows when it first looks at them again, and fewer after that. */
async function runBeside(
  service: RunningService,
  job: Job,
  { failAfterBatches, meanwhile }: Pick<Ending, 'failAfterBatches' | 'meanwhile'>,
): Promise<JobRun> {
  Object.assign(service.pacing, { held: true, batchDelayMillis: 60, failAfterBatches: failAfterBatches ?? null });
  const endTimeMillis = Date.now() - 90 * MILLIS_PER_DAY;
  const cleanup = { entityType: 'dataset', aspect: 'operation', endTimeMillis, batchSize: 5, forceDeleteByQuery: true };
  assert.equal((await execute(service, cleanup)).status, 200);
  service.clearRequests();
  service.faults.add({ fault: { kind: 'latency', millis: 0 }, match: DRY_RUN, times: 2 });
  const release = holdAnswer(service, { match: DRY_RUN });
  const run = job.start({ EXECUTE: 'yes' });
  await until('the server has counted for the third time', () => service.requests[2]?.status === 200);
  service.pacing.held = false;
  await until('searches show the first rows deleted', () => rowCount(service) < 200);
  meanwhile?.(service);
  release();
  return run.end;
}
