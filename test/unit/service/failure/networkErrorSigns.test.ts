/** Every reason for a missing response, on a real socket if a test can cause it there. failureTable.test.ts has the others. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { networkFailure } from '../../../../src/service/failure/networkErrorSigns.ts';
import { testAuthority, testCertificate } from '../../../service/certificates.ts';
import { CREDENTIAL, READING, failureOf, transportAt, GET } from '../clients.ts';
import { listening } from '../wireServer.ts';

const LOOPBACK = testCertificate('loopback').cert;
const SELF_SIGNED = readFileSync(new URL('self-signed.pem', import.meta.url), 'utf8');

const secure = (cert: string): Server =>
  createHttpsServer({ key: testCertificate('loopback').key, cert }, (_, response) => response.end('{}'));
const plain = (): Server => createHttpServer((_, response) => response.end('{}'));
const saying = (said: (socket: Socket) => unknown): Server =>
  createServer((socket) => void socket.once('data', () => said(socket)));
const ssh = (socket: Socket): unknown => socket.end('SSH-2.0-OpenSSH_9.6\r\n');
const endless = (socket: Socket): unknown => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}`);

const UNTRUSTED = /issued by an authority this machine doesn't trust/;
const NO_TLS = /^Couldn't establish a secure connection to 127\.0\.0\.1:\d+ \(ERR_SSL_\w+\)\.$/;

suite('No response', () => {
  for (const [why, address, server, kind, mayHaveActed, message, next] of [
    ['its authority is unknown', 'https:', secure(LOOPBACK), 'tls', false, UNTRUSTED, /NODE_EXTRA_CA_CERTS/],
    ['the certificate is self-signed', 'https:', secure(SELF_SIGNED), 'tls', false, UNTRUSTED, /NODE_EXTRA_CA_CERTS/],
    ['it is plain HTTP where TLS is expected', 'https:', plain(), 'tls', true, NO_TLS, /start .* with http:\/\//],
    ['the response is not HTTP', 'http:', saying(ssh), 'unexpectedAnswer', true, /respond with HTTP/, /https:\/\//],
    ['the headers do not end', 'http:', saying(endless), 'tooLarge', true, /headers/, /the service's own/],
  ] as const) {
    test(`because ${why}`, async (context) => {
      const url = `${address}//127.0.0.1:${await listening(context, server)}`;
      const failure = await failureOf(transportAt(url).exchange(GET));
      assert.deepEqual([failure.kind, failure.mayHaveActed, failure.operation], [kind, mayHaveActed, 'reading']);
      assert.match(failure.message, message);
      assert.match(failure.next ?? '', next);
      assert.equal(failure.transient, false);
      assert.ok(!JSON.stringify(failure).includes(CREDENTIAL));
    });
  }

  for (const [when, said] of Object.entries({
    'before any data': '',
    'within the headers': 'HTTP/1.1 200 OK\r\nContent-Ty',
    'within the body': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":',
    'within a chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"value":',
  })) {
    test(`because the connection was cut ${when}, once the request had arrived`, async (context) => {
      const server = saying((socket) => socket.write(said, () => socket.destroy()));
      const url = `http://127.0.0.1:${await listening(context, server)}`;
      const failure = await failureOf(transportAt(url).exchange(GET));
      assert.match(failure.message, /closed the connection unexpectedly/);
      assert.deepEqual([failure.kind, failure.transient, failure.mayHaveActed], ['unreachable', true, true]);
    });
  }

  test('because nothing listens', async (context) => {
    const server = createServer();
    const port = await listening(context, server);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const failure = await failureOf(transportAt(`http://127.0.0.1:${port}`).exchange(GET));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', false]);
    assert.equal(failure.message, `Can't reach 127.0.0.1:${port}.`);
  });

  test('because the name is unknown', async () => {
    const failure = await failureOf(transportAt('http://no-such-server.invalid:8080').exchange(GET));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', false]);
    assert.match(failure.message, /^Can't find no-such-server\.invalid:8080\.$/);
  });

  test('because fetch blocks the port: nothing is sent, nor is it again', async () => {
    const failure = await failureOf(transportAt('http://127.0.0.1:10080').exchange(GET));
    assert.equal(failure.message, "The port of 127.0.0.1:10080 can't be used, so nothing was sent.");
    assert.deepEqual([failure.kind, failure.transient, failure.mayHaveActed], ['unreachable', false, false]);
  });
});

/** Last, because the authority stays trusted from then on. */
suite('No response although the authority is trusted', { concurrency: false }, () => {
  /** Address of a server with a certificate whose authority this process trusts during the test. */
  async function trusted(context: TestContext, kind: 'loopback' | 'expired' | 'other-name'): Promise<string> {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, testAuthority()]);
    context.after(() => setDefaultCACertificates(before));
    return `https://127.0.0.1:${await listening(context, secure(testCertificate(kind).cert))}`;
  }

  for (const [why, kind, message, next] of [
    ['has expired', 'expired', /has expired or isn't valid yet/, /clock/],
    ['is issued for a different name', 'other-name', /issued for a different name/, /administrator/],
  ] as const) {
    test(`because the certificate ${why}`, async (context) => {
      const failure = await failureOf(transportAt(await trusted(context, kind)).exchange(GET));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['tls', false]);
      assert.match(failure.message, message);
      assert.match(failure.next ?? '', next);
    });
  }

  test('does not happen with a valid certificate', async (context) => {
    assert.equal((await transportAt(await trusted(context, 'loopback')).exchange(GET)).text, '{}');
  });
});

