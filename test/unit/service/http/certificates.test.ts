import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { suite, test } from 'node:test';
import { certificateChecks } from '../../../../src/service/http/certificates.ts';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import type { SentSecrets } from '../../../../src/service/http/transport.ts';
import { testCertificate } from '../../../service/certificates.ts';
import { CREDENTIAL, failureOf, transportAt, GET } from '../clients.ts';
import { listening, reply, wireServer } from '../wireServer.ts';

suite('With certificate checks turned off', () => {
  const unchecked: NetworkAccess = { ...systemNetwork, checksCertificates: () => false };

  for (const [what, token, request] of [
    ['a request with a credential', CREDENTIAL, GET],
    ['a request of a signed-out connection, whose connection a token would reuse,', undefined, GET],
    ['a request that identifies the server', CREDENTIAL, { ...GET, anonymous: true }],
  ] as const) {
    test(`${what} is not sent over TLS, and the failure says why`, async () => {
      let sent = 0;
      const network: NetworkAccess = { ...unchecked, fetch: () => Promise.resolve(new Response(String(sent++))) };
      const readSecrets = (): Promise<SentSecrets> => Promise.resolve({ token });
      const transport = transportAt('https://datahub.example.com', { network, readSecrets });
      const failure = await failureOf(transport.exchange(request));
      assert.deepEqual([sent, failure.kind, failure.mayHaveActed], [0, 'tls', false]);
      assert.match(failure.message, /NODE_TLS_REJECT_UNAUTHORIZED/);
    });
  }

  test('requests without TLS are still sent', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    await transportAt(server.url, { network: unchecked }).exchange(GET);
    assert.equal(server.requests.length, 1);
  });

  test('they count as off until a restart, even if the variable of Node.js is removed', () => {
    const environment: NodeJS.ProcessEnv = {};
    const areOn = certificateChecks(environment);
    for (const [value, expected] of [
      [undefined, true],
      ['1', true],
      ['', true],
      ['0', false],
      [undefined, false],
    ] as const) {
      Object.assign(environment, { NODE_TLS_REJECT_UNAUTHORIZED: value });
      assert.equal(areOn(), expected, value);
    }
  });

  test('a token never reuses a connection that was opened meanwhile, on a real socket', async (context) => {
    const received: (string | undefined)[] = [];
    const server = createServer(testCertificate('loopback'), (request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    });
    const transport = transportAt(`https://127.0.0.1:${await listening(context, server)}`, {
      network: { ...systemNetwork, checksCertificates: certificateChecks(process.env) },
    });
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    await transport.exchange({ ...GET, anonymous: true }).then(restore, restore);
    assert.match((await failureOf(transport.exchange(GET))).message, /NODE_TLS_REJECT_UNAUTHORIZED/);
    assert.deepEqual(received, []);

    function restore(): void {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      Object.assign(process.env, before === undefined ? {} : { NODE_TLS_REJECT_UNAUTHORIZED: before });
    }
  });
});
