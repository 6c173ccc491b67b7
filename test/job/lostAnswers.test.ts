// Exit 5: the answer to a deletion is lost. It is never sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../service/faults.ts';
import { until } from '../service/testClient.ts';
import { DRY_RUN, executions, EXECUTION, holdAnswer, rowCount } from './rows.ts';
import { inEachShell, type Situation, type SmallJob, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

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

const SHOWN: Situation = {
  says: /HTTP (?:000, task not known: curl: \(\d+\) .+|[245]\d\d, task not known)\n.*20 of 200 rows before, 0 of 180 after: the answer was lost; done\n$/,
  code: 5,
  sent: 1,
  left: 180,
  afterwards: async ({ service }) => assert.equal(service.tasks().length, 1),
};

/** A run whose deletion starts, is not answered and stands still. */
async function lostWhileHeld({ service, job }: SmallJob): Promise<void> {
  service.faults.add({ fault: { kind: 'cutAfter' }, match: EXECUTION });
  service.pacing.held = true;
  const { code, stdout } = await job.execute();
  assert.deepEqual([code, rowCount(service)], [5, 200], stdout);
}

inEachShell(register, 'A lost answer', {
  ...Object.fromEntries(
    Object.entries(AFTER).map(([title, fault]) => [
      `where ${title}: one deletion, which searches show`,
      { ...SHOWN, faults: [{ fault, match: EXECUTION }] },
    ]),
  ),
  'where none comes in time: one deletion, which searches show': async (make, context) => {
    const { service, job } = await make({ answerSeconds: 1 });
    context.after(holdAnswer(service, { match: EXECUTION }));
    const run = job.start({ EXECUTE: 'yes' });
    await until('the job asks to delete', () => executions(service).length > 0);
    await until('it goes on without the answer', () => service.requests.at(-1)?.body.includes(DRY_RUN) === true);
    const { code, stdout } = await run.end;
    assert.match(stdout, /HTTP 000, task not known: curl: .+\n.*, 0 of 180 after: the answer was lost; done\n$/);
    assert.deepEqual([code, executions(service).length, service.tasks().length], [5, 1, 1]);
  },
  ...Object.fromEntries(
    Object.entries(BEFORE).map(([title, fault]): [string, Situation] => [
      `where ${title}: no deletion, and the next run starts one`,
      {
        settings: { looks: 5 },
        faults: [{ fault, match: EXECUTION }],
        says: /20 of 200 rows before, 20 of 200 after: the answer was lost; /,
        code: 5,
        sent: 1,
        afterwards: async ({ service, job }) => {
          const { code, stdout } = await job.execute();
          assert.match(stdout, /20 of 200 rows before, 0 of 180 after: done\n$/);
          assert.deepEqual([code, executions(service).length, service.tasks().length], [0, 2, 1]);
        },
      },
    ]),
  ),
  'of a deletion that ends between two runs: the next run sees it to its end': async (make) => {
    const here = await make({ looks: 5 });
    const { service, job } = here;
    await lostWhileHeld(here);
    service.pacing.held = false;
    await until('searches show the deletion', () => rowCount(service) === 180);
    const second = await job.execute();
    assert.match(second.stdout, /: 0 of 180 rows before, 0 of 180 after: .*done\n$/);
    assert.deepEqual([second.code, executions(service).length], [0, 1]);
    const third = await job.execute();
    assert.match(third.stdout, /: 0 of 180 rows before, 0 of 180 after: nothing to delete\n$/);
    assert.equal(third.code, 0);
  },
  'while the deletion stands still: the next run waits for its end instead of starting another': async (make) => {
    const here = await make({ batchSize: 1, looks: 5 });
    const { service, job } = here;
    await lostWhileHeld(here);
    service.clearRequests();
    const run = job.start({ EXECUTE: 'yes' });
    await until('it has counted the rows', () => service.requests.length >= 2);
    service.pacing.batchDelayMillis = 60;
    service.pacing.held = false;
    const { code, stdout } = await run.end;
    assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: an earlier deletion: done\n$/);
    assert.deepEqual([code, executions(service).length, service.tasks().length], [0, 0, 1]);
  },
});