/** An error of fetch, with its reason in the cause. */
function fetchError(code: string, message: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

suite('An error that no test can cause here', () => {
  for (const [host, message, proxy] of [
    ['datahub.corp.test:8080', 'connect ECONNREFUSED 127.0.0.1:3128', '127.0.0.1:3128'],
    ['datahub.corp.test', 'connect ETIMEDOUT 192.0.2.7:8080', '192.0.2.7:8080'],
    ['localhost:8080', 'connect ECONNREFUSED ::1:3128', '[::1]:3128'],
    ['10.0.0.5:8080', 'connect EHOSTUNREACH 10.0.0.1:8080', '10.0.0.1:8080'],
    ['datahub.corp.test', 'getaddrinfo ENOTFOUND proxy.corp.test', 'proxy.corp.test'],
    [
      'datahub.corp.test:8080',
      'Connect Timeout Error (attempted address: proxy.corp.test:3128, timeout: 10000ms)',
      'proxy.corp.test:3128',
    ],
    ['datahub.corp.test:8080', 'connect ECONNREFUSED 192.0.2.7:8080', undefined],
    ['datahub.corp.test', 'connect ECONNREFUSED 192.0.2.7:443', undefined],
    ['[::1]:8080', 'connect ECONNREFUSED ::1:8080', undefined],
    ['datahub.corp.test', 'getaddrinfo ENOTFOUND datahub.corp.test', undefined],
    ['datahub.corp.test:1', 'Connect Timeout Error (attempted address: datahub.corp.test:1, timeout: 1ms)', undefined],
  ] as const) {
    test(`names ${proxy ?? 'no proxy'} of ${host}: ${message}`, () => {
      const failure = networkFailure(fetchError('', message), host, READING);
      if (proxy === undefined) {
        assert.doesNotMatch(failure.advice, /proxy at/);
      } else {
        assert.equal(failure.message, `Can't reach the proxy at ${proxy}.`);
        assert.match(failure.next ?? '', /http\.proxy/);
      }
    });
  }

  test('is searched for in six causes and among the errors of several addresses, even if the causes are circular', () => {
    const refused = fetchError('ECONNREFUSED', 'connect ECONNREFUSED ::1:8080');
    const below = (depth: number, cause: Error): Error =>
      depth === 0 ? cause : below(depth - 1, new Error('', { cause }));
    const circular = new Error('x');
    circular.cause = circular;
    for (const [thrown, message] of [
      [new AggregateError([refused], ''), /Can't reach/],
      [below(4, refused), /Can't reach/],
      [below(5, refused), /closed the connection/],
      [circular, /closed the connection/],
    ] as const) {
      assert.match(networkFailure(thrown, 'localhost:8080', READING).message, message);
    }
  });

  test('does not mistake the server’s name for a reason', () => {
    for (const [host, code, message, told] of [
      ['redirect-policy.proxy.test', 'ENOTFOUND', 'getaddrinfo ENOTFOUND redirect-policy.proxy.test', /Can't find/],
      ['proxy', 'ECONNRESET', 'disconnected before secure TLS connection to proxy was established', /closed the conn/],
    ] as const) {
      assert.match(networkFailure(fetchError(code, message), `${host}:443`, READING).message, told);
    }
  });

  test('is never shown, not even if it has no known reason', () => {
    const unknown = new Error(`header Bearer ${CREDENTIAL} is invalid`);
    for (const thrown of [unknown, CREDENTIAL, undefined, null, 7, { code: 'ECONNREFUSED' }]) {
      const failure = networkFailure(thrown, 'datahub.example.com', READING);
      assert.equal(failure.kind, 'unreachable');
      assert.ok(!JSON.stringify(failure).includes('eyJ') && !failure.message.includes('eyJ'));
    }
  });
});

suite('In the window of a remote machine, while the extension runs on the user’s', () => {
  const remote = 'SSH: bastion';

  const HERE = "Can't reach d.test:8080 from this computer. The extension runs here, not on SSH: bastion.";

  for (const [what, code, message, isThere] of [
    ['nothing that listens', 'ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:8080', true],
    ['an unknown name', 'ENOTFOUND', 'getaddrinfo ENOTFOUND d.test', true],
    ['a connection that takes too long', 'UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error', true],
    ['a certificate', 'CERT_HAS_EXPIRED', 'certificate has expired', false],
    ['a proxy', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:3128', false],
    ['a proxy that blocks the request', '', 'net::ERR_TUNNEL_CONNECTION_FAILED', false],
    ['a port that is blocked', '', 'bad port', false],
    ['a connection that broke', 'ECONNRESET', 'read ECONNRESET', false],
  ] as const) {
    test(`${what} ${isThere ? 'says that the server may be reachable from there' : 'is told as everywhere'}`, () => {
      const thrown = fetchError(code, message);
      const [elsewhere, failure] = [undefined, remote].map((one) =>
        networkFailure(thrown, 'd.test:8080', READING, one),
      );
      assert.equal(failure?.message, isThere ? HERE : elsewhere?.message);
      assert.equal(failure?.next?.startsWith('Run the extension on the remote machine'), isThere);
      assert.deepEqual([failure?.mayBeReachedFromRemote, elsewhere?.mayBeReachedFromRemote], [isThere, false]);
    });
  }
});
