// Exit 3: a suspicious count or answer, or no place for a record, so nothing is started for that index.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import { until } from '../service/testClient.ts';
import { addRows, CHART_USAGE, DRY_RUN, executions, holdAnswer, QUERY_USAGE, rowCount, smallService } from './rows.ts';
import { operationsBase } from './script.ts';
import { inEachShell, type Situation, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

const MINUTE = 60_000;
const WAS_DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';
const ABOVE = /above the limit of 40 rows or 20 percent\n$/;

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

function sentence(value: string): FaultRule['fault'] {
  return { kind: 'status', status: 200, body: JSON.stringify({ value }), contentType: 'application/json' };
}

function counted(old: number, kept: number, says: RegExp): Situation {
  return { plan: { old, kept }, says, code: 3, left: old + kept };
}

function byClock(offsetMillis: () => number, end: Pick<Situation, 'says' | 'code'> & Partial<Situation>): Situation {
  return { before: ({ service }) => void (service.clock.offsetMillis = offsetMillis()), ...end };
}

/** Old rows are added after the server has counted and before the script knows it. */
function withMore(more: number, kept: number, end: Partial<Situation>): Situation {
  return {
    plan: { kept },
    meanwhile: async ({ service }) => {
      const release = holdAnswer(service, { match: DRY_RUN });
      await until('the server has counted', () => service.requests.some(({ status }) => status === 200));
      await addRows(service, { old: more, kept: 0 });
      release();
    },
    says: ABOVE,
    code: 3,
    left: 20 + kept + more,
    ...end,
  };
}

const ODD_CLOCK = /this clock and the server's Date header differ, .* by 3[56]\d seconds\n$/;

inEachShell(register, 'A suspicious count', {
  'above the ceiling': counted(41, 400, /41 of 441 rows before.*above the limit of 40 rows or 20/),
  'above 20 percent': counted(40, 159, /40 of 199 rows before.*above the limit of 40 rows or 20/),
  'of no rows at all': counted(0, 0, /0 of 0 rows before.*fewer than half of the 200 rows/),
  'of fewer than half of the reviewed rows': counted(1, 98, /fewer than half of the 200 rows/),
  'is none at the limits: the ceiling, 20 percent, and half of the reviewed rows': {
    settings: { indices: ['dataset operation 90 20 200'] },
    plan: { kept: 80 },
    says: /: done\n$/,
    code: 0,
    sent: 1,
    left: 80,
  },
  'of fewer than half of what the last run counted': async (make, context) => {
    const before = await smallService(context, {}, { kept: 480 });
    const { service, job } = await make({ url: operationsBase(before) });
    assert.equal((await job.run({ DATAHUB_GMS_TOKEN: before.adminToken })).code, 0);
    await job.set({ url: operationsBase(service) });
    const { code, stdout } = await job.execute();
    assert.match(stdout, /fewer than half of the 500 rows counted before/);
    assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
  },
  ...Object.fromEntries(
    ['0 -', '', 'many -', '-1 -', '$(id) -'].map((record): [string, Situation] => [
      `of no rows at all, after a run that stored ${JSON.stringify(record)}`,
      {
        ...counted(0, 0, /fewer than half|can't be read/),
        before: async ({ job }) => {
          await mkdir(job.stateFolder);
          await writeFile(job.record, record && `${record}\n`);
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(UNKNOWN_ANSWERS).map(([title, fault]): [string, Situation] => [
      `in an answer ${title}`,
      {
        faults: [{ fault, match: DRY_RUN, times: 'always' }],
        says: /^dataset\/operation: .*: not understood, HTTP 200: /,
        code: 3,
      },
    ]),
  ),
  'by a clock that is 6 minutes late': byClock(() => -6 * MINUTE, { says: ODD_CLOCK, code: 3 }),
  'by a clock that is 6 minutes early': byClock(() => 6 * MINUTE, { says: ODD_CLOCK, code: 3 }),
  // "Thu, 01 Jan -0030 00:00:00 GMT"
  "by a Date header that can't be read": byClock(() => Date.UTC(-30, 0) - Date.now(), {
    says: /this clock and the server's Date header differ, /,
    code: 3,
  }),
  'is not made by a clock that is 4 minutes late': byClock(() => -4 * MINUTE, {
    environment: { EXECUTE: '' },
    says: /: dry run only\n$/,
    code: 0,
  }),
  'is not made by a clock that is 4 minutes early': byClock(() => 4 * MINUTE, {
    environment: { EXECUTE: '' },
    says: /: dry run only\n$/,
    code: 0,
  }),
  'does not stop the other indices, and the worst exit code wins': {
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
    says: /^dataset\/operation: 20 of 200 rows before, .*: above the limit of 19 rows/m,
    code: 3,
    sent: 2,
    afterwards: async ({ service }) =>
      assert.deepEqual([rowCount(service, CHART_USAGE), rowCount(service, QUERY_USAGE)], [180, 180]),
  },
});

inEachShell(register, 'Old rows that searches begin to show after the first count', {
  'are deleted with the others, and are not missing afterwards': withMore(5, 180, {
    says: /: 25 of 205 rows before, 0 of 180 after: done\n$/,
    code: 0,
    sent: 1,
    left: 180,
  }),
  'count for the ceiling': withMore(21, 400, {}),
  'count for the share': withMore(11, 100, {}),
});

inEachShell(register, 'A deletion', {
  'is not started without time for it': {
    settings: { maxHours: 0 },
    says: /: no time left, or .*dataset,operation can't be written\n$/,
    code: 3,
  },
  ...Object.fromEntries(
    ['yes', ''].map((EXECUTE): [string, Situation] => [
      `is not started if a later run could not know of it, with EXECUTE=${EXECUTE}`,
      {
        environment: { EXECUTE },
        before: ({ job }) => mkdir(join(job.stateFolder, 'dataset,operation.new'), { recursive: true }),
        says: /: .*dataset,operation can't be written\n$/,
        complains: /dataset,operation\.new/,
        code: 3,
      },
    ]),
  ),
});
