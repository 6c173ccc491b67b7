// A deletion needs time, a place for its record, and a server that curl trusts.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { testCertificate } from '../service/certificates.ts';
import { executions, rowCount } from './rows.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

for (const shell of SHELLS) {
  suite(`A deletion, in ${shell.name}`, { concurrency: 2 }, () => {
    test(
      'is not started without time for it',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { maxHours: 0 });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: no time left, or .*dataset,operation can't be written\n$/);
        assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
      }),
    );

    test(
      'is not started if a later run could not know of it',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        await mkdir(join(job.stateFolder, 'dataset,operation.new'), { recursive: true });
        for (const { code, stdout } of [await job.execute(), await job.run()]) {
          assert.match(stdout, /: .*dataset,operation can't be written\n$/);
          assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
        }
      }),
    );

    test(
      'is sent to no server whose certificate is not trusted',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, { tls: testCertificate('loopback') });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: not counted, HTTP 000: curl: \(60\) SSL certificate problem: .+\n$/);
        assert.deepEqual([code, service.requests.length], [5, 0]);
      }),
    );

    test(
      'is sent to no server whose name is not known',
      inShell(shell, async (context, found) => {
        const { job } = await smallJob(context, found);
        await job.set({ url: 'http://no-such-host.invalid/gms' });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /: not counted, HTTP 000: curl: \(6\) Could not resolve host: no-such-host\.invalid\n$/);
        assert.equal(code, 5);
      }),
    );

    test(
      'goes over HTTP and HTTPS alone',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const url of ['file:///etc', service.frontUrl.replace('http:', 'telnet:')]) {
          await job.set({ url });
          const { code, stdout } = await job.execute();
          assert.match(stdout, /: not counted, HTTP 000: curl: \(1\) Protocol .+\n$/);
          assert.deepEqual([code, service.requests.length], [5, 0]);
        }
      }),
    );
  });
}
