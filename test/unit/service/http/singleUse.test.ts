/** A change leaves the machine once: no network stack below may repeat it, whatever the response. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import { failureOf, transportAt, CHANGE, GET } from '../clients.ts';
import { rawServer, status } from '../rawServer.ts';

const OK = status(200);
const EVERYTHING_ASKED_FOR =
  'Location: /elsewhere\r\nRetry-After: 0\r\nWWW-Authenticate: Basic realm="x"\r\nProxy-Authenticate: Basic realm="x"\r\n';

const ANSWERS: Readonly<Record<string, (socket: Socket) => unknown>> = {
  ...Object.fromEntries(
    [301, 302, 303, 307, 308, 401, 403, 407, 408, 421, 425, 426, 429, 500, 502, 503, 504].map((code) => [
      `HTTP ${code}`,
      (socket: Socket) => socket.write(status(code, EVERYTHING_ASKED_FOR)),
    ]),
  ),
  'HTTP 408 and the end of the connection': (socket) => socket.end(status(408, 'Connection: close\r\n')),
  'HTTP 421 and the end of the connection': (socket) => socket.end(status(421, 'Connection: close\r\n')),
  'an early hint and then HTTP 421': (socket) =>
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${status(421)}`),
  'a reset connection': (socket) => socket.resetAndDestroy(),
  'a connection that ends': (socket) => socket.end(),
  'half a response and a reset': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{', () => socket.resetAndDestroy()),
};

suite('The server receives a change once', () => {
  for (const [what, answer] of Object.entries(ANSWERS)) {
    for (const isKeptOpen of [false, true]) {
      test(`answered by ${what}, over a ${isKeptOpen ? 'connection that is kept open' : 'new one'}`, async (context) => {
        const server = await rawServer(context, (socket, { body }) =>
          body.length > 0 ? answer(socket) : socket.write(OK),
        );
        const transport = transportAt(server.url);
        if (isKeptOpen) {
          await transport.exchange(GET);
        }
        await transport.exchange(CHANGE).catch(() => undefined);
        // A stack that repeats would do so before this read, which uses the same connection.
        await transport.exchange(GET).catch(() => undefined);
        assert.equal(server.requests.filter(({ body }) => body.length > 0).length, 1);
        assert.equal(server.received().match(/POST /g)?.length, 1);
      });
    }
  }

  test('even if a kept-alive connection is cut while it is being sent', async (context) => {
    const sockets: Socket[] = [];
    const server = await rawServer(context, (socket) => (sockets.push(socket), socket.write(OK)));
    const transport = transportAt(server.url);
    await transport.exchange(GET);
    const sending = transport.exchange(CHANGE).catch(() => undefined);
    sockets[0]?.resetAndDestroy();
    await sending;
    await transport.exchange(GET);
    assert.ok((server.received().match(/POST /g)?.length ?? 0) <= 1);
    assert.ok(server.requests.filter(({ body }) => body.length > 0).length <= 1);
  });
});

suite('A change states the length of its body', () => {
  for (const body of [CHANGE.body, '{}', `{"long":"${'é'.repeat(200_000)}"}`]) {
    test(`of ${Buffer.byteLength(body)} bytes, and is not sent in chunks`, async (context) => {
      const server = await rawServer(context, (socket) => socket.write(OK));
      await transportAt(server.url).exchange({ ...CHANGE, body });
      const [request] = server.requests;
      assert.match(request?.head ?? '', new RegExp(`\r\ncontent-length: ${Buffer.byteLength(body)}(?:\r\n|$)`));
      assert.match(request?.head ?? '', /\r\ncontent-type: application\/json(?:\r\n|$)/);
      assert.doesNotMatch(request?.head ?? '', /transfer-encoding|expect:/);
      assert.equal(request?.body.toString('utf8'), body);
    });
  }
});

/**
 * VS Code with `http.electronFetch` on (src/vs/workbench/api/node/proxyResolver.ts): requests with manual redirects
 * go to Node.js, others to Chromium. Electron reads a stream to its end first, so that Chromium can repeat it at
 * will.
 */
function electronFetch(): NetworkAccess['fetch'] {
  return async (input, init) => {
    if (init?.redirect === 'manual') {
      return globalThis.fetch(input, init);
    }
    const body = await new Response(init?.body ?? null).text();
    const send = (): Promise<Response> => globalThis.fetch(input, { ...init, body });
    const first = await send().catch(() => undefined);
    return first === undefined || first.status === 408 || first.status === 421 ? send() : first;
  };
}

suite('Chromium’s network stack, which repeats requests', () => {
  for (const [what, answer] of Object.entries(ANSWERS)) {
    test(`never gets a change: ${what}`, async (context) => {
      const server = await rawServer(context, (socket) => answer(socket));
      const network: NetworkAccess = { ...systemNetwork, fetch: electronFetch() };
      await transportAt(server.url, { network })
        .exchange(CHANGE)
        .catch(() => undefined);
      assert.equal(server.requests.length, 1);
    });
  }
});

suite('A change that a stack refuses to send', () => {
  const refused = new TypeError('net::ERR_H2_OR_QUIC_REQUIRED');

  test('did nothing if the stack never read the end of its body, which never leaves later', async () => {
    let late: BodyInit | null | undefined;
    const fetch: NetworkAccess['fetch'] = (_, init) => ((late = init?.body), Promise.reject(refused));
    const network: NetworkAccess = { ...systemNetwork, fetch };
    const failure = await failureOf(transportAt('https://datahub.example.com', { network }).exchange(CHANGE));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', false]);
    await assert.rejects(new Response(late ?? null).text());
  });

  test('has an unknown outcome if it did, because the refusal does not come from the extension', async () => {
    const fetch: NetworkAccess['fetch'] = async (_, init) => {
      await new Response(init?.body ?? null).text();
      throw refused;
    };
    const network: NetworkAccess = { ...systemNetwork, fetch };
    const failure = await failureOf(transportAt('https://datahub.example.com', { network }).exchange(CHANGE));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', true]);
  });
});
