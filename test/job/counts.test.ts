// Counts that change between two requests of a run.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
import { addRows, DRY_RUN, executions, holdAnswer, rowCount } from './rows.ts';
import type { Job, JobRun } from './script.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

for (const shell of SHELLS) {
  suite(`Old rows that searches begin to show after the first count, in ${shell.name}`, { concurrency: 2 }, () => {
    test(
      'are deleted with the others, and are not missing afterwards',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const { code, stdout } = await runWithMore(service, job, 5);
        assert.match(stdout, /: 25 of 205 rows before, 0 of 180 after: done\n$/);
        assert.deepEqual([code, executions(service).length, rowCount(service)], [0, 1, 180]);
      }),
    );

    test(
      'count for the ceiling',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, {}, { kept: 400 });
        const { code, stdout } = await runWithMore(service, job, 21);
        assert.match(stdout, /: above the limit of 40 rows or 20 percent\n$/);
        assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 441]);
      }),
    );

    test(
      'count for the share',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, {}, { kept: 100 });
        const { code, stdout } = await runWithMore(service, job, 11);
        assert.match(stdout, /: above the limit of 40 rows or 20 percent\n$/);
        assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 131]);
      }),
    );
  });
}

/** A run during which old rows are added, after the server has counted and before the script knows it. */
async function runWithMore(service: RunningService, job: Job, old: number): Promise<JobRun> {
  const release = holdAnswer(service, { match: DRY_RUN });
  const run = job.start({ EXECUTE: 'yes' });
  await until('the server has counted', () => service.requests.some(({ status }) => status === 200));
  await addRows(service, { old, kept: 0 });
  release();
  return run.end;
}
