// One run in each situation: its exit code, what it says, what it sends, and the rows that are left.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { testCertificate } from '../service/certificates.ts';
import type { Fault, FaultRule } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
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
  STATUS,
} from './rows.ts';
import { CHARTS, OPERATIONS } from './script.ts';
import { DASH } from './shells.ts';
import { tableOf, testsIn, type Situation, type SmallJob, type Table } from './situations.ts';

const MINUTE = 60_000;

/** The old rows are deleted, by one request. */
const DONE: Situation = { says: /: 20 of 200 rows before, 0 of 180 after: done\n$/, code: 0, sent: 1, left: 180 };

/** Nothing is sent to delete. Exit 3: suspicious, 5: not known. */
const suspicious = (says: RegExp, more: Partial<Situation> = {}): Situation => ({ says, code: 3, ...more });

const NOT_COUNTED = '^dataset/operation: \\? of \\? rows before, .*: not counted, ';

/** No answer counts, and curl says why. */
function unreachable(curl: string, situation: Partial<Situation>): Situation {
  return { says: new RegExp(`${NOT_COUNTED}HTTP 000: curl: ${curl}.*\n$`), code: 5, requests: 0, ...situation };
}

function at(url: string, curl: string): Situation {
  return unreachable(curl, { before: ({ job }) => job.set({ url }) });
}

function counted(old: number, kept: number, says: RegExp): Situation {
  return suspicious(says, { plan: { old, kept }, left: old + kept });
}

function byClock(offsetMillis: () => number, situation: Situation): Situation {
  return { before: ({ service }) => void (service.clock.offsetMillis = offsetMillis()), ...situation };
}

