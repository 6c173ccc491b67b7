import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { suite, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { readableServerText } from '../../../../src/service/failure/redaction.ts';
import { systemNetwork, systemNetworkOf, type NetworkAccess } from '../../../../src/service/http/network.ts';
import type {
  ExchangeRecord,
  SentSecrets,
  Transport,
  TransportOptions,
  TransportResponse,
} from '../../../../src/service/http/transport.ts';
import { SteppedClock } from '../../steppedClock.ts';
import { ALWAYS, CREDENTIAL, READING, failureOf, transportAt, type TransportRequest, GET } from '../clients.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

function endless(): Readable {
  const piece = Buffer.alloc(16_384, 'x');
  return new Readable({
    read() {
      this.push(piece);
    },
  });
}

const POST = {
  operation: READING,
  method: 'POST',
  path: '/api/graphql',
  body: '{"query":"{ me }"}',
  headers: { 'X-Service-Actor': 'urn:li:corpuser:jdoe' },
} as const satisfies TransportRequest;

interface Served {
  readonly server: WireServer;
  readonly transport: Transport;
}

/** A server and a client of it. It answers `{}` by default. */
async function serving(
  context: TestContext,
  options: Partial<TransportOptions> = {},
  answer: Answerer = (_, response) => reply(response, 200, {}),
): Promise<Served> {
  const server = await wireServer(context, answer);
  return { server, transport: transportAt(server.url, options) };
}

suite('A request', () => {
  test('has the credential, the caller’s headers and the body, and nothing else', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, '{"ok":true}'));
    const network = systemNetworkOf('1.2.3');
    const answer = await transportAt(`${server.url}/datahub`, { network }).exchange(POST);
    assert.deepEqual([answer.text, answer.withCredential], ['{"ok":true}', true]);
    const [{ method, path, body, headers } = assert.fail('no request')] = server.requests;
    assert.deepEqual([method, path, body], ['POST', '/datahub/api/graphql', POST.body]);
    assert.equal(headers.authorization, `Bearer ${CREDENTIAL}`);
    assert.equal(headers['x-service-actor'], 'urn:li:corpuser:jdoe');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.accept, 'application/json');
    // So that operators can tell it from other programs.
    assert.equal(headers['user-agent'], 'metadata-service-vscode/1.2.3');
    assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
  });

  test("uses no cookies or cache and follows no redirect, whatever the network stack's defaults", async (context) => {
    const asked: (RequestInit | undefined)[] = [];
    const fetch: NetworkAccess['fetch'] = (url, init) => (asked.push(init), globalThis.fetch(url, init));
    const { transport } = await serving(context, { network: { ...systemNetwork, fetch } });
    await transport.exchange(GET);
    await transport.exchange(POST);
    assert.equal(asked.length, 2);
    for (const init of asked) {
      assert.deepEqual([init?.credentials, init?.cache, init?.redirect], ['omit', 'no-store', 'manual']);
    }
  });

  test('of a signed-out connection has no credential', async (context) => {
    const { server, transport } = await serving(context, { readSecrets: () => Promise.resolve({}) });
    assert.equal((await transport.exchange(GET)).withCredential, false);
    const [{ headers } = assert.fail('no request')] = server.requests;
    assert.deepEqual([headers.authorization, headers['content-type']], [undefined, undefined], 'there is no content');
  });

  test('has the additional headers, even to an unidentified server, but none that replaces one of its own', async (context) => {
    const headers = { 'CF-Access-Client-Secret': 'of-the-gateway', 'Proxy-Authorization': 'Bearer of-the-proxy' };
    const asked: boolean[] = [];
    const { server, transport } = await serving(context, {
      readSecrets: (withToken) => {
        asked.push(withToken);
        return Promise.resolve({ token: CREDENTIAL, headers: { ...headers, Accept: 'text/html' } });
      },
    });
    assert.equal((await transport.exchange({ ...GET, anonymous: true })).withCredential, false);
    await transport.exchange(POST);
    assert.deepEqual(asked, [false, true], 'whether the keychain is asked for the token');
    for (const seen of server.requests) {
      assert.equal(seen.headers['cf-access-client-secret'], 'of-the-gateway');
      assert.equal(seen.headers['proxy-authorization'], 'Bearer of-the-proxy');
      assert.equal(seen.headers.accept, 'application/json');
    }
    assert.deepEqual(
      server.requests.map((seen) => seen.headers.authorization),
      [undefined, `Bearer ${CREDENTIAL}`],
    );
    assert.doesNotMatch(readableServerText('Refused: of-the-gateway', READING) ?? '', /of-the-gateway/);
  });

  for (const path of [
    'https://evil.example.com/',
    'config',
    '/../../config',
    '/%2e%2e/config',
    '@evil.example.com/',
    '.evil.example.com/',
    '\\\\evil.example.com/',
  ]) {
    test(`cannot leave the connection's address by the path ${path}`, async (context) => {
      const { server } = await serving(context);
      const failure = await failureOf(transportAt(`${server.url}/base`).exchange({ ...GET, path }));
      assert.deepEqual([failure.kind, server.requests], ['badRequest', []]);
    });
  }

  test('stays on this server although its path begins like another address', async (context) => {
    const { server, transport } = await serving(context);
    await transport.exchange({ ...GET, path: '//evil.example.com/config' });
    assert.equal(server.requests[0]?.path, '//evil.example.com/config');
  });
});

