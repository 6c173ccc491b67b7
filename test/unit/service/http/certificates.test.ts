import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { certificateChecks, systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import type { TransportRequest } from '../../../../src/service/http/transport.ts';
import { testCertificate } from '../../../service/certificates.ts';
import { CREDENTIAL, READING, failureOf, transportAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const GET: TransportRequest = { operation: READING, method: 'GET', path: '/config' };

suite('With certificate checks turned off', () => {
  const unchecked: NetworkAccess = { ...systemNetwork, checksCertificates: () => false };

  test('a credential is not sent over TLS, and the failure says why', async () => {
    let sent = 0;
    const network: NetworkAccess = { ...unchecked, fetch: () => Promise.reject(new Error(String(sent++))) };
    const failure = await failureOf(transportAt('https://datahub.example.com', { network }).exchange(GET));
    assert.equal(sent, 0);
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['tls', false]);
    assert.match(failure.message, /NODE_TLS_REJECT_UNAUTHORIZED/);
  });

  for (const [what, credential, request] of [
    ['a request of a signed-out connection', undefined, GET],
    ['a request that identifies the server', CREDENTIAL, { ...GET, anonymous: true }],
  ] as const) {
    test(`${what} isn't sent over TLS either, because the token would reuse its connection`, async () => {
      let sent = 0;
      const network: NetworkAccess = { ...unchecked, fetch: () => Promise.resolve(new Response(String(sent++))) };
      const transport = transportAt('https://datahub.example.com', {
        network,
        readSecrets: () => Promise.resolve({ token: credential }),
      });
      assert.equal((await failureOf(transport.exchange(request))).kind, 'tls');
      assert.equal(sent, 0);
    });
  }

  test('requests without TLS are still sent', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    await transportAt(server.url, { network: unchecked }).exchange(GET);
    assert.equal(server.requests.length, 1);
  });

  test('the environment variable of Node.js is recognized', () => {
    for (const [value, checks] of [
      [undefined, true],
      ['0', false],
      ['1', true],
      ['', true],
    ] as const) {
      assert.equal(certificateChecks({ NODE_TLS_REJECT_UNAUTHORIZED: value })(), checks, value);
    }
  });

  test('they count as off until a restart, even if the variable is removed', () => {
    const environment: NodeJS.ProcessEnv = {};
    const areOn = certificateChecks(environment);
    assert.equal(areOn(), true);
    environment['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    assert.equal(areOn(), false);
    delete environment['NODE_TLS_REJECT_UNAUTHORIZED'];
    assert.equal(areOn(), false);
  });

  test('a token never reuses a connection that was opened meanwhile, on a real socket', async (context) => {
    const received: (string | undefined)[] = [];
    const server = createServer(testCertificate('loopback'), (request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    context.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const transport = transportAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, {
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
