// Exit 2: the server refuses, so the rest of the list is skipped.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import { DRY_RUN, executions, EXECUTION, rowCount } from './rows.ts';
import { CHARTS, OPERATIONS, type JobRun } from './script.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

const SKIPPED = 'chart/chartusagestatistics: ? of ? rows before, ? of ? after: skipped\n';
const REDIRECT: FaultRule = { fault: { kind: 'redirect', location: '/elsewhere' }, times: 'always' };

for (const shell of SHELLS) {
  suite(`A refusal, in ${shell.name}`, { concurrency: 2 }, () => {
    const refused = (
      title: string,
      prepare: (service: RunningService) => { readonly token?: string },
      says: RegExp,
    ): Promise<void> =>
      test(
        title,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, CHARTS] });
          const { token = service.adminToken } = prepare(service);
          const run = await job.execute({ DATAHUB_GMS_TOKEN: token });
          assert.match(run.stdout, says);
          assertStopped(run, service);
        }),
      );

    refused('of a user without the privilege', ({ users }) => users.sizer, /refused, HTTP 403: .*User is unauthorized/);
    refused('of a user with no privilege', ({ users }) => users.guest, /refused, HTTP 403: .*User is unauthorized/);
    refused(
      'of an expired access token',
      (service) => service.issueToken({ expiresAt: Date.now() - 1000 }),
      /refused, HTTP 401/,
    );
    refused('of an access token that is none', () => ({ token: 'abc' }), /refused, HTTP 401/);
    refused(
      'by a redirect, which is not followed',
      (service) => {
        service.faults.add(REDIRECT);
        return {};
      },
      /refused, HTTP 302/,
    );
    refused(
      'of flags that clash, with status 200',
      (service) => {
        const body = '{"value":"please only set forceReindex OR forceDeleteByQuery flags"}';
        service.faults.add({ fault: { kind: 'status', status: 200, body }, match: DRY_RUN });
        return {};
      },
      /refused, HTTP 200: please only set/,
    );

    for (const status of [302, 400, 401, 403, 404, 429]) {
      test(
        `of the execution alone, by status ${status}: it is not sent again, and the next run can try`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, CHARTS] });
          service.faults.add({ fault: { kind: 'status', status, body: '{"message":"No."}' }, match: EXECUTION });
          const first = await job.execute();
          assert.match(first.stdout, new RegExp(`refused, HTTP ${status}: "message":"No\\."\\n`));
          assert.ok(first.stdout.endsWith(SKIPPED), first.stdout);
          assert.deepEqual([first.code, executions(service).length, rowCount(service)], [2, 1, 200]);
          assert.equal(await readFile(job.record, 'utf8'), '200 -\n');
          await job.set({ indices: [OPERATIONS] });
          const second = await job.execute();
          assert.deepEqual([second.code, rowCount(service)], [0, 180]);
        }),
      );
    }

    test(
      'of the execution by a sentence with status 200',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, CHARTS] });
        const body = '{"value":"The cluster is in maintenance"}';
        service.faults.add({ fault: { kind: 'status', status: 200, body }, match: EXECUTION });
        const run = await job.execute();
        assert.match(run.stdout, /refused, HTTP 200: The cluster is in maintenance\n/);
        assert.deepEqual([run.code, executions(service).length, rowCount(service)], [2, 1, 200]);
        assert.ok(run.stdout.endsWith(SKIPPED));
      }),
    );
  });
}

/** Nothing was executed, nothing followed, and the second index was not asked for. */
function assertStopped({ code, stdout }: JobRun, service: RunningService): void {
  assert.equal(code, 2, stdout);
  assert.ok(stdout.endsWith(SKIPPED), stdout);
  assert.deepEqual(executions(service), []);
  assert.equal(rowCount(service), 200);
  const asked = service.requests.map(({ path, body }) => `${path} ${body}`);
  assert.ok(asked.length > 0);
  for (const one of asked)
    assert.match(one, /^\/api\/gms\/operations\?action=truncateTimeseriesAspect \{.*"operation"/);
}
