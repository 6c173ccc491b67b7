import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { suite, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { systemNetwork, systemNetworkOf, type NetworkAccess } from '../../../../src/service/http/network.ts';
import type {
  ExchangeRecord,
  SentSecrets,
  TransportRequest,
  TransportResponse,
} from '../../../../src/service/http/transport.ts';
import { SteppedClock } from '../../steppedClock.ts';
import { ALWAYS, CREDENTIAL, READING, failureOf, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

function endless(): Readable {
  const piece = Buffer.alloc(16_384, 'x');
  return new Readable({
    read() {
      this.push(piece);
    },
  });
}

const GET: TransportRequest = { operation: READING, method: 'GET', path: '/config' };
const POST = {
  operation: READING,
  method: 'POST',
  path: '/api/graphql',
  body: '{"query":"{ me }"}',
  headers: { 'X-Service-Actor': 'urn:li:corpuser:jdoe' },
} as const satisfies TransportRequest;

suite('A request', () => {
  test('has the credential, the caller’s headers and the body, and nothing else', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, '{"ok":true}'));
    const answer = await transportAt(`${server.url}/datahub`).exchange(POST);
    assert.equal(answer.text, '{"ok":true}');
    assert.equal(answer.withCredential, true);
    const [seen] = server.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen.path, '/datahub/api/graphql');
    assert.equal(seen.body, POST.body);
    assert.equal(seen.headers.authorization, `Bearer ${CREDENTIAL}`);
    assert.equal(seen.headers['x-service-actor'], 'urn:li:corpuser:jdoe');
    assert.equal(seen.headers['content-type'], 'application/json');
    assert.equal(seen.headers.accept, 'application/json');
    assert.equal(seen.headers.cookie, undefined);
    assert.equal(seen.headers.referer, undefined);
  });

  test('names the extension and its version, so that operators can tell it from other programs', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const transport = transportAt(server.url, { network: systemNetworkOf('1.2.3') });
    await transport.exchange(GET);
    await transport.exchange(POST);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['user-agent']),
      ['metadata-service-vscode/1.2.3', 'metadata-service-vscode/1.2.3'],
    );
  });

  test("uses no cookies or cache and follows no redirect, whatever the network stack's defaults", async (context) => {
    const server = await wireServer(context, (_, response) =>
      reply(response, 200, {}, { 'set-cookie': 'session=1; Path=/' }),
    );
    const asked: (RequestInit | undefined)[] = [];
    const watched: NetworkAccess = {
      ...systemNetwork,
      fetch: (url, init) => {
        asked.push(init);
        return globalThis.fetch(url, init);
      },
    };
    for (const request of [GET, POST]) {
      await transportAt(server.url, { network: watched }).exchange(request);
    }
    assert.equal(asked.length, 2);
    for (const init of asked) {
      assert.deepEqual([init?.credentials, init?.cache, init?.redirect], ['omit', 'no-store', 'manual']);
    }
  });

  test('of a signed-out connection has no credential', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const answer = await transportAt(server.url, { readSecrets: () => Promise.resolve({}) }).exchange(GET);
    assert.equal(answer.withCredential, false);
    assert.equal(server.requests[0]?.headers.authorization, undefined);
    assert.equal(server.requests[0]?.headers['content-type'], undefined, 'there is no content');
  });

  test('to an unidentified server has no credential, even if there is one', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const transport = transportAt(server.url, {
      readSecrets: (withToken) => {
        assert.equal(withToken, false);
        return Promise.resolve({ token: CREDENTIAL });
      },
    });
    const answer = await transport.exchange({ ...GET, anonymous: true });
    assert.deepEqual([answer.withCredential, server.requests[0]?.headers.authorization], [false, undefined]);
  });

  test('has the additional headers, even to an unidentified server, but none that replaces one of its own', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const additional = { 'CF-Access-Client-Secret': 'of-the-gateway', 'Proxy-Authorization': 'Bearer of-the-proxy' };
    const transport = transportAt(server.url, {
      readSecrets: () => Promise.resolve({ token: CREDENTIAL, headers: additional }),
    });
    await transport.exchange({ ...GET, anonymous: true });
    await transport.exchange(POST);
    for (const { headers } of server.requests) {
      assert.equal(headers['cf-access-client-secret'], 'of-the-gateway');
      assert.equal(headers['proxy-authorization'], 'Bearer of-the-proxy');
      assert.equal(headers.accept, 'application/json');
    }
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      [undefined, `Bearer ${CREDENTIAL}`],
    );
    assert.doesNotMatch(transport.readableText('Refused: of-the-gateway', READING) ?? '', /of-the-gateway/);
  });

  test('is not sent if its additional headers can’t be read', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const transport = transportAt(server.url, { readSecrets: () => Promise.reject(new Error('locked')) });
    assert.equal((await failureOf(transport.exchange({ ...GET, anonymous: true }))).kind, 'storage');
    assert.deepEqual(server.requests, []);
  });

  test('returns its response whatever the status', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 418, 'short and stout'));
    const answer = await transportAt(server.url).exchange(GET);
    assert.deepEqual([answer.status, answer.text], [418, 'short and stout']);
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
      const server = await wireServer(context, (_, response) => reply(response, 200, {}));
      const failure = await failureOf(transportAt(`${server.url}/base`).exchange({ ...GET, path }));
      assert.equal(failure.kind, 'badRequest');
      assert.equal(server.requests.length, 0);
    });
  }
});

