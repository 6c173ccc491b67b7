// Settings, clocks and deletions that take more than one run, or a server that answers in its own time.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import type { Fault } from '../service/faults.ts';
import type { LoggedRequest } from '../service/requestLog.ts';
import { callOperation, until } from '../service/testClient.ts';
import {
  addRows,
  CHART_USAGE,
  DRY_RUN,
  executions,
  EXECUTION,
  holdAnswer,
  loseShard,
  QUERY_USAGE,
  rowCount,
  smallService,
} from './rows.ts';
import { CHARTS, OPERATIONS, operationsBase, type Environment, type JobSettings } from './script.ts';
import { DASH } from './shells.ts';
import { now, testsIn, type Situation, type SmallJob, type Table } from './situations.ts';

const SECOND = 1000;

/** Lines of the script's list that its rules refuse. */
const WRONG_LINES = [
  'data set operation 90 40 200',
  'dataset $(touch${IFS}made) 90 40 200',
  'dataset operation;touch${IFS}made 90 40 200',
  'dataset ../operation 90 40 200',
  '-dataset operation 90 40 200',
  'dataset * 90 40 200',
  'dataset operation","dryRun":false 90 40 200',
  'dataset operation 0 40 200',
  'dataset operation 90 200',
  'dataset operation 90 40 0',
];

const CHECKPOINTS = ['dataJob', 'datahubIngestionCheckpoint'] as const;
const CHECKPOINT_LINE = `${CHECKPOINTS.join(' ')} 90 40 200`;