const ODD_CLOCK = suspicious(/this clock and the server's Date header differ, .* by 3[56]\d seconds\n$/);
const COUNTED_ONLY: Situation = { environment: { EXECUTE: '' }, says: /: dry run only\n$/, code: 0 };

/** Old rows are added after the server has counted and before the script knows it. */
function withMore(more: number, kept: number, situation: Situation): Situation {
  return {
    plan: { kept },
    meanwhile: async ({ service }) => {
      const release = holdAnswer(service, { match: DRY_RUN });
      await until('the server has counted', () => service.requests.some(({ status }) => status === 200));
      await addRows(service, { old: more, kept: 0 });
      release();
    },
    left: 20 + kept + more,
    ...situation,
  };
}

const ABOVE = suspicious(/above the limit of 40 rows or 20 percent\n$/);

const WAS_DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';

function sentence(value: string): Fault {
  return { kind: 'status', status: 200, body: JSON.stringify({ value }), contentType: 'application/json' };
}

/** Answers to a dry run that are not the known one. */
const UNKNOWN_ANSWERS: Readonly<Record<string, Fault>> = {
  'of a server that ignores the flag': sentence(
    `Delete 20 out of 200 rows (10.00%). Reindexing the aspect without the deleted records. ${WAS_DRY_RUN}`,
  ),
  'with more words': sentence(
    `Delete 20 out of 200 rows (10.00%). Issuing a delete by query request. ${WAS_DRY_RUN} Maybe.`,
  ),
  'that is a page of a proxy': { kind: 'html' },
  'that is no text': { kind: 'status', status: 200, body: '{"value":200}' },
};

const SUSPICIOUS: Table = {
  'a count above the ceiling': counted(41, 400, /41 of 441 rows before.*above the limit of 40 rows or 20/),
  'a count above 20 percent': counted(40, 159, /40 of 199 rows before.*above the limit of 40 rows or 20/),
  // With NaN for the percentage.
  'a count of no rows at all': counted(0, 0, /0 of 0 rows before.*fewer than half of the 200 rows/),
  'a count of fewer than half of the reviewed rows': counted(1, 98, /fewer than half of the 200 rows/),
  'a count at the limits: the ceiling, 20 percent, and half of the reviewed rows, is not': {
    settings: { indices: ['dataset operation 90 20 200'] },
    plan: { kept: 80 },
    ...DONE,
    says: /: done\n$/,
    left: 80,
  },
  ...tableOf(
    Object.fromEntries(['0 -', '', '$(id) -'].map((record) => [JSON.stringify(record), record])),
    (what) => `a count of no rows at all, after a run that stored ${what}`,
    (record) => ({
      ...counted(0, 0, /fewer than half|can't be read/),
      before: async ({ job }) => {
        await mkdir(job.stateFolder);
        await writeFile(job.record, record && `${record}\n`);
      },
    }),
  ),
  ...tableOf(
    UNKNOWN_ANSWERS,
    (what) => `an answer ${what}`,
    (fault) =>
      suspicious(/^dataset\/operation: .*: not understood, HTTP 200: /, {
        faults: [{ fault, match: DRY_RUN, times: 'always' }],
      }),
  ),
  'a clock that is 6 minutes late': byClock(() => -6 * MINUTE, ODD_CLOCK),
  'a clock that is 6 minutes early': byClock(() => 6 * MINUTE, ODD_CLOCK),
  // "Thu, 01 Jan -0030 00:00:00 GMT"
  "a Date header that can't be read": byClock(
    () => Date.UTC(-30, 0) - Date.now(),
    suspicious(/this clock and the server's Date header differ, /),
  ),
  'a clock that is 4 minutes late is not': byClock(() => -4 * MINUTE, COUNTED_ONLY),
  'a clock that is 4 minutes early is not': byClock(() => 4 * MINUTE, COUNTED_ONLY),
  'one index does not stop the others, and the worst exit code wins': {
    settings: {
      indices: [
        `${CHART_USAGE.join(' ')} 90 40 200`,
        'dataset operation 90 19 200',
        `${QUERY_USAGE.join(' ')} 90 40 200`,
      ],
    },
    before: async ({ service }) => {
      for (const index of [CHART_USAGE, QUERY_USAGE]) await addRows(service, { index });
    },
    ...suspicious(/^dataset\/operation: 20 of 200 rows before, .*: above the limit of 19 rows/m),
    sent: 2,
    afterwards: async ({ service }) =>
      assert.deepEqual([rowCount(service, CHART_USAGE), rowCount(service, QUERY_USAGE)], [180, 180]),
  },
  'old rows that searches show late are deleted with the others, and are not missing afterwards': withMore(5, 180, {
    ...DONE,
    says: /: 25 of 205 rows before, 0 of 180 after: done\n$/,
  }),
  'old rows that searches show late count for the ceiling': withMore(21, 400, ABOVE),
  'no time for a deletion': suspicious(/: no time left, or .*dataset,operation can't be written\n$/, {
    settings: { maxHours: 0 },
  }),
  ...tableOf(
    { yes: 'yes', nothing: '' },
    (what) => `a record that can't be written, so that a later run could not know of a deletion: EXECUTE is ${what}`,
    (EXECUTE) =>
      suspicious(/: .*dataset,operation can't be written\n$/, {
        environment: { EXECUTE },
        before: ({ job }) => mkdir(join(job.stateFolder, 'dataset,operation.new'), { recursive: true }),
        complains: /dataset,operation\.new/,
      }),
  ),
};

const SKIPPED = String.raw`chart/chartusagestatistics: \? of \? rows before, \? of \? after: skipped\n$`;
const REFUSED = { settings: { indices: [OPERATIONS, CHARTS] }, code: 2 } as const;

/** Nothing is executed, nothing followed, and the second index is not asked for. */
function refused(
  said: string,
  faults: readonly FaultRule[] = [],
  token?: (service: RunningService) => string,
): Situation {
  return {
    ...REFUSED,
    faults,
    before: ({ job, service }) => (token === undefined ? undefined : job.use({ DATAHUB_GMS_TOKEN: token(service) })),
    says: new RegExp(`: refused, HTTP ${said}.*\\n${SKIPPED}`),
    afterwards: async ({ service }) => {
      assert.ok(service.requests.length > 0);
      for (const { path, body } of service.requests)
        assert.match(`${path} ${body}`, /^\/api\/gms\/operations\?action=truncateTimeseriesAspect \{.*"operation"/);
    },
  };
}

/** It is not sent again, and the next run can try. */
function refusedExecution(status: number, body: string, said: string): Situation {
  return {
    ...REFUSED,
    faults: [{ fault: { kind: 'status', status, body }, match: EXECUTION }],
    says: new RegExp(`: refused, HTTP ${status}: ${said}\\n${SKIPPED}`),
    sent: 1,
    afterwards: async ({ service, job }) => {
      assert.equal(await readFile(job.record, 'utf8'), '200 -\n');
      await job.set({ indices: [OPERATIONS] });
      const { code } = await job.execute();
      assert.deepEqual([code, rowCount(service)], [0, 180]);
    },
  };
}

const CLASH = '{"value":"please only set forceReindex OR forceDeleteByQuery flags"}';

const REFUSALS: Table = {
  'of a user without the privilege': refused('403: .*User is unauthorized', [], ({ users }) => users.sizer.token),
  'of an expired access token': refused(
    '401',
    [],
    (service) => service.issueToken({ expiresAt: Date.now() - 1000 }).token,
  ),
  'of an access token that is none': refused('401', [], () => 'abc'),
  'by a redirect, which is not followed': refused('302', [
    { fault: { kind: 'redirect', location: '/elsewhere' }, times: 'always' },
  ]),
  'of flags that clash, with status 200': refused('200: please only set', [
    { fault: { kind: 'status', status: 200, body: CLASH }, match: DRY_RUN },
  ]),
  ...Object.fromEntries(
    [302, 403, 429].map((status) => [
      `of the execution alone, by status ${status}`,
      refusedExecution(status, '{"message":"No."}', String.raw`"message":"No\."`),
    ]),
  ),
  'of the execution by a sentence with status 200': refusedExecution(
    200,
    '{"value":"The cluster is in maintenance"}',
    'The cluster is in maintenance',
  ),
};

/** Failures after which a request that only reads is sent again. */
const PASSING: Readonly<Record<string, Fault>> = {
  'a busy server': { kind: 'status', status: 503 },
  'a request limit': { kind: 'status', status: 429 },
  'half of an answer': { kind: 'cutBody' },
};

const READS: Table = {
  ...tableOf(
    PASSING,
    (what) => `is sent again after ${what}`,
    (fault) => ({
      ...DONE,
      faults: [
        { fault, match: DRY_RUN, times: 3 },
        { fault, match: STATUS },
      ],
      says: /"completed":true.*\n.*: 20 of 200 rows before, 0 of 180 after: done\n$/,
    }),
  ),
  'is sent four times at most, then the result is not known': {
    faults: [{ fault: { kind: 'status', status: 503 }, times: 'always' }],
    says: new RegExp(`${NOT_COUNTED}HTTP 503: \n$`),
    code: 5,
    requests: 4,
  },
  'goes to no server whose name is not known': at(
    'http://no-such-host.invalid/gms',
    String.raw`\(6\) Could not resolve host: no-such-host\.invalid`,
  ),
  'goes over HTTP and HTTPS alone, and to no file': at('file:///etc', String.raw`\(1\) Protocol `),
  'goes to no server whose certificate is not trusted': unreachable(String.raw`\(60\) SSL certificate problem: `, {
    options: { tls: testCertificate('loopback') },
  }),
  'about a task is dropped if it is refused, and searches decide': {
    ...DONE,
    before: ({ service, job }) => job.use({ DATAHUB_GMS_TOKEN: service.users.truncator.token }),
    afterwards: async ({ service }) =>
      assert.equal(service.requests.filter(({ path }) => path.includes(STATUS)).length, 3),
  },
};

const asksForTask = ({ service }: SmallJob): number =>
  service.requests.filter(({ path }) => path.includes(STATUS)).length;

const hold: Situation['before'] = ({ service }) => void (service.pacing.held = true);

/** How a deletion ends, by what searches find. */
const ENDS: Table = {
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
  'is awaited while the task runs, whose status is printed without its escapes': {
    ...DONE,
    before: hold,
    meanwhile: async (here) => {
      await until('it asks for the task again', () => asksForTask(here) > 2);
      here.service.pacing.held = false;
    },
    says: /^\{"completed":true,(?=.*"total":20,)(?=.*"deleted":20,)(?=.*"taskId":"[^"\\]+")[^\\]*\n.*: done\n$/m,
  },
  'is only called done once each copy of the index shows it': {
    ...DONE,
    options: { refreshIntervalMillis: 800, replicas: 1 },
  },
  'is not disturbed by rows that are written meanwhile': {
    ...DONE,
    settings: { batchSize: 2 },
    options: { batchDelayMillis: 50 },
    meanwhile: async ({ service }) => {
      await until('the task starts', () => service.tasks().length > 0);
      for (let row = 0; row < 50; row += 1) service.addRow('dataset', 'operation', Date.now() + 5000);
    },
    says: /: 20 of 200 rows before, 0 of 230 after: done\n$/,
    left: 230,
  },
  'with rows to keep missing for a while is none': {
    ...DONE,
    settings: { pause: 0.05 },
    meanwhile: async ({ service }) => {
      await loseShard(service);
      const before = service.requests.length;
      await until('the job counts twice', () => service.requests.length > before + 5);
      service.assignShards('dataset', 'operation', true);
    },
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
  'is known by an answer with a comma in its percentage': { ...DONE, options: { decimalSeparator: ',' } },
};

/** The server acted, but nothing says so. */
const LOST_AFTER: Readonly<Record<string, Fault>> = {
  'the answer is cut': { kind: 'cutBody' },
  'a gateway gave up': { kind: 'statusAfter', status: 504 },
  'a proxy passed it on, by status 421': { kind: 'statusAfter', status: 421 },
};

/** The server did nothing, but nothing says so either. */
const LOST_BEFORE: Readonly<Record<string, Fault>> = {
  'the connection is cut before': { kind: 'cutBefore' },
  'a page of a proxy comes': { kind: 'html' },
};

const LOST: Table = {
  ...tableOf(
    LOST_AFTER,
    (what) => `where ${what}: one deletion, which searches show`,
    (fault) => ({
      faults: [{ fault, match: EXECUTION }],
      says: /HTTP (?:000, task not known: curl: \(\d+\) .+|[245]\d\d, task not known)\n.*20 of 200 rows before, 0 of 180 after: the answer was lost; done\n$/,
      code: 5,
      sent: 1,
      left: 180,
      afterwards: async ({ service }) => assert.equal(service.tasks().length, 1),
    }),
  ),
  ...tableOf(
    LOST_BEFORE,
    (what) => `where ${what}: no deletion, and the next run starts one`,
    (fault) => ({
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
    }),
  ),
};

for (const [title, table] of Object.entries({
  'What is suspicious, exit 3': SUSPICIOUS,
  'A refusal, exit 2': REFUSALS,
  'A request that only reads': READS,
  'The end of a deletion': ENDS,
  'A lost answer, exit 5': LOST,
})) {
  suite(title, { concurrency: 4 }, () => {
    for (const [name, body] of testsIn(DASH, table)) test(name, body);
  });
}