suite('A path that begins like another address', () => {
  test('stays a path of this one', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    await transportAt(server.url).exchange({ ...GET, path: '//evil.example.com/config' });
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
      const transport = transportAt(server.url);
      for (const request of [GET, POST]) {
        const failure = await failureOf(transport.exchange(request));
        assert.equal(failure.kind, 'redirected');
        assert.match(failure.next ?? '', /sign-in page/);
        assert.equal(
          failure.mayHaveActed,
          true,
          'the server may have done what was asked before it answered like this',
        );
      }
      assert.equal(elsewhere.requests.length, 0);
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/config', '/api/graphql'],
        'not on the same server either',
      );
    });
  }
});

suite('The body of a redirect', () => {
  test('is not read: the connection is closed', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const server = await wireServer(context, (_, response) => {
      response.on('close', () => hungUp.resolve());
      response.writeHead(302, { location: '/log-in' });
      endless().pipe(response);
    });
    assert.equal((await failureOf(transportAt(server.url).exchange(GET))).kind, 'redirected');
    await hungUp.promise;
  });
});

suite('A network stack that follows redirects by itself', () => {
  /**
   * Like Chromium below VS Code's own fetch: it also repeats a request that it may redirect when a connection is cut.
   */
  const resending: NetworkAccess = {
    ...systemNetwork,
    fetch: async (input, init) => {
      try {
        return await globalThis.fetch(input, init);
      } catch (thrown) {
        if (init?.redirect === 'manual') {
          throw thrown;
        }
        return globalThis.fetch(input, init);
      }
    },
  };

  test('never gets to send a request twice', async (context) => {
    const server = await wireServer(context, (_, response) => response.destroy());
    for (const request of [GET, POST]) {
      await failureOf(transportAt(server.url, { network: resending }).exchange(request));
    }
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      [GET.path, POST.path],
    );
  });

  test('hides the target of a redirect, which is refused nevertheless', async () => {
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
  test('fails the request at the time limit, which closes the connection', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const server = await wireServer(context, (_, response) => {
      response.on('close', () => hungUp.resolve());
    });
    const failure = await timedOut(server, POST);
    assert.equal(failure.kind, 'timedOut');
    assert.equal(failure.mayHaveActed, true);
    assert.match(failure.next ?? '', /metadataService\.requestTimeoutSeconds/);
    await hungUp.promise;
  });

  test('cannot exceed the limit by sending a byte now and then', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const server = await wireServer(context, (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => {
        clearInterval(drip);
        hungUp.resolve();
      });
    });
    assert.equal((await timedOut(server, GET)).kind, 'timedOut');
    await hungUp.promise;
  });

  test('can have a separate limit for one request', async (context) => {
    const server = await wireServer(context, () => undefined);
    assert.equal((await failureOf(transportAt(server.url).exchange({ ...GET, timeoutMillis: 1 }))).kind, 'timedOut');
  });

  test('has 30 s from sending for a one-time response, despite a short limit or a slow keychain', async (context) => {
    const sent = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const server = await wireServer(context, async (_, response) => {
      sent.resolve();
      await answer.promise;
      reply(response, 200, '{"once":true}');
    });
    const clock = new SteppedClock();
    const keychain = Promise.withResolvers<SentSecrets>();
    const transport = transportAt(server.url, {
      readSecrets: () => keychain.promise,
      network: { ...systemNetwork, clock },
      timeoutMillis: () => 5_000,
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
    const server = await wireServer(context, () => sent.resolve());
    const clock = new SteppedClock();
    const transport = transportAt(server.url, { network: { ...systemNetwork, clock }, timeoutMillis: () => 5_000 });
    const work = failureOf(transport.exchange({ ...POST, mayStillSend: ALWAYS }));
    await sent.promise;
    clock.advance(30_000);
    assert.match((await work).message, /didn't respond within 30 s\.$/);
  });

  test('can have any limit, even one too long for a timer', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    for (const timeoutMillis of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, 2 ** 31]) {
      assert.equal((await transportAt(server.url, { timeoutMillis: () => timeoutMillis }).exchange(GET)).status, 200);
    }
    for (const timeoutMillis of [Number.NaN, -1, 0]) {
      const hanging = await wireServer(context, () => undefined);
      const failure = await failureOf(transportAt(hanging.url, { timeoutMillis: () => timeoutMillis }).exchange(GET));
      assert.equal(failure.kind, 'timedOut');
      assert.match(failure.message, /didn't respond within 1 s\.$/);
    }
  });
});

