// Requests that only read are sent again, within limits.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { Fault } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
import { wireServer } from '../unit/service/wireServer.ts';
import { DRY_RUN, executions, holdAnswer, rowCount, STATUS } from './rows.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

const FAILURES: Readonly<Record<string, Fault>> = {
  'a busy server': { kind: 'status', status: 503 },
  'a request limit': { kind: 'status', status: 429 },
  'a gateway that gave up': { kind: 'statusAfter', status: 504 },
  'a cut connection': { kind: 'cutAfter' },
  'half of an answer': { kind: 'cutBody' },
};

for (const shell of SHELLS) {
  suite(`A request that only reads, in ${shell.name}`, { concurrency: 2 }, () => {
    for (const [title, fault] of Object.entries(FAILURES)) {
      test(
        `is sent again after ${title}`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found);
          service.faults.add({ fault, match: DRY_RUN, times: 3 });
          service.faults.add({ fault, match: STATUS });
          const { code, stdout } = await job.execute();
          assert.match(stdout, /"completed":true.*\n.*: 20 of 200 rows before, 0 of 180 after: done\n$/);
          assert.deepEqual([code, executions(service).length], [0, 1]);
        }),
      );
    }

    test(
      'is sent four times at most, then the result is not known',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        service.faults.add({ fault: { kind: 'status', status: 503 }, times: 'always' });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /^dataset\/operation: \? of \? rows before, .*: not counted, HTTP 503: \n$/);
        assert.deepEqual([code, service.requests.length, rowCount(service)], [5, 4, 200]);
      }),
    );

    test(
      'to a server that is gone gives up as well',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        await job.set({ url: await refusingAddress(context, service) });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: not counted, HTTP 000: curl: \(7\) Failed to connect to .+\n$/);
        assert.equal(code, 5);
      }),
    );

    test(
      'is given up after a while without an answer, and sent again',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { answerSeconds: 1 });
        context.after(holdAnswer(service, { times: 'always' }));
        const run = job.start({ EXECUTE: 'yes' });
        await until('it is sent again', () => service.requests.length > 1);
        const { code, stdout } = await run.end;
        assert.match(
          stdout,
          /^dataset\/operation: \? of \? rows before, .*: not counted, HTTP 000: curl: \(28\) .+\n$/,
        );
        assert.deepEqual([code, service.requests.length, executions(service)], [5, 4, []]);
      }),
    );

    test(
      'names the failure of curl after a part of a long answer, too',
      inShell(shell, async (context, found) => {
        const { job } = await smallJob(context, found);
        // More than curl keeps before it writes.
        const { url } = await wireServer(context, (_request, response) => {
          response.writeHead(200, { 'content-length': 20_000 });
          response.write('x'.repeat(6_000), () => response.destroy());
        });
        await job.set({ url });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: not counted, HTTP 000: curl: \(18\) .+\n$/);
        assert.equal(code, 5);
      }),
    );

    test(
      'reads the answer of a curl that warns',
      inShell(shell, async (context, found) => {
        const { job } = await smallJob(context, found);
        const warning = 'curl: /usr/lib/libcurl.so.4: no version information available (required by curl)';
        const program = `#!/bin/sh\necho '${warning}' >&2\nexec ${found.tools}/curl "$@"\n`;
        await writeFile(join(job.home, 'curl'), program, { mode: 0o755 });
        const path = { PATH: `${job.home}:${found.tools}` };
        assert.deepEqual(await job.run(path), await job.run());
      }),
    );

    test(
      'prints little of an answer that is much too long',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        service.faults.add({ fault: { kind: 'huge', bytes: 30_000_000 }, times: 'always' });
        const { code, stdout } = await job.execute();
        assert.ok(stdout.length < 2500, `${stdout.length} characters`);
        // Older releases of curl read it to its end, where its length is not announced.
        assert.equal(code, stdout.includes('not understood, HTTP 200') ? 3 : 5);
      }),
    );

    test(
      'about a task is dropped if it is refused, and searches decide',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const { code, stdout } = await job.execute({ DATAHUB_GMS_TOKEN: service.users.truncator.token });
        assert.match(stdout, /: 20 of 200 rows before, 0 of 180 after: done\n$/);
        assert.deepEqual([code, rowCount(service)], [0, 180]);
        assert.equal(service.requests.filter(({ path }) => path.includes(STATUS)).length, 3);
      }),
    );
  });
}

/** Own end of a connection to the service: nothing listens there, and no other server can take the port meanwhile. */
async function refusingAddress(context: TestContext, service: RunningService): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  context.after(() => socket.destroy());
  await once(socket, 'connect');
  return `http://127.0.0.1:${socket.localPort}`;
}
