// Exit 2: the server refuses, so the rest of the list is skipped.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import { DRY_RUN, EXECUTION, rowCount } from './rows.ts';
import { CHARTS, OPERATIONS } from './script.ts';
import { inEachShell, type Situation, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

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

inEachShell(register, 'A refusal', {
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
    [302, 400, 401, 403, 404, 429].map((status) => [
      `of the execution alone, by status ${status}`,
      refusedExecution(status, '{"message":"No."}', String.raw`"message":"No\."`),
    ]),
  ),
  'of the execution by a sentence with status 200': refusedExecution(
    200,
    '{"value":"The cluster is in maintenance"}',
    'The cluster is in maintenance',
  ),
});