suite('A cancelled request', () => {
  const cancelling = async (
    context: TestContext,
  ): Promise<{
    arrived: Promise<unknown>;
    hungUp: Promise<void>;
    work: Promise<TransportResponse>;
    cancel: () => void;
    close: () => void;
  }> => {
    const hungUp = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = await wireServer(context, (_, response) => {
      response.on('close', () => hungUp.resolve());
      response.writeHead(200).write('{');
      arrived.resolve();
    });
    const transport = transportAt(server.url);
    const control = new AbortController();
    const work = transport.exchange({ ...POST, signal: control.signal });
    return {
      arrived: arrived.promise,
      hungUp: hungUp.promise,
      work,
      cancel: () => control.abort(),
      close: () => transport.close(),
    };
  };

  test('is aborted on the wire, where the server sees it', async (context) => {
    const { arrived, hungUp, work, cancel } = await cancelling(context);
    await arrived;
    cancel();
    const failure = await failureOf(work);
    assert.equal(failure.kind, 'cancelled');
    assert.equal(failure.mayHaveActed, true, 'it had been sent');
    await hungUp;
  });

  test('results from closing the connection', async (context) => {
    const { arrived, hungUp, work, close } = await cancelling(context);
    await arrived;
    close();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    await hungUp;
  });

  test('is not sent at all if it was cancelled before, or the connection closed', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const transport = transportAt(server.url);
    const cancelledBefore = await failureOf(transport.exchange({ ...POST, signal: AbortSignal.abort() }));
    assert.deepEqual([cancelledBefore.kind, cancelledBefore.mayHaveActed], ['cancelled', false]);
    const unsigned = await failureOf(transport.exchange({ ...POST, anonymous: true, signal: AbortSignal.abort() }));
    assert.deepEqual([unsigned.kind, unsigned.mayHaveActed], ['cancelled', false]);
    transport.close();
    assert.equal((await failureOf(transport.exchange(GET))).kind, 'cancelled');
    assert.equal(server.requests.length, 0);
  });
});

suite('A large answer', () => {
  test('without an end is abandoned at the limit', async (context) => {
    const hungUp = Promise.withResolvers<void>();
    const server = await wireServer(context, (_, response) => {
      response.on('close', () => hungUp.resolve());
      response.writeHead(200);
      endless().pipe(response);
    });
    const exchanges: ExchangeRecord[] = [];
    const failure = await failureOf(
      transportAt(server.url, { largestAnswerBytes: 100_000, observe: (one) => exchanges.push(one) }).exchange(POST),
    );
    assert.equal(failure.kind, 'tooLarge');
    assert.equal(failure.mayHaveActed, true);
    await hungUp.promise;
    assert.ok(
      (exchanges[0]?.bytes ?? Infinity) < 100_000 + 1_048_576,
      'no more than one piece beyond the cap was taken',
    );
  });

  test('is measured after decompression', async (context) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    assert.ok(bomb.length < 100_000);
    const server = await wireServer(context, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    const failure = await failureOf(transportAt(server.url).exchange(GET));
    assert.deepEqual(
      [failure.kind, failure.message],
      ['tooLarge', "The server's response is larger than 1 MB and was discarded."],
    );
  });

  test('exactly at the limit is accepted', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, 'x'.repeat(1_000)));
    assert.equal((await transportAt(server.url, { largestAnswerBytes: 1_000 }).exchange(GET)).text.length, 1_000);
    const failure = await failureOf(transportAt(server.url, { largestAnswerBytes: 999 }).exchange(GET));
    assert.equal(failure.kind, 'tooLarge');
    assert.match(failure.message, /larger than 1 MB/);
  });

  test('may split characters between its pieces', async (context) => {
    const server = await wireServer(context, async (_, response) => {
      response.writeHead(200);
      for (const byte of Buffer.from('größe 😀')) {
        await new Promise((resolve) => {
          response.write(Buffer.from([byte]), resolve);
        });
      }
      response.end();
    });
    assert.equal((await transportAt(server.url).exchange(GET)).text, 'größe 😀');
  });
});

