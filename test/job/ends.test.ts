// Exits 0, 4 and 6: how a deletion ends, by what searches find.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
import { executions, EXECUTION, rowCount, STATUS } from './rows.ts';
import { CHARTS, OPERATIONS } from './script.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

for (const shell of SHELLS) {
  suite(`The end of a deletion, in ${shell.name}`, { concurrency: 2 }, () => {
    test(
      'is early, exit 4, where rows are left as they are: the next run deletes them',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { batchSize: 5, pause: 0 });
        service.pacing.failAfterBatches = 2;
        const first = await job.execute();
        assert.match(first.stdout, /20 of 200 rows before, 10 of 190 after: ended early\n$/);
        assert.deepEqual([first.code, executions(service).length], [4, 1]);
        service.pacing.failAfterBatches = null;
        service.clearRequests();
        const second = await job.execute();
        const asked = service.requests.find(({ path }) => path.includes(STATUS));
        assert.equal(asked?.body, JSON.stringify({ task: service.tasks()[0]?.id }), 'first follows the earlier task');
        assert.match(second.stdout, /10 of 190 rows before, 0 of 180 after: done\n$/);
        assert.deepEqual([second.code, executions(service).length], [0, 1]);
      }),
    );

    test(
      'is early, and the rest of the list still runs',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, CHARTS], looks: 3 });
        service.pacing.failAfterBatches = 0;
        const { code, stdout } = await job.execute();
        assert.match(stdout, /^dataset\/operation: .*: ended early$/m);
        assert.match(stdout, /^chart\/chartusagestatistics: 0 of 0 rows before/m);
        assert.deepEqual([code, rowCount(service)], [4, 200]);
      }),
    );

    test(
      'is awaited while the task runs',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        service.pacing.held = true;
        const run = job.start({ EXECUTE: 'yes' });
        const asked = (): number => service.requests.filter(({ path }) => path.includes(STATUS)).length;
        await until('it asks for the task again', () => asked() > 2);
        service.pacing.held = false;
        const { code, stdout } = await run.end;
        assert.match(stdout, /"completed":true.*"deleted":20,.*\n.* 0 of 180 after: done\n$/);
        assert.equal(code, 0);
      }),
    );

    test(
      'is only called done once searches show it',
      inShell(shell, async (context, found) => {
        const options = { refreshIntervalMillis: 1500 };
        const { service, job } = await smallJob(context, found, {}, options);
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: done\n$/);
        assert.deepEqual([code, rowCount(service)], [0, 180]);
      }),
    );

    test(
      'is only called done once each copy of the index shows it',
      inShell(shell, async (context, found) => {
        const options = { refreshIntervalMillis: 800, replicas: 1 };
        const { service, job } = await smallJob(context, found, {}, options);
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: done\n$/);
        assert.deepEqual([code, rowCount(service)], [0, 180]);
      }),
    );

    test(
      'is not disturbed by rows that are written meanwhile',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { batchSize: 2 }, { batchDelayMillis: 50 });
        const running = job.start({ EXECUTE: 'yes' });
        await until('the task starts', () => service.tasks().length > 0);
        for (let row = 0; row < 50; row += 1) service.addRow('dataset', 'operation', Date.now() + 5000);
        const { code, stdout } = await running.end;
        assert.match(stdout, /: 20 of 200 rows before, 0 of 230 after: done\n$/);
        assert.equal(code, 0);
      }),
    );

    test(
      'with rows to keep missing is exit 6, and the rest of the list is skipped',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, CHARTS] });
        const run = job.start({ EXECUTE: 'yes' });
        await loseShard(service);
        const { code, stdout } = await run.end;
        assert.match(stdout, /^dataset\/operation: .*: only \d+ of 180 rows to keep are found$/m);
        assert.match(stdout, /^chart\/chartusagestatistics: .*: skipped\n$/m);
        assert.equal(code, 6);
      }),
    );

    test(
      'with rows to keep missing stops later runs until its owner removes the record',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { batchSize: 5 });
        service.pacing.failAfterBatches = 0;
        const run = job.start({ EXECUTE: 'yes' });
        await loseShard(service);
        assert.equal((await run.end).code, 6);
        service.assignShards('dataset', 'operation', true);
        service.pacing.failAfterBatches = null;
        for (const environment of [{ EXECUTE: 'yes' }, {}]) {
          const { code, stdout } = await job.run(environment);
          assert.match(stdout, /: rows to keep were missing; once they are back, remove .*dataset,operation\n$/);
          assert.deepEqual([code, executions(service).length], [6, 1]);
        }
        await rm(job.record);
        assert.equal((await job.execute()).code, 0);
        assert.deepEqual([executions(service).length, rowCount(service)], [2, 180]);
      }),
    );

    test(
      'with rows to keep missing for a while is none',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { pause: 0.05 });
        const run = job.start({ EXECUTE: 'yes' });
        await loseShard(service);
        service.clearRequests();
        await until('the job counts twice', () => service.requests.length > 5);
        service.pacing.held = false;
        service.assignShards('dataset', 'operation', true);
        const { code, stdout } = await run.end;
        assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: done\n$/);
        assert.equal(code, 0);
      }),
    );

    test(
      'of a task that is forgotten is judged by what searches find',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { batchSize: 2, looks: 5 });
        service.pacing.held = true;
        const run = job.start({ EXECUTE: 'yes' });
        await until('the job asks for the task', () => service.requests.some(({ path }) => path.includes(STATUS)));
        service.restart();
        const { code, stdout } = await run.end;
        assert.match(stdout, /: 20 of 200 rows before, 20 of 200 after: ended early\n$/);
        assert.equal(code, 4);
      }),
    );

    test(
      'is not known, exit 5, if the access token ends meanwhile',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { looks: 3 });
        service.pacing.held = true;
        const run = job.start({ EXECUTE: 'yes' });
        await until('the task starts', () => service.tasks().length > 0);
        service.faults.add({ fault: { kind: 'status', status: 401 }, times: 'always' });
        const { code, stdout } = await run.end;
        assert.match(stdout, /: 20 of 200 rows before, .*: end not known: /);
        assert.equal(code, 5);
      }),
    );

    test(
      'where nothing is old enough needs no deletion',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, {}, { old: 0, kept: 200 });
        const { code, stdout } = await job.execute();
        assert.equal(stdout, 'dataset/operation: 0 of 200 rows before, 0 of 200 after: nothing to delete\n');
        assert.deepEqual([code, executions(service)], [0, []]);
      }),
    );
  });
}

/** Takes rows from searches once the job has started the deletion, which makes no progress. */
async function loseShard(service: RunningService): Promise<void> {
  service.pacing.held = true;
  await until('the deletion starts', () => service.requests.some(({ body }) => body.includes(EXECUTION)));
  await until('the task starts', () => service.tasks().length > 0);
  service.assignShards('dataset', 'operation', false);
  await until('searches lose rows', () => rowCount(service) < 200);
  service.pacing.held = false;
}
