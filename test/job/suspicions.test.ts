// Exit 3: a suspicious count or answer, so nothing is started for that index.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import { addRows, DRY_RUN, executions, rowCount, smallService, type RowPlan } from './rows.ts';
import { OPERATIONS, operationsBase, type JobRun } from './script.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';
import type { RunningService } from '../service/main.ts';

const MINUTE = 60_000;
const WAS_DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';

/** Answers to a dry run that are not the known one. */
const UNKNOWN_ANSWERS: Readonly<Record<string, FaultRule['fault']>> = {
  'of a server that ignores the flag': sentence(
    `Delete 20 out of 200 rows (10.00%). Reindexing the aspect without the deleted records. ${WAS_DRY_RUN}`,
  ),
  'with another sentence': sentence('Delete 20 out of 200 rows (10.00%). Issuing a delete by query request.'),
  'with more words': sentence(
    `Delete 20 out of 200 rows (10.00%). Issuing a delete by query request. ${WAS_DRY_RUN} Maybe.`,
  ),
  'with a number that is none': sentence(
    `Delete -20 out of 200 rows (10.00%). Issuing a delete by query request. ${WAS_DRY_RUN}`,
  ),
  'that is no text': { kind: 'status', status: 200, body: '{"value":200}' },
  'that is empty': { kind: 'status', status: 200, body: '' },
  'that is a page of a proxy': { kind: 'html' },
  'with half a document': { kind: 'truncatedBody' },
};

for (const shell of SHELLS) {
  suite(`A suspicious count, in ${shell.name}`, { concurrency: 2 }, () => {
    const counted = (title: string, plan: RowPlan, says: RegExp, index = OPERATIONS): Promise<void> =>
      test(
        title,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, { indices: [index] }, {}, plan);
          const rows = rowCount(service);
          const run = await job.execute();
          assert.match(run.stdout, says);
          assertLeftAlone(run, service, rows);
        }),
      );

    counted('above the ceiling', { old: 41, kept: 400 }, /41 of 441 rows before.*above the limit of 40 rows or 20/);
    counted('above 20 percent', { old: 40, kept: 159 }, /40 of 199 rows before.*above the limit of 40 rows or 20/);
    counted('of no rows at all', { old: 0, kept: 0 }, /0 of 0 rows before.*fewer than half of the 200 rows/);
    counted('of fewer than half of the reviewed rows', { old: 1, kept: 98 }, /fewer than half of the 200 rows/);

    test(
      'is none at the limits: the ceiling, 20 percent, and half of the reviewed rows',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, {}, { old: 20, kept: 80 });
        await job.set({ indices: ['dataset operation 90 20 200'] });
        const { code, stdout } = await job.execute();
        assert.deepEqual([code, rowCount(service)], [0, 80], stdout);
      }),
    );

    test(
      'of fewer than half of what the last run counted',
      inShell(shell, async (context, found) => {
        const before = await smallService(context, {}, { kept: 480 });
        const { service, job } = await smallJob(context, found);
        await job.set({ url: operationsBase(before) });
        const [earlier, later] = [
          await job.run({ DATAHUB_GMS_TOKEN: before.adminToken }),
          await job.set({ url: operationsBase(service) }).then(() => job.execute()),
        ];
        assert.equal(earlier.code, 0);
        assert.match(later.stdout, /fewer than half of the 500 rows counted before/);
        assertLeftAlone(later, service, 200);
      }),
    );

    for (const record of ['0 -', '', 'many -', '-1 -', '$(id) -']) {
      test(
        `of no rows at all, after a run that stored ${JSON.stringify(record)}`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, {}, {}, { old: 0, kept: 0 });
          await mkdir(job.stateFolder);
          await writeFile(job.record, record && `${record}\n`);
          assertLeftAlone(await job.execute(), service, 0);
        }),
      );
    }

    for (const [title, fault] of Object.entries(UNKNOWN_ANSWERS)) {
      test(
        `in an answer ${title}`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found);
          service.faults.add({ fault, match: DRY_RUN, times: 'always' });
          const run = await job.execute();
          assert.match(run.stdout, /^dataset\/operation: .*: not understood, HTTP 200: /);
          assertLeftAlone(run, service, 200);
        }),
      );
    }

    for (const minutes of [-6, 6]) {
      test(
        `by a clock that differs by ${minutes} minutes`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found);
          service.clock.offsetMillis = minutes * MINUTE;
          const run = await job.execute();
          assert.match(run.stdout, /this clock and the server's Date header differ, .* by 3[56]\d seconds\n$/);
          assertLeftAlone(run, service, 200);
        }),
      );
    }

    test(
      "by a Date header that can't be read",
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        service.clock.offsetMillis = Date.UTC(-30, 0) - Date.now(); // "Thu, 01 Jan -0030 00:00:00 GMT"
        const run = await job.execute();
        assert.match(run.stdout, /this clock and the server's Date header differ, /);
        assertLeftAlone(run, service, 200);
      }),
    );

    for (const minutes of [-4, 4]) {
      test(
        `is not made by a clock that differs by ${minutes} minutes`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found);
          service.clock.offsetMillis = minutes * MINUTE;
          const { code, stdout } = await job.run();
          assert.match(stdout, /: dry run only\n$/);
          assert.equal(code, 0);
        }),
      );
    }

    test(
      'does not stop the other indices, and the worst exit code wins',
      inShell(shell, async (context, found) => {
        const charts = ['chart', 'chartusagestatistics'] as const;
        const queries = ['query', 'queryusagestatistics'] as const;
        const indices = [
          `${charts.join(' ')} 90 40 200`,
          'dataset operation 90 19 200',
          `${queries.join(' ')} 90 40 200`,
        ];
        const { service, job } = await smallJob(context, found, { indices });
        for (const index of [charts, queries]) await addRows(service, { index });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /^dataset\/operation: 20 of 200 rows before, .*: above the limit of 19 rows/m);
        assert.equal(code, 3);
        const left = [undefined, charts, queries].map((index) => rowCount(service, index));
        assert.deepEqual(left, [200, 180, 180]);
      }),
    );
  });
}

function sentence(value: string): FaultRule['fault'] {
  return { kind: 'status', status: 200, body: JSON.stringify({ value }), contentType: 'application/json' };
}

function assertLeftAlone({ code, stdout }: JobRun, service: RunningService, rows: number): void {
  assert.equal(code, 3, stdout);
  assert.deepEqual(executions(service), []);
  assert.equal(rowCount(service), rows);
}