suite('A redirect', () => {
  for (const status of [300, 301, 302, 303, 307, 308]) {
    test(`${status} is refused, and its target gets no request`, async (context) => {
      const elsewhere = await wireServer(context, (_, response) => reply(response, 200, { data: {} }));
      const server = await wireServer(context, (request, response) => {
        const location = request.path === '/config' ? `${elsewhere.url}/steal` : '/log-in';
        reply(response, status, '<html>Sign in</html>', { location });
      });
      for (const request of [GET, POST]) {
        const failure = await failureOf(transportAt(server.url).exchange(request));
        assert.equal(failure.kind, 'redirected');
        assert.match(failure.next ?? '', /sign-in page/);
        assert.equal(failure.mayHaveActed, true, 'the server may have acted before it answered like this');
      }
      assert.equal(elsewhere.requests.length, 0);
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/config', '/api/graphql'],
        'not on the same server either',
      );
    });
  }

  for (const [base, location, isToTls] of [
    ['http://datahub.test', 'https://datahub.test/config', true],
    ['http://datahub.test:8080', 'https://datahub.test:8443/config', true],
    ['http://datahub.test', 'https://sign-in.test/', false],
    ['https://datahub.test', 'https://datahub.test/login', false],
    ['http://datahub.test', '//[', false],
  ] as const) {
    test(`from ${base} to ${location} asks for ${isToTls ? 'another scheme' : 'another address, or headers'}`, async () => {
      const answer = (): Promise<Response> =>
        Promise.resolve(new Response(null, { status: 301, headers: { location } }));
      const transport = transportAt(base, { network: { ...systemNetwork, fetch: answer } });
      const { next, isFromGateway } = await failureOf(transport.exchange(GET));
      assert.deepEqual([/start the address with https/.test(next ?? ''), isFromGateway], [isToTls, !isToTls]);
    });
  }

  test('has a body that is not read: the connection is closed', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const { transport } = await serving(context, {}, (_, response) => {
      response.on('close', () => hungUp.resolve());
      response.writeHead(302, { location: '/log-in' });
      endless().pipe(response);
    });
    assert.equal((await failureOf(transport.exchange(GET))).kind, 'redirected');
    await hungUp.promise;
  });

  test('is refused too if the network stack hides its target', async () => {
    const opaque: NetworkAccess = {
      ...systemNetwork,
      fetch: () => Promise.resolve(Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })),
    };
    const failure = await failureOf(transportAt('https://datahub.example.com', { network: opaque }).exchange(POST));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['redirected', true]);
  });
});

/**
 * Failure of a request that arrived and timed out. Tried again with longer limits if the machine is too busy for it
 * to arrive in time.
 */
async function timedOut(server: WireServer, request: TransportRequest): Promise<ServiceFailure> {
  for (const timeoutMillis of [50, 1_000, 20_000]) {
    const failure = await failureOf(transportAt(server.url, { timeoutMillis: () => timeoutMillis }).exchange(request));
    if (server.requests.length > 0) {
      return failure;
    }
  }
  return assert.fail('the request never arrived');
}

