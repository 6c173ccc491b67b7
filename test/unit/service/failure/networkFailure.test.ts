/** Every reason for a missing response, on a real socket if a test can cause it there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { networkFailure } from '../../../../src/service/failure/networkFailure.ts';
import { testAuthority, testCertificate } from '../../../service/certificates.ts';
import { CREDENTIAL, READING, assertTellable, failureOf, transportAt } from '../clients.ts';

const selfSigned = readFileSync(new URL('self-signed.pem', import.meta.url), 'utf8');

/** Port of a server that listens during a test. */
async function listening(context: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  context.after(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function secureServer(cert: string): Server {
  return createHttpsServer({ key: testCertificate('loopback').key, cert }, (_, response) => response.end('{}'));
}

async function failureAt(baseUrl: string): Promise<ServiceFailure> {
  const failure = await failureOf(
    transportAt(baseUrl).exchange({ operation: READING, method: 'GET', path: '/config' }),
  );
  assert.equal(failure.operation, 'reading');
  assert.ok(failure.next?.endsWith('.'), 'there is a next step');
  assert.ok(!JSON.stringify(failure).includes(CREDENTIAL));
  return failure;
}

/** Address of a server with a certificate whose authority this process trusts during the test. */
async function trusted(context: TestContext, kind: 'loopback' | 'expired' | 'other-name'): Promise<string> {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, testAuthority()]);
  context.after(() => setDefaultCACertificates(before));
  return `https://127.0.0.1:${await listening(context, secureServer(testCertificate(kind).cert))}`;
}

suite('No response', () => {
  test('because nothing listens', async (context) => {
    const server = createServer();
    const port = await listening(context, server);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const failure = await failureAt(`http://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'unreachable');
    assert.equal(failure.message, `Can't reach 127.0.0.1:${port}.`);
    assert.equal(failure.mayHaveActed, false);
  });

  test('because the name is unknown', async () => {
    const failure = await failureAt('http://no-such-server.invalid:8080');
    assert.equal(failure.kind, 'unreachable');
    assert.match(failure.message, /^(?:Can't find|Couldn't look up) no-such-server\.invalid:8080\.$/);
    assert.equal(failure.mayHaveActed, false);
  });

  test('because the authority of the certificate is unknown', async (context) => {
    const port = await listening(context, secureServer(testCertificate('loopback').cert));
    const failure = await failureAt(`https://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'tls');
    assert.match(failure.message, /issued by an authority this machine doesn't trust/);
    assert.match(failure.next ?? '', /NODE_EXTRA_CA_CERTS/);
  });

  test('because the certificate is self-signed', async (context) => {
    const port = await listening(context, secureServer(selfSigned));
    const failure = await failureAt(`https://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'tls');
    assert.match(failure.message, /issued by an authority this machine doesn't trust/);
  });

  test('because the server speaks plain HTTP where TLS is expected', async (context) => {
    const port = await listening(
      context,
      createHttpServer((_, response) => response.end('{}')),
    );
    const failure = await failureAt(`https://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'tls');
    assert.equal(failure.message, `Couldn't establish a secure connection to 127.0.0.1:${port}.`);
    assert.match(failure.next ?? '', /start the address with http:\/\//);
  });

  test('because the response is not HTTP', async (context) => {
    const port = await listening(
      context,
      createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    );
    const failure = await failureAt(`http://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'unexpectedAnswer');
    assert.match(failure.message, /didn't respond with HTTP/);
  });

  test('because fetch blocks the port: nothing is sent, nor is it again', async () => {
    const failure = await failureAt('http://127.0.0.1:10080');
    assert.equal(failure.message, "The port of 127.0.0.1:10080 can't be used, so nothing was sent.");
    assert.deepEqual([failure.kind, failure.transient, failure.mayHaveActed], ['unreachable', false, false]);
  });

  test('because the headers do not end', async (context) => {
    const port = await listening(
      context,
      createServer((socket) =>
        socket.on('error', () => undefined).write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}`),
      ),
    );
    const failure = await failureAt(`http://127.0.0.1:${port}`);
    assert.equal(failure.kind, 'tooLarge');
  });

  for (const [when, said] of Object.entries({
    'before any data': '',
    'within the headers': 'HTTP/1.1 200 OK\r\nContent-Ty',
    'within the body': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":',
    'within a chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"value":',
  })) {
    test(`because the connection was cut ${when}`, async (context) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(said, () => socket.destroy()));
      });
      const failure = await failureAt(`http://127.0.0.1:${await listening(context, server)}`);
      assert.equal(failure.kind, 'unreachable');
      assert.match(failure.message, /closed the connection unexpectedly/);
      assert.equal(failure.mayHaveActed, true, 'the request had arrived');
      assert.equal(failure.transient, true);
    });
  }
});