/** Settings, variables and arguments, and the complaint about them. */
const WRONG: readonly (readonly [RegExp, JobSettings, Environment?, ...string[]])[] = [
  ...WRONG_LINES.map(
    (line) =>
      [
        /^Not an entity type, an aspect, 1 to 9999 days, and two numbers of rows: /,
        { indices: [OPERATIONS, line] },
      ] as const,
  ),
  ...['dataset operation 30 40 200', 'Dataset OPERATION 30 40 200'].map(
    (line) => [new RegExp(`^Listed twice: ${line}\n$`), { indices: [OPERATIONS, line] }] as const,
  ),
  ...['', 'datajob/datahubingestioncheckpoint2', CHECKPOINTS[1]].map(
    (stateIndices) =>
      [
        new RegExp(`^Checkpoints, not named in STATE_INDICES: ${CHECKPOINT_LINE}\n$`),
        { indices: [CHECKPOINT_LINE], stateIndices },
      ] as const,
  ),
  [/^No index: /, { indices: ['', '  '] }],
  ...['', 'abc"', 'abc\nurl = "http://127.0.0.1:9"'].map(
    (token) =>
      [/^The access token is missing or isn't one\. See --help\.\n$/, {}, { DATAHUB_GMS_TOKEN: token }] as const,
  ),
  // Not replaced by the variable. A folder is no file either.
  ...['/missing', '/'].map(
    (file) => [/The file of the access token can't be read\.\n$/, {}, { DATAHUB_GMS_TOKEN_FILE: file }] as const,
  ),
  ...[undefined, ''].map(
    (HOME) => [/^Neither STATE_DIR nor HOME is set\.\n$/, {}, { HOME, STATE_DIR: undefined }] as const,
  ),
  // A file in the place of the folder.
  [/STATE_DIR can't be written: \/dev\/null\n$/, {}, { STATE_DIR: '/dev/null' }],
  ...['--execute', 'yes', '-x'].map((argument) => [/^Unknown argument\. /, {}, {}, argument] as const),
];

const USAGE: Table = {
  'that is wrong is refused, exit 1, before anything is sent': async (make) => {
    const { service, job } = await make();
    for (const [complaint, settings, environment = {}, ...scriptArguments] of WRONG) {
      await job.set({ indices: [OPERATIONS], stateIndices: '', ...settings });
      const { code, stdout, stderr } = await job.run({ EXECUTE: 'yes', ...environment }, ...scriptArguments);
      assert.match(stderr, complaint);
      assert.deepEqual([code, stdout, service.requests.length], [1, '', 0], stderr);
    }
    await job.set({ indices: [OPERATIONS] });
    assert.equal((await job.execute({ HOME: undefined })).code, 0);
  },
  'is printed on request, and nothing is sent': async (make) => {
    const { service, job } = await make();
    for (const argument of ['--help', '-h']) {
      const { code, stdout, stderr } = await job.run({ DATAHUB_GMS_TOKEN: '', EXECUTE: 'yes' }, argument);
      assert.match(stdout, /EXECUTE=yes sh truncate\.sh +deletes\n/);
      assert.match(stdout, /DATAHUB_GMS_TOKEN_FILE/);
      for (const exit of [0, 1, 2, 3, 4, 5, 6, 75]) assert.match(stdout, new RegExp(`(?:^| )${exit} \\w`, 'm'));
      assert.doesNotMatch(stdout, /^#/m);
      assert.deepEqual([code, stderr, service.requests.length], [0, '', 0]);
    }
  },
  'may name checkpoints of pipelines once more, which are deleted then': async (make) => {
    const settings = { indices: [CHECKPOINT_LINE], stateIndices: `x/y ${CHECKPOINTS.join('/')}` };
    const { service, job } = await make(settings, {}, { index: CHECKPOINTS });
    const { code, stdout } = await job.execute();
    assert.deepEqual([code, rowCount(service, CHECKPOINTS)], [0, 180], stdout);
  },
  'may give a file for the access token, which counts before the variable, with or without a last line break': async (
    make,
  ) => {
    const { service, job } = await make();
    const file = join(job.home, 'token');
    for (const end of ['', '\n']) {
      await writeFile(file, service.adminToken + end);
      assert.equal((await job.run({ DATAHUB_GMS_TOKEN_FILE: file, DATAHUB_GMS_TOKEN: 'another' })).code, 0);
    }
    const sent = new Set(service.requests.map(({ headers }) => headers.authorization));
    assert.deepEqual([...sent], [`Bearer ${service.adminToken}`]);
  },
};

const CHART_LINE = `${CHART_USAGE.join(' ')} 90 40 200`;
const UNCHECKED = "The server sends no Date header: this clock isn't checked.\n";

/** Ends of a month and of years, and leap days, at which calendars go wrong. */
const DATES = ['2027-02-28', '2028-02-29', '2028-12-31', '2029-01-01', '2096-02-29'];

const CLOCKS: Table = {
  'that runs at the start decides the cutoff, for each index of a slow run': async (make) => {
    const { service, job } = await make({ indices: [OPERATIONS, CHART_LINE, `${QUERY_USAGE.join(' ')} 30 40 200`] });
    for (const index of [CHART_USAGE, QUERY_USAGE]) await addRows(service, { index });
    const release = holdAnswer(service);
    const earliest = now();
    const run = job.start({ EXECUTE: 'yes' });
    await until('the job counts', () => service.requests.length > 0);
    const latest = now();
    await until('the clock shows another second', () => now() > latest);
    release();
    const { code, stdout } = await run.end;
    assert.equal(code, 0, stdout);
    const [cutoff = NaN, ...others] = executions(service).map(endOf);
    assert.deepEqual(others, [cutoff, cutoff + 60 * MILLIS_PER_DAY]);
    const started = (cutoff + 90 * MILLIS_PER_DAY) / 1000;
    assert.ok(started >= earliest && started <= latest, `${earliest} ≤ ${started} ≤ ${latest}`);
    for (const execution of executions(service)) {
      const asked = service.requests.filter(({ body }) => aspectOf(body) === aspectOf(execution.body));
      const cutoffs = asked.map(endOf).filter((end) => end < Date.now() - MILLIS_PER_DAY);
      assert.deepEqual([...new Set(cutoffs)], [endOf(execution)], execution.body);
    }
  },
  'is not checked where a server sends no Date header, which the run says once': async (make) => {
    const indices = [OPERATIONS, CHART_LINE];
    const { service, job } = await make({ indices });
    await job.set({ url: service.url, indices });
    await addRows(service, { index: CHART_USAGE });
    for (const [EXECUTE, sent] of [
      ['', 0],
      ['yes', 2],
    ] as const) {
      const { code, stdout } = await job.run({ EXECUTE });
      assert.deepEqual([code, stdout.split(UNCHECKED).length - 1, executions(service).length], [0, 1, sent], stdout);
    }
    assert.deepEqual([rowCount(service), rowCount(service, CHART_USAGE)], [180, 180]);
  },
  'is compared with a date that is read right at any time of the calendar': async (make) => {
    // Without authentication, since a token would have expired.
    const { service, job } = await make({ pause: 0 }, { profile: '0.14' });
    for (const date of DATES) {
      service.clock.offsetMillis = Date.parse(`${date}T23:59:30Z`) - Date.now();
      const { offsetMillis } = service.clock;
      const before = performance.now();
      const { code, stdout } = await job.run();
      // The script may look at its own clock at any time of the run, and both clocks show whole seconds.
      const earliest = offsetMillis - (performance.now() - before) - SECOND;
      const skew = Number(/ differ, .* by (\d+) seconds\n$/.exec(stdout)?.[1]) * SECOND;
      assert.ok(skew >= earliest && skew <= offsetMillis + SECOND, `${date}: ${stdout}`);
      assert.equal(code, 3);
    }
  },
};

function aspectOf(body: string): string | undefined {
  return (JSON.parse(body) as { readonly aspect?: string }).aspect;
}

/** The time up to which a request counts or deletes. */
function endOf({ body }: LoggedRequest): number {
  return (JSON.parse(body) as { readonly endTimeMillis: number }).endTimeMillis;
}

/** Deletions of an earlier run, or of another client such as the server's own cleanup. */
const EARLIER: Table = {
  'whose rows to keep are missing is exit 6, and stops later runs until its owner removes the record': async (make) => {
    const { service, job } = await make({ indices: [OPERATIONS, CHARTS], batchSize: 5 });
    service.pacing.failAfterBatches = 0;
    const run = job.start({ EXECUTE: 'yes' });
    await loseShard(service);
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
  'is not started, exit 3, if the run before counted more than twice as many rows': async (make, context) => {
    const before = await smallService(context, {}, { kept: 480 });
    const { service, job } = await make({ url: operationsBase(before) });
    assert.equal((await job.run({ DATAHUB_GMS_TOKEN: before.adminToken })).code, 0);
    await job.set({ url: operationsBase(service) });
    const { code, stdout } = await job.execute();
    assert.match(stdout, /fewer than half of the 500 rows counted before/);
    assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
  },
  'whose answer was lost, and that ends between two runs, is seen to its end by the next run': async (make) => {
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
  'whose answer was lost, and that stands still, is awaited by the next run, which starts no other': async (make) => {
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
  'by another client is awaited, and no other is started, also after a run that saw its own to its end': async (
    make,
  ) => {
    const here = await make();
    const { job } = here;
    await mkdir(job.stateFolder);
    await writeFile(job.record, '200 -\n');
    await runBeside(here);
  },
};

/** A run whose deletion starts, is not answered and stands still. */
async function lostWhileHeld({ service, job }: SmallJob): Promise<void> {
  service.faults.add({ fault: { kind: 'cutAfter' }, match: EXECUTION });
  service.pacing.held = true;
  const { code, stdout } = await job.execute();
  assert.deepEqual([code, rowCount(service)], [5, 200], stdout);
}

/** A run that finds all rows when it first looks at them again, and fewer after that. */
async function runBeside({ service, job }: SmallJob): Promise<void> {
  Object.assign(service.pacing, { held: true, batchDelayMillis: 60 });
  const endTimeMillis = Date.now() - 90 * MILLIS_PER_DAY;
  const index = { entityType: 'dataset', aspect: 'operation' };
  const cleanup = { ...index, endTimeMillis, batchSize: 5, forceDeleteByQuery: true, dryRun: false };
  assert.equal((await callOperation(service, 'truncateTimeseriesAspect', cleanup)).status, 200);
  service.clearRequests();
  service.faults.add({ fault: { kind: 'latency', millis: 0 }, match: DRY_RUN, times: 2 });
  const release = holdAnswer(service, { match: DRY_RUN });
  const run = job.start({ EXECUTE: 'yes' });
  await until('the server has counted for the third time', () => service.requests[2]?.status === 200);
  service.pacing.held = false;
  await until('searches show the first rows deleted', () => rowCount(service) < 200);
  release();
  const { code, stdout } = await run.end;
  assert.match(stdout, /^dataset\/operation: 20 of 200 rows before, 0 of 180 after: an earlier deletion: done\n$/);
  assert.deepEqual([code, executions(service), service.tasks().length], [0, [], 1]);
}

/** Answers that never come, that end early, or that no terminal should obey. */
const ANSWERS: Table = {
  'that does not come in time is given up, and asked for again': async (make, context) => {
    const { service, job } = await make({ answerSeconds: 1 });
    context.after(holdAnswer(service, { times: 'always' }));
    const { code, stdout } = await job.execute();
    assert.match(stdout, /: not counted, HTTP 000: curl: \(28\) .+\n$/);
    assert.deepEqual([code, service.requests.filter(({ body }) => body.includes(DRY_RUN)).length], [5, 4]);
    assert.equal(service.requests.length, 4);
  },
  'that is much too long is printed in part': async (make) => {
    const { service, job } = await make();
    service.faults.add({ fault: { kind: 'huge', bytes: 30_000_000 }, times: 'always' });
    const { code, stdout } = await job.execute();
    assert.ok(stdout.length < 2500, `${stdout.length} characters`);
    // Older releases of curl read it to its end, where its length is not announced.
    assert.equal(code, stdout.includes('not understood, HTTP 200') ? 3 : 5);
  },
  'with control characters, escape sequences or letters of other scripts reaches no terminal as it is': async (
    make,
  ) => {
    const bodies = [
      '{"message":"\u001b[31mred\u0007 \u009b2J \u202ereversed\r\u0000"}',
      '{"message":"one\ntwo"}',
      String.raw`{"message":"%s%n \u001b[2J \n $(id) ${'`id`'} \"quoted\""}`,
    ];
    for (const body of bodies) {
      const { service, job } = await make({ looks: 3 });
      const fault: Fault = { kind: 'status', status: 400, body };
      service.faults.add({ fault, match: EXECUTION });
      const [executed, counted] = [await job.execute(), await job.run()];
      assert.match(executed.stdout, /^dataset\/operation: 20 of 200 rows before, .*HTTP 400: [ -~]*\n$/);
      assert.equal(executed.stderr + counted.stderr, '');
      service.faults.add({ fault: { ...fault, status: 200, body: body.replace('message', 'value') }, match: DRY_RUN });
      const { stdout, stderr, code } = await job.execute();
      assert.match(stdout, /^dataset\/operation: .*not understood, HTTP 200: [ -~]*\n$/);
      assert.deepEqual([stderr, code], ['', 3]);
    }
  },
};

/** The rows that a run deletes on each kind of server, and when it deletes none. */
const SERVERS: Table = {
  'is only asked to count unless EXECUTE is exactly yes': async (make) => {
    const { service, job } = await make();
    for (const EXECUTE of [undefined, 'true', 'YES', '', 'yes ']) {
      const { code, stdout } = await job.run({ EXECUTE });
      assert.equal(stdout, 'dataset/operation: 20 of 200 rows before, 20 of 200 after: dry run only\n');
      assert.equal(code, 0);
    }
    assert.deepEqual([executions(service), rowCount(service)], [[], 200]);
  },
  ...Object.fromEntries(
    (['0.14', '1.6', 'next', 'postgres'] as const).map((profile): [string, Table[string]] => [
      `of the profile ${profile} deletes exactly the rows before the cutoff`,
      async (make) => {
        const cutoff = Date.now() - 90 * MILLIS_PER_DAY;
        const { service, job } = await make({}, { profile }, { others: [cutoff - 60_000, cutoff + 60_000] });
        const { code, stdout, stderr } = await job.execute();
        const [task, ...others] = service.tasks();
        // The status of the task. A database has none.
        const status = /^\{.*"completed":true.*\n/m.exec(stdout)?.[0] ?? '';
        const end = 'dataset/operation: 21 of 202 rows before, 0 of 181 after: done\n';
        assert.equal(stdout, `dataset/operation: HTTP 200, task ${task?.id}\n${status}${end}`);
        assert.deepEqual([code, stderr, others], [0, '', []]);
        const { count, min } = service.rows('dataset', 'operation');
        assert.deepEqual([count, min, executions(service).length], [181, cutoff + 60_000, 1]);
      },
    ]),
  ),
  'of the profile spec refuses, since it knows no delete by query': {
    options: { profile: 'spec' },
    says: /refused, HTTP 400/,
    code: 2,
  } satisfies Situation,
};

for (const [title, table] of Object.entries({
  Usage: USAGE,
  'A clock': CLOCKS,
  'A deletion': EARLIER,
  'An answer': ANSWERS,
  'A server': SERVERS,
})) {
  suite(title, { concurrency: 4 }, () => {
    for (const [name, body] of testsIn(DASH, table)) test(name, body);
  });
}