suite('A slow server', () => {
  for (const [what, begin] of [
    ['that never answers', () => () => undefined],
    [
      'that sends a byte now and then',
      (response: ServerResponse) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 5);
        return () => clearInterval(drip);
      },
    ],
  ] as const) {
    test(`${what} fails the request at the time limit, which closes the connection`, async (context) => {
      const hungUp = Promise.withResolvers<void>();
      const server = await wireServer(context, (_, response) => {
        const end = begin(response);
        response.on('close', () => (end(), hungUp.resolve()));
      });
      const failure = await timedOut(server, POST);
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['timedOut', true]);
      assert.match(failure.next ?? '', /metadataService\.requestTimeoutSeconds/);
      await hungUp.promise;
    });
  }

  test('can have a separate limit for one request', async (context) => {
    const { transport } = await serving(context, {}, () => undefined);
    const failure = await failureOf(transport.exchange({ ...GET, timeoutMillis: 1 }));
    assert.deepEqual([failure.kind, failure.next], ['timedOut', 'Try again.']);
  });

  test('has 30 s from sending for a one-time response, despite a short limit or a slow keychain', async (context) => {
    const sent = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const clock = new SteppedClock();
    const keychain = Promise.withResolvers<SentSecrets>();
    const options = {
      readSecrets: () => keychain.promise,
      network: { ...systemNetwork, clock },
      timeoutMillis: () => 5_000,
    };
    const { transport } = await serving(context, options, async (_, response) => {
      sent.resolve();
      await answer.promise;
      reply(response, 200, '{"once":true}');
    });
    const work = transport.exchange({ ...POST, mayStillSend: ALWAYS });
    clock.advance(4_900);
    keychain.resolve({ token: CREDENTIAL });
    await sent.promise;
    clock.advance(29_900);
    answer.resolve();
    assert.equal((await work).text, '{"once":true}');
    assert.equal(clock.waiting, 0, 'no timer is left');
  });

  test('fails the request after these 30 s', async (context) => {
    const sent = Promise.withResolvers<void>();
    const clock = new SteppedClock();
    const options = { network: { ...systemNetwork, clock }, timeoutMillis: () => 5_000 };
    const { transport } = await serving(context, options, () => sent.resolve());
    const work = failureOf(transport.exchange({ ...POST, mayStillSend: ALWAYS }));
    await sent.promise;
    clock.advance(30_000);
    assert.match((await work).message, /didn't respond within 30 s\.$/);
  });

  for (const millis of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, 2 ** 31]) {
    test(`can have a limit too long for a timer: ${millis} ms`, async (context) => {
      const { transport } = await serving(context, { timeoutMillis: () => millis });
      assert.equal((await transport.exchange(GET)).status, 200);
    });
  }

  for (const millis of [Number.NaN, -1, 0]) {
    test(`can have a limit that is none: ${millis} ms`, async (context) => {
      const { transport } = await serving(context, { timeoutMillis: () => millis }, () => undefined);
      const failure = await failureOf(transport.exchange(GET));
      assert.equal(failure.kind, 'timedOut');
      assert.match(failure.message, /didn't respond within 1 s\.$/);
    });
  }
});

suite('A cancelled request', () => {
  for (const [how, closes] of [
    ['by its caller', false],
    ['by closing the connection', true],
  ] as const) {
    test(`is aborted ${how} on the wire, where the server sees it`, async (context) => {
      const [arrived, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { transport } = await serving(context, {}, (_, response) => {
        response.on('close', () => hungUp.resolve());
        response.writeHead(200).write('{');
        arrived.resolve();
      });
      const control = new AbortController();
      const work = failureOf(transport.exchange({ ...POST, signal: control.signal }));
      await arrived.promise;
      if (closes) {
        transport.close();
      } else {
        control.abort();
      }
      const { kind, mayHaveActed } = await work;
      assert.deepEqual([kind, mayHaveActed], ['cancelled', true], 'it had been sent');
      await hungUp.promise;
    });
  }

  test('is not sent at all if it was cancelled before, or the connection closed', async (context) => {
    const { server, transport } = await serving(context);
    const cancelled = { ...POST, signal: AbortSignal.abort() };
    const outcomes = [
      await failureOf(transport.exchange(cancelled)),
      await failureOf(transport.exchange({ ...cancelled, anonymous: true })),
    ];
    transport.close();
    outcomes.push(await failureOf(transport.exchange(GET)));
    for (const { kind, mayHaveActed } of outcomes) {
      assert.deepEqual([kind, mayHaveActed], ['cancelled', false]);
    }
    assert.equal(server.requests.length, 0);
  });
});

suite('A large answer', () => {
  test('without an end is abandoned at the limit', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const exchanges: ExchangeRecord[] = [];
    const options = { observe: (one: ExchangeRecord) => exchanges.push(one) };
    const { transport } = await serving(context, options, (_, response) => {
      response.on('close', () => hungUp.resolve());
      response.writeHead(200);
      endless().pipe(response);
    });
    const operation = { ...READING, largestAnswerBytes: 100_000 };
    const failure = await failureOf(transport.exchange({ ...POST, operation }));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['tooLarge', true]);
    await hungUp.promise;
    const { bytes } = exchanges[0] ?? assert.fail('not observed');
    assert.ok(bytes < 100_000 + 1_048_576, 'no more than one piece beyond the limit was taken');
  });

  test('is measured after decompression', async (context) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    assert.ok(bomb.length < 100_000);
    const { transport } = await serving(context, {}, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    const { kind, message } = await failureOf(transport.exchange(GET));
    assert.deepEqual([kind, message], ['tooLarge', "The server's response is larger than 1 MB and was discarded."]);
  });

  test('exactly at the limit is accepted', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, 'x'.repeat(1_000)));
    const asked = (largestAnswerBytes: number): Promise<TransportResponse> =>
      transportAt(server.url).exchange({ ...GET, operation: { ...READING, largestAnswerBytes } });
    assert.equal((await asked(1_000)).text.length, 1_000);
    assert.equal((await failureOf(asked(999))).kind, 'tooLarge');
  });

  test('may split characters between its pieces, and end in the middle of one', async () => {
    // Over a socket, several pieces may arrive as one.
    const answered = async (bytes: Uint8Array): Promise<string> => {
      const pieces = new ReadableStream<Uint8Array>({
        start: (stream) => {
          bytes.forEach((byte) => stream.enqueue(Uint8Array.of(byte)));
          stream.close();
        },
      });
      const fetch = (): Promise<Response> => Promise.resolve(new Response(pieces));
      const transport = transportAt('https://datahub.example.com', { network: { ...systemNetwork, fetch } });
      return (await transport.exchange(GET)).text;
    };
    const bytes = Buffer.from('größe 😀');
    assert.equal(await answered(bytes), 'größe 😀');
    assert.equal(await answered(bytes.subarray(0, -1)), 'größe \uFFFD');
  });
});

