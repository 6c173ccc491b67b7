// Exit 5: the answer to a deletion is lost. It is never sent again.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Fault } from '../service/faults.ts';
import { until } from '../service/testClient.ts';
import { DRY_RUN, executions, EXECUTION, holdAnswer, rowCount } from './rows.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

/** The server acted, but nothing says so. */
const AFTER: Readonly<Record<string, Fault>> = {
  'the connection is cut afterwards': { kind: 'cutAfter' },
  'the answer is cut': { kind: 'cutBody' },
  'half of the answer comes': { kind: 'truncatedBody' },
  'a gateway gave up': { kind: 'statusAfter', status: 504 },
  'a proxy gave up, by status 408': { kind: 'statusAfter', status: 408 },
  'a proxy passed it on, by status 421': { kind: 'statusAfter', status: 421 },
  'a proxy passed it on, by status 425': { kind: 'statusAfter', status: 425 },
  'the server failed afterwards': { kind: 'statusAfter', status: 500 },
};

/** The server did nothing, but nothing says so either. */
const BEFORE: Readonly<Record<string, Fault>> = {
  'the connection is cut before': { kind: 'cutBefore' },
  'a proxy has no server': { kind: 'status', status: 502 },
  'the server is busy': { kind: 'status', status: 503, retryAfter: '0' },
  'a page of a proxy comes': { kind: 'html' },
};

for (const shell of SHELLS) {
  suite(`A lost answer, in ${shell.name}`, { concurrency: 2 }, () => {
    for (const [title, fault] of Object.entries(AFTER)) {
      test(
        `where ${title}: one deletion, which searches show`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found);
          service.faults.add({ fault, match: EXECUTION });
          const { code, stdout } = await job.execute();
          assert.match(stdout, /HTTP (?:000, task not known: curl: \(\d+\) .+|[245]\d\d, task not known)\n/);
          assert.match(stdout, /20 of 200 rows before, 0 of 180 after: the answer was lost; done\n$/);
          assert.deepEqual([code, executions(service).length, service.tasks().length], [5, 1, 1]);
        }),
      );
    }

    for (const [title, fault] of Object.entries(BEFORE)) {
      test(
        `where ${title}: no deletion, and the next run starts one`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, { looks: 5 });
          service.faults.add({ fault, match: EXECUTION });
          const first = await job.execute();
          assert.match(first.stdout, /20 of 200 rows before, 20 of 200 after: the answer was lost; /);
          assert.deepEqual([first.code, executions(service).length, rowCount(service)], [5, 1, 200]);
          const second = await job.execute();
          assert.match(second.stdout, /20 of 200 rows before, 0 of 180 after: done\n$/);
          assert.deepEqual([second.code, executions(service).length, service.tasks().length], [0, 2, 1]);
        }),
      );
    }

    test(
      'where none comes in time: one deletion, which searches show',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { answerSeconds: 1 });
        context.after(holdAnswer(service, { match: EXECUTION }));
        const run = job.start({ EXECUTE: 'yes' });
        await until('the job asks to delete', () => executions(service).length > 0);
        await until('it goes on without the answer', () => service.requests.at(-1)?.body.includes(DRY_RUN) === true);
        const { code, stdout } = await run.end;
        assert.match(stdout, /HTTP 000, task not known: curl: .+\n.*, 0 of 180 after: the answer was lost; done\n$/);
        assert.deepEqual([code, executions(service).length, service.tasks().length], [5, 1, 1]);
      }),
    );

    test(
      'of a deletion that ends between two runs: the next run sees it to its end',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { looks: 5 });
        service.faults.add({ fault: { kind: 'cutAfter' }, match: EXECUTION });
        service.pacing.held = true;
        const first = await job.execute();
        assert.deepEqual([first.code, rowCount(service)], [5, 200], first.stdout);
        service.pacing.held = false;
        await until('searches show the deletion', () => rowCount(service) === 180);
        const second = await job.execute();
        assert.match(second.stdout, /: 0 of 180 rows before, 0 of 180 after: .*done\n$/);
        assert.deepEqual([second.code, executions(service).length], [0, 1]);
        const third = await job.execute();
        assert.match(third.stdout, /: 0 of 180 rows before, 0 of 180 after: nothing to delete\n$/);
        assert.equal(third.code, 0);
      }),
    );

    test(
      'while the deletion stands still: the next run waits for its end instead of starting another',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { batchSize: 1, looks: 5 });
        service.faults.add({ fault: { kind: 'cutAfter' }, match: EXECUTION });
        service.pacing.held = true;
        const first = await job.execute();
        assert.deepEqual([first.code, rowCount(service)], [5, 200], first.stdout);
        service.clearRequests();
        const run = job.start({ EXECUTE: 'yes' });
        await until('it has counted the rows', () => service.requests.length >= 2);
        service.pacing.batchDelayMillis = 60;
        service.pacing.held = false;
        const { code, stdout } = await run.end;
        assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: an earlier deletion: done\n$/);
        assert.deepEqual([code, executions(service).length, service.tasks().length], [0, 0, 1]);
      }),
    );
  });
}