/** Last, because the authority stays trusted from then on. */
suite('No response although the authority is trusted', { concurrency: false }, () => {
  test('because the certificate has expired', async (context) => {
    const failure = await failureAt(await trusted(context, 'expired'));
    assert.equal(failure.kind, 'tls');
    assert.match(failure.message, /has expired or isn't valid yet/);
    assert.match(failure.next ?? '', /clock/);
  });

  test('because the certificate is issued for a different name', async (context) => {
    const failure = await failureAt(await trusted(context, 'other-name'));
    assert.equal(failure.kind, 'tls');
    assert.match(failure.message, /issued for a different name/);
  });

  test('does not happen with a valid certificate', async (context) => {
    const answer = await transportAt(await trusted(context, 'loopback')).exchange({
      operation: READING,
      method: 'GET',
      path: '/config',
    });
    assert.equal(answer.text, '{}');
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

  for (const [code, said, advice] of [
    ['CERT_REVOKED', /^The certificate for d\.test was revoked\.$/, /administrator/],
    ['CERT_CHAIN_TOO_LONG', /^Couldn't .* to d\.test \(CERT_CHAIN_TOO_LONG\)\.$/, /administrator/],
    ['INVALID_PURPOSE', /\(INVALID_PURPOSE\)/, /administrator/],
    ['CRL_HAS_EXPIRED', /\(CRL_HAS_EXPIRED\)/, /administrator/],
    ['UNABLE_TO_GET_CRL', /\(UNABLE_TO_GET_CRL\)/, /administrator/],
    ['CERT_UNTRUSTED', /an authority this machine doesn't trust/, /NODE_EXTRA_CA_CERTS/],
    ['HOSTNAME_MISMATCH', /a different name/, /administrator/],
    [
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
      /^Couldn't .* to d\.test \(ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION\)\.$/,
      /administrator/,
    ],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /requires a client certificate/, /requires none/],
    ['ERR_BAD_SSL_CLIENT_AUTH_CERT', /requires a client certificate/, /requires none/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /^Couldn't establish a secure connection to d\.test\.$/, /http:\/\//],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /^Couldn't establish a secure connection to d\.test\.$/, /http:\/\//],
  ] as const) {
    test(`names the reason of TLS, and plain HTTP only for its signs: ${code}`, () => {
      const { kind, message, next = '' } = networkFailure(fetchError(code, 'x'), 'd.test', READING);
      assert.equal(kind, 'tls');
      assert.match(message, said);
      assert.match(next, advice);
      assert.equal(/http:\/\//.test(next), String(advice).includes('http'));
    });
  }

  for (const [code, message, kind, sentence, mayHaveActed] of [
    ['EHOSTUNREACH', 'connect EHOSTUNREACH 192.0.2.1:443', 'unreachable', /No network route/, false],
    ['ENETUNREACH', 'connect ENETUNREACH 2001:db8::1:443', 'unreachable', /No network route/, false],
    ['EHOSTUNREACH', 'read EHOSTUNREACH', 'unreachable', /closed the connection/, true],
    ['ENETDOWN', 'connect ENETDOWN 192.0.2.1:443', 'unreachable', /No network route/, false],
    ['ENETDOWN', 'read ENETDOWN', 'unreachable', /closed the connection/, true],
    ['ECONNRESET', 'proxy 192.0.2.1:3128: read ECONNRESET', 'unreachable', /The proxy blocked/, true],
    ['ETIMEDOUT', 'proxy 192.0.2.1:3128: write ETIMEDOUT', 'unreachable', /The proxy blocked/, true],
    ['ETIMEDOUT', 'proxy 192.0.2.1:3128: spread EVERYWHERE', 'unreachable', /The proxy blocked/, false],
    ['ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443', 'timedOut', /Timed out connecting/, false],
    ['ETIMEDOUT', 'read ETIMEDOUT', 'unreachable', /closed the connection/, true],
    ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error', 'timedOut', /Timed out connecting/, false],
    ['UND_ERR_BODY_TIMEOUT', 'Body Timeout Error', 'unreachable', /closed the connection/, true],
    ['CERT_NOT_YET_VALID', 'certificate is not yet valid', 'tls', /has expired or isn't valid yet/, false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'tls', /doesn't trust/, false],
    ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling', 'unreachable', /The proxy blocked/, false],
    ['', 'net::ERR_PROXY_CONNECTION_FAILED', 'unreachable', /The proxy blocked/, false],
    ['', 'net::ERR_NAME_NOT_RESOLVED', 'unreachable', /Can't find/, false],
    ['', 'net::ERR_CERT_AUTHORITY_INVALID', 'tls', /doesn't trust/, false],
    ['', 'net::ERR_CERT_DATE_INVALID', 'tls', /has expired or isn't valid yet/, false],
    ['', 'net::ERR_CERT_COMMON_NAME_INVALID', 'tls', /a different name/, false],
    ['', 'net::ERR_CONNECTION_REFUSED', 'unreachable', /Can't reach/, false],
    ['', 'net::ERR_INTERNET_DISCONNECTED', 'unreachable', /No network route/, false],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN datahub.example.com', 'unreachable', /Couldn't look up/, false],
    ['CERT_REJECTED', 'certificate rejected', 'tls', /Couldn't establish a secure connection/, true],
    [
      'EPROTO',
      'read EPROTO: SSL routines:ssl3_read_bytes:decryption failed or bad record mac',
      'tls',
      /Couldn't establish a secure connection/,
      true,
    ],
    [
      'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
      'decryption failed or bad record mac',
      'tls',
      /Couldn't establish a secure connection/,
      true,
    ],
    ['', 'net::ERR_SSL_PROTOCOL_ERROR', 'tls', /Couldn't establish a secure connection/, true],
    ['HPE_INVALID_CONSTANT', 'Expected HTTP/', 'unexpectedAnswer', /didn't respond with HTTP/, true],
    ['', 'net::ERR_INVALID_HTTP_RESPONSE', 'unexpectedAnswer', /didn't respond with HTTP/, true],
    ['UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error', 'tooLarge', /headers .* too large/, true],
    ['', 'net::ERR_RESPONSE_HEADERS_TOO_BIG', 'tooLarge', /headers .* too large/, true],
    ['', 'net::ERR_SOMETHING_NEW', 'unreachable', /closed the connection/, true],
  ] as const) {
    test(`is recognized by its code: ${code} ${message}`, () => {
      const failure = networkFailure(fetchError(code, message), 'datahub.example.com', READING);
      assertTellable(failure);
      assert.equal(failure.kind, kind);
      assert.equal(
        failure.transient,
        code === 'EAI_AGAIN' || failure.message.includes('closed the connection'),
        'a moment later it may be well',
      );
      assert.match(failure.message, sentence);
      assert.equal(failure.mayHaveActed, mayHaveActed);
    });
  }

  test('is recognized among the errors of several addresses', () => {
    const tried = new AggregateError([fetchError('ECONNREFUSED', 'connect ECONNREFUSED ::1:8080')], '');
    assert.match(
      networkFailure(new TypeError('fetch failed', { cause: tried }), 'localhost:8080', READING).message,
      /Can't reach/,
    );
  });

  test('is searched for in six causes, even if the causes are circular', () => {
    const chain = (depth: number): Error =>
      depth === 0
        ? Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
        : new Error('x', { cause: chain(depth - 1) });
    assert.match(networkFailure(chain(5), 'localhost', READING).message, /Can't reach/);
    assert.match(networkFailure(chain(6), 'localhost', READING).message, /closed the connection/);
    const endless = new Error('x');
    endless.cause = endless;
    assert.match(networkFailure(endless, 'localhost', READING).message, /closed the connection/);
  });

  test('does not mistake the server’s name for a reason', () => {
    const noName = fetchError('ENOTFOUND', 'getaddrinfo ENOTFOUND redirect-policy.proxy.example.com');
    assert.match(networkFailure(noName, 'redirect-policy.proxy.example.com:443', READING).message, /Can't find/);
    const cut = fetchError(
      'ECONNRESET',
      'Client network socket disconnected before secure TLS connection to proxy was established',
    );
    assert.match(networkFailure(cut, 'proxy:443', READING).message, /closed the connection/);
  });

  test('is never shown, not even if it has no known reason', () => {
    for (const thrown of [
      new Error(`header Bearer ${CREDENTIAL} is invalid`),
      CREDENTIAL,
      undefined,
      null,
      7,
      { code: 'ECONNREFUSED' },
    ]) {
      const failure = networkFailure(thrown, 'datahub.example.com', READING);
      assert.equal(failure.kind, 'unreachable');
      assert.ok(!JSON.stringify(failure).includes('eyJ') && !failure.message.includes('eyJ'));
    }
  });
});

suite('In the window of a remote machine, while the extension runs on the user’s', () => {
  const remote = 'SSH: bastion';

  for (const [code, message] of [
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:8080'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND gms.internal'],
    ['EHOSTUNREACH', 'connect EHOSTUNREACH 127.0.0.1:8080'],
    ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'],
  ] as const) {
    test(`${code} says that the server may be reachable from there`, () => {
      const host = message.includes('gms') ? 'gms.internal:8080' : '127.0.0.1:8080';
      const thrown = fetchError(code, message);
      const failure = networkFailure(thrown, host, READING, remote);
      assert.equal(
        failure.message,
        `Can't reach ${host} from this computer. The extension runs here, not on SSH: bastion.`,
      );
      assert.equal(failure.next, 'Run the extension on the remote machine, or forward the port.');
      assert.equal(failure.mayBeReachedFromRemote, true);
      assert.equal(networkFailure(thrown, host, READING).mayBeReachedFromRemote, false);
    });
  }

  for (const [what, thrown] of Object.entries({
    'a certificate': fetchError('CERT_HAS_EXPIRED', 'certificate has expired'),
    'a proxy': fetchError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:3128'),
    'a proxy that blocks the request': fetchError('', 'net::ERR_TUNNEL_CONNECTION_FAILED'),
    'a port that is blocked': fetchError('', 'bad port'),
    'a connection that broke': fetchError('ECONNRESET', 'read ECONNRESET'),
  })) {
    test(`${what} is the reason as everywhere`, () => {
      const failure = networkFailure(thrown, 'datahub.example.com', READING, remote);
      assert.equal(failure.message, networkFailure(thrown, 'datahub.example.com', READING).message);
      assert.equal(failure.mayBeReachedFromRemote, false);
    });
  }
});
