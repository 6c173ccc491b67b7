// Exits 0, 4 and 6: how a deletion ends, by what searches find.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '../service/testClient.ts';
import { executions, EXECUTION, rowCount, STATUS } from './rows.ts';
import { CHARTS, OPERATIONS } from './script.ts';
import { inEachShell, type Situation, type SmallJob, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

const DONE = { says: /: 20 of 200 rows before, 0 of 180 after: done\n$/, code: 0, sent: 1, left: 180 } as const;

const asksForTask = ({ service }: SmallJob): number =>
  service.requests.filter(({ path }) => path.includes(STATUS)).length;

const hold: Situation['before'] = ({ service }) => void (service.pacing.held = true);

/** Takes rows from searches once the job has started the deletion, which makes no progress. */
async function loseShard({ service }: SmallJob): Promise<void> {
  service.pacing.held = true;
  await until('the deletion starts', () => service.requests.some(({ body }) => body.includes(EXECUTION)));
  await until('the task starts', () => service.tasks().length > 0);
  service.assignShards('dataset', 'operation', false);
  await until('searches lose rows', () => rowCount(service) < 200);
  service.pacing.held = false;
}

inEachShell(register, 'The end of a deletion', {
  'is early, exit 4, where rows are left as they are: the next run deletes them': {
    settings: { batchSize: 5, pause: 0 },
    before: ({ service }) => void (service.pacing.failAfterBatches = 2),
    says: /20 of 200 rows before, 10 of 190 after: ended early\n$/,
    code: 4,
    sent: 1,
    left: 190,
    afterwards: async ({ service, job }) => {
      service.pacing.failAfterBatches = null;
      service.clearRequests();
      const { code, stdout } = await job.execute();
      const asked = service.requests.find(({ path }) => path.includes(STATUS));
      assert.equal(asked?.body, JSON.stringify({ task: service.tasks()[0]?.id }), 'first follows the earlier task');
      assert.match(stdout, /10 of 190 rows before, 0 of 180 after: done\n$/);
      assert.deepEqual([code, executions(service).length], [0, 1]);
    },
  },
  'is early, and the rest of the list still runs': {
    settings: { indices: [OPERATIONS, CHARTS], looks: 3 },
    before: ({ service }) => void (service.pacing.failAfterBatches = 0),
    says: /^dataset\/operation: .*: ended early\nchart\/chartusagestatistics: 0 of 0 rows before/m,
    code: 4,
    sent: 1,
  },
  'is awaited while the task runs': {
    before: hold,
    meanwhile: async (here) => {
      await until('it asks for the task again', () => asksForTask(here) > 2);
      here.service.pacing.held = false;
    },
    ...DONE,
    says: /"completed":true.*"deleted":20,.*\n.* 0 of 180 after: done\n$/,
  },
  'is only called done once searches show it': { options: { refreshIntervalMillis: 1500 }, ...DONE },
  'is only called done once each copy of the index shows it': {
    options: { refreshIntervalMillis: 800, replicas: 1 },
    ...DONE,
  },
  'is not disturbed by rows that are written meanwhile': {
    settings: { batchSize: 2 },
    options: { batchDelayMillis: 50 },
    meanwhile: async ({ service }) => {
      await until('the task starts', () => service.tasks().length > 0);
      for (let row = 0; row < 50; row += 1) service.addRow('dataset', 'operation', Date.now() + 5000);
    },
    ...DONE,
    says: /: 20 of 200 rows before, 0 of 230 after: done\n$/,
    left: 230,
  },
  'with rows to keep missing is exit 6, and stops later runs until its owner removes the record': async (make) => {
    const here = await make({ indices: [OPERATIONS, CHARTS], batchSize: 5 });
    const { service, job } = here;
    service.pacing.failAfterBatches = 0;
    const run = job.start({ EXECUTE: 'yes' });
    await loseShard(here);
    const { code: first, stdout: said } = await run.end;
    assert.match(said, /^dataset\/operation: .*: only \d+ of 180 rows to keep are found$/m);
    assert.match(said, /^chart\/chartusagestatistics: .*: skipped\n$/m);
    assert.equal(first, 6);
    service.assignShards('dataset', 'operation', true);
    service.pacing.failAfterBatches = null;
    for (const environment of [{ EXECUTE: 'yes' }, {}]) {
      const { code, stdout } = await job.run(environment);
      assert.match(stdout, /: rows to keep were missing; once they are back, remove .*dataset,operation\n/);
      assert.deepEqual([code, executions(service).length], [6, 1]);
    }
    await rm(job.record);
    await job.set({ indices: [OPERATIONS] });
    assert.equal((await job.execute()).code, 0);
    assert.deepEqual([executions(service).length, rowCount(service)], [2, 180]);
  },
  'with rows to keep missing for a while is none': {
    settings: { pause: 0.05 },
    meanwhile: async (here) => {
      const { service } = here;
      await loseShard(here);
      const before = service.requests.length;
      await until('the job counts twice', () => service.requests.length > before + 5);
      service.assignShards('dataset', 'operation', true);
    },
    ...DONE,
  },
  'of a task that is forgotten is judged by what searches find': {
    settings: { batchSize: 2, looks: 5 },
    before: hold,
    meanwhile: async (here) => {
      await until('the job asks for the task', () => asksForTask(here) > 0);
      here.service.restart();
    },
    says: /: 20 of 200 rows before, 20 of 200 after: ended early\n$/,
    code: 4,
    sent: 1,
  },
  'is not known, exit 5, if the access token ends meanwhile': {
    settings: { looks: 3 },
    before: hold,
    meanwhile: async ({ service }) => {
      await until('the task starts', () => service.tasks().length > 0);
      service.faults.add({ fault: { kind: 'status', status: 401 }, times: 'always' });
    },
    says: /: 20 of 200 rows before, .*: end not known: /,
    code: 5,
    sent: 1,
  },
  'where nothing is old enough needs no deletion': {
    plan: { old: 0, kept: 200 },
    says: /^dataset\/operation: 0 of 200 rows before, 0 of 200 after: nothing to delete\n$/,
    code: 0,
  },
});