suite('A credential', () => {
  test(`fails the request with its reason if it can't be read, and nothing is sent`, async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const broken = transportAt(server.url, { readSecrets: () => Promise.reject(new Error(`keychain: ${CREDENTIAL}`)) });
    const failure = await failureOf(broken.exchange(GET));
    assert.equal(failure.kind, 'storage');
    assert.ok(!JSON.stringify(failure).includes('eyJ'));
    const reason = new ServiceFailure('badRequest', 'No consent.');
    assert.equal(
      (await failureOf(transportAt(server.url, { readSecrets: () => Promise.reject(reason) }).exchange(GET))).message,
      'No consent.',
    );
    assert.equal(server.requests.length, 0);
  });

  test('does not block a request if it never arrives', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const hanging = transportAt(server.url, {
      readSecrets: () => new Promise(() => undefined),
      timeoutMillis: () => 50,
    });
    const failure = await failureOf(hanging.exchange(GET));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['storage', false]);
    const control = new AbortController();
    const work = transportAt(server.url, { readSecrets: () => new Promise(() => undefined) }).exchange({
      ...GET,
      signal: control.signal,
    });
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.equal(server.requests.length, 0);
  });

  for (const credential of ['two words', 'line\r\nX-Evil: 1', 'größe', '', '\u0000']) {
    test(`is not sent and not shown if it is malformed (${JSON.stringify(credential)})`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, 200, {}));
      const failure = await failureOf(
        transportAt(server.url, { readSecrets: () => Promise.resolve({ token: credential }) }).exchange(GET),
      );
      assert.equal(failure.kind, 'signedOut');
      assert.ok(credential === '' || !JSON.stringify(failure).includes(credential));
      assert.equal(server.requests.length, 0);
    });
  }

  test('is masked in texts about a request that it was sent with, even if it was replaced since', async (context) => {
    let credential = 'first-credential-0123456789';
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const transport = transportAt(server.url, { readSecrets: () => Promise.resolve({ token: credential }) });
    await transport.exchange(GET);
    credential = 'other-credential-9876543210';
    await transport.exchange(GET);
    assert.equal(
      transport.readableText('got first-credential-0123456789 and other-credential-9876543210', READING),
      'got <redacted> and <redacted>',
    );
    assert.equal(transport.withoutSecrets('got first-credential-0123456789'), 'got <redacted>');
  });

  test('stops the next request from being sent if it was removed since the last one', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    let credential: string | undefined = CREDENTIAL;
    const transport = transportAt(server.url, { readSecrets: () => Promise.resolve({ token: credential }) });
    await transport.exchange(GET);
    credential = undefined;
    const failure = await failureOf(transport.exchange(POST));
    assert.deepEqual(
      [failure.kind, failure.message, failure.next, failure.mayHaveActed],
      ['signedOut', 'This connection was signed out.', 'Sign in again.', false],
    );
    assert.equal(server.requests.length, 1);
  });
});

suite('An observer', () => {
  test('receives each exchange, but no header and no body', async (context) => {
    const server = await wireServer(context, (request, response) =>
      reply(response, request.path === '/config' ? 503 : 200, 'answer-body'),
    );
    const exchanges: ExchangeRecord[] = [];
    const transport = transportAt(server.url, { observe: (one) => exchanges.push(one) });
    await transport.exchange(GET);
    await transport.exchange({ ...POST, body: '{"query":"request-body"}' });
    transport.close();
    await failureOf(transport.exchange(GET));
    assert.deepEqual(
      exchanges.map(({ millis, ...rest }) => ({ ...rest, millis: typeof millis })),
      [
        {
          operation: 'reading',
          method: 'GET',
          path: '/config',
          status: 503,
          bytes: 11,
          failure: undefined,
          millis: 'number',
        },
        {
          operation: 'reading',
          method: 'POST',
          path: '/api/graphql',
          status: 200,
          bytes: 11,
          failure: undefined,
          millis: 'number',
        },
        {
          operation: 'reading',
          method: 'GET',
          path: '/config',
          status: undefined,
          bytes: 0,
          failure: 'cancelled',
          millis: 'number',
        },
      ],
    );
    assert.ok(!JSON.stringify(exchanges).includes('-body') && !JSON.stringify(exchanges).includes('eyJ'));
  });

  test('receives the duration of an exchange, and leaves no timer behind', async () => {
    const clock = new SteppedClock();
    clock.advance(1_000);
    const fetch: NetworkAccess['fetch'] = () => {
      clock.advance(1_234);
      return Promise.resolve(new Response('{}'));
    };
    const exchanges: ExchangeRecord[] = [];
    await transportAt('https://datahub.example.com', {
      network: { ...systemNetwork, clock, fetch },
      observe: (one) => exchanges.push(one),
    }).exchange(GET);
    assert.deepEqual([exchanges[0]?.millis, clock.waiting], [1_234, 0]);
  });
});
