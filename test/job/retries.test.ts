// Requests that only read are sent again, within limits. Then the result is not known.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Fault } from '../service/faults.ts';
import { testCertificate } from '../service/certificates.ts';
import { until } from '../service/testClient.ts';
import { wireServer } from '../unit/service/wireServer.ts';
import { DRY_RUN, holdAnswer, STATUS } from './rows.ts';
import { inEachShell, type Situation, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

const FAILURES: Readonly<Record<string, Fault>> = {
  'a busy server': { kind: 'status', status: 503 },
  'a request limit': { kind: 'status', status: 429 },
  'a gateway that gave up': { kind: 'statusAfter', status: 504 },
  'a cut connection': { kind: 'cutAfter' },
  'half of an answer': { kind: 'cutBody' },
};

const NOT_COUNTED = '^dataset/operation: \\? of \\? rows before, .*: not counted, ';

/** No answer counts, and curl says why. */
function failing(curl: string, situation: Partial<Situation>): Situation {
  return { says: new RegExp(`${NOT_COUNTED}HTTP 000: curl: ${curl}.*\n$`), code: 5, ...situation };
}

function at(url: string, curl: string): Situation {
  return failing(curl, { before: ({ job }) => job.set({ url }), requests: 0 });
}

inEachShell(register, 'A request that only reads', {
  ...Object.fromEntries(
    Object.entries(FAILURES).map(([title, fault]): [string, Situation] => [
      `is sent again after ${title}`,
      {
        faults: [
          { fault, match: DRY_RUN, times: 3 },
          { fault, match: STATUS },
        ],
        says: /"completed":true.*\n.*: 20 of 200 rows before, 0 of 180 after: done\n$/,
        code: 0,
        sent: 1,
        left: 180,
      },
    ]),
  ),
  'is sent four times at most, then the result is not known': {
    faults: [{ fault: { kind: 'status', status: 503 }, times: 'always' }],
    says: new RegExp(`${NOT_COUNTED}HTTP 503: \n$`),
    code: 5,
    requests: 4,
  },
  'is given up after a while without an answer, and sent again': async (make, context) => {
    const { service, job } = await make({ answerSeconds: 1 });
    context.after(holdAnswer(service, { times: 'always' }));
    const run = job.start({ EXECUTE: 'yes' });
    await until('it is sent again', () => service.requests.length > 1);
    const { code, stdout } = await run.end;
    assert.match(stdout, new RegExp(String.raw`${NOT_COUNTED}HTTP 000: curl: \(28\) .+\n$`));
    assert.deepEqual([code, service.requests.filter(({ body }) => body.includes(DRY_RUN)).length], [5, 4]);
    assert.equal(service.requests.length, 4);
  },
  'names the failure of curl after a part of a long answer, too': async (make, context) => {
    // More than curl keeps before it writes.
    const { url } = await wireServer(context, (_request, response) => {
      response.writeHead(200, { 'content-length': 20_000 });
      response.write('x'.repeat(6_000), () => response.destroy());
    });
    const { code, stdout } = await (await make({ url })).job.execute();
    assert.match(stdout, /: not counted, HTTP 000: curl: \(18\) .+\n$/);
    assert.equal(code, 5);
  },
  'to a server that is gone gives up as well': async (make, context) => {
    const { service, job } = await make();
    // Own end of a connection to the service: nothing listens there, and no other server can take the port meanwhile.
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    context.after(() => socket.destroy());
    await once(socket, 'connect');
    await job.set({ url: `http://127.0.0.1:${socket.localPort}` });
    const { code, stdout } = await job.execute();
    assert.match(stdout, /: not counted, HTTP 000: curl: \(7\) Failed to connect to .+\n$/);
    assert.equal(code, 5);
  },
  'goes to no server whose name is not known': at(
    'http://no-such-host.invalid/gms',
    String.raw`\(6\) Could not resolve host: no-such-host\.invalid`,
  ),
  'goes over HTTP and HTTPS alone, and to no file': at('file:///etc', String.raw`\(1\) Protocol `),
  'goes to no server whose certificate is not trusted': failing(String.raw`\(60\) SSL certificate problem: `, {
    options: { tls: testCertificate('loopback') },
    requests: 0,
  }),
  'reads the answer of a curl that warns': async (make, _context, { tools }) => {
    const { job } = await make();
    const warning = 'curl: /usr/lib/libcurl.so.4: no version information available (required by curl)';
    const program = `#!/bin/sh\necho '${warning}' >&2\nexec ${tools}/curl "$@"\n`;
    await writeFile(join(job.home, 'curl'), program, { mode: 0o755 });
    assert.deepEqual(await job.run({ PATH: `${job.home}:${tools}` }), await job.run());
  },
  'prints little of an answer that is much too long': async (make) => {
    const { service, job } = await make();
    service.faults.add({ fault: { kind: 'huge', bytes: 30_000_000 }, times: 'always' });
    const { code, stdout } = await job.execute();
    assert.ok(stdout.length < 2500, `${stdout.length} characters`);
    // Older releases of curl read it to its end, where its length is not announced.
    assert.equal(code, stdout.includes('not understood, HTTP 200') ? 3 : 5);
  },
  'about a task is dropped if it is refused, and searches decide': {
    before: ({ service, job }) => job.use({ DATAHUB_GMS_TOKEN: service.users.truncator.token }),
    says: /: 20 of 200 rows before, 0 of 180 after: done\n$/,
    code: 0,
    sent: 1,
    left: 180,
    afterwards: async ({ service }) =>
      assert.equal(service.requests.filter(({ path }) => path.includes(STATUS)).length, 3),
  },
});