suite('A credential', () => {
  test(`fails the request with its reason if it can't be read, and nothing is sent`, async (context) => {
    const readSecrets = (): Promise<never> => Promise.reject(new ServiceFailure('badRequest', 'No consent.'));
    const { server, transport } = await serving(context, { readSecrets });
    assert.equal((await failureOf(transport.exchange(GET))).message, 'No consent.');
    assert.equal(server.requests.length, 0);
  });

  test('does not block a request if it never arrives', async (context) => {
    const readSecrets = (): Promise<never> => new Promise(() => undefined);
    const { server, transport } = await serving(context, { readSecrets, timeoutMillis: () => 50 });
    const failure = await failureOf(transport.exchange(GET));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['storage', false]);
    const control = new AbortController();
    const work = transport.exchange({ ...GET, timeoutMillis: 20_000, signal: control.signal });
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.equal(server.requests.length, 0);
  });

  for (const token of ['two words', 'line\r\nX-Evil: 1', 'größe', '', '\u0000']) {
    test(`is not sent and not shown if it is malformed (${JSON.stringify(token)})`, async (context) => {
      const { server, transport } = await serving(context, { readSecrets: () => Promise.resolve({ token }) });
      const failure = await failureOf(transport.exchange(GET));
      assert.equal(failure.kind, 'signedOut');
      assert.ok(token === '' || !JSON.stringify(failure).includes(token));
      assert.equal(server.requests.length, 0);
    });
  }

  test('stops the next request from being sent if it was removed since the last one', async (context) => {
    const tokens = [CREDENTIAL];
    const readSecrets = (): Promise<SentSecrets> => Promise.resolve({ token: tokens.shift() });
    const { server, transport } = await serving(context, { readSecrets });
    await transport.exchange(GET);
    const { kind, message, next, mayHaveActed } = await failureOf(transport.exchange(POST));
    assert.deepEqual(
      [kind, message, next, mayHaveActed],
      ['signedOut', 'This connection was signed out.', 'Sign in again.', false],
    );
    assert.equal(server.requests.length, 1);
  });
});

suite('An observer', () => {
  test('receives each exchange and its duration, but no header and no body', async (context) => {
    const exchanges: ExchangeRecord[] = [];
    const clock = new SteppedClock();
    const options = { observe: (one: ExchangeRecord) => exchanges.push(one), network: { ...systemNetwork, clock } };
    const { transport } = await serving(context, options, (request, response) => {
      clock.advance(1_234);
      reply(response, request.path === '/config' ? 503 : 200, 'answer-body');
    });
    await transport.exchange(GET);
    await transport.exchange({ ...POST, body: '{"query":"request-body"}' });
    transport.close();
    await failureOf(transport.exchange(GET));
    const [get, post] = [
      { operation: 'reading', isChange: false, method: 'GET', path: '/config', bytes: 11, failure: undefined },
      { operation: 'reading', isChange: false, method: 'POST', path: '/api/graphql', bytes: 11, failure: undefined },
    ];
    assert.deepEqual(exchanges, [
      { ...get, status: 503, millis: 1_234 },
      { ...post, status: 200, millis: 1_234 },
      { ...get, status: undefined, bytes: 0, failure: 'cancelled', millis: 0 },
    ]);
  });
});
