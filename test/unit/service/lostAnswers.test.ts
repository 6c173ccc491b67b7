/**
 * A response that breaks after an execution was sent: the server may be deleting, even if part of the response is
 * readable.
 */
import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testAuthority, testCertificate } from '../../service/certificates.ts';
import { PLAN } from './changes.ts';
import { ALWAYS, failureOf, serviceAt } from './clients.ts';

/** Port of a server that listens during a test. */
async function listening(context: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
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

/** Calls back once the whole execution has arrived. */
function whenSent(socket: Socket, answer: (socket: Socket) => unknown): void {
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8');
    if (received.includes('"dryRun":false') && received.endsWith('}')) {
      answer(socket);
    }
  });
}

/** Port of a server with its own response to executions. */
function answering(context: TestContext, answer: (socket: Socket) => unknown): Promise<number> {
  return listening(
    context,
    createServer((socket) => whenSent(socket, answer)),
  );
}

/** Port of a proxy in front of a TLS server. It breaks the connection once the server has read the execution. */
async function breaking(context: TestContext): Promise<number> {
  let sent = (): void => undefined;
  const behind = await listening(
    context,
    createSecureServer(testCertificate('loopback'), (socket) =>
      whenSent(
        socket.on('error', () => undefined),
        () => sent(),
      ),
    ),
  );
  return listening(
    context,
    createServer((socket) => {
      const forward = connect(behind, '127.0.0.1').on('error', () => undefined);
      socket.pipe(forward);
      forward.pipe(socket);
      sent = () => {
        forward.unpipe(socket);
        // A TLS record that was not made with the key.
        socket.end(Buffer.from([0x17, 3, 3, 0, 32, ...Buffer.alloc(32)]));
      };
    }),
  );
}

suite('The outcome of an execution is unknown', () => {
  test('when the secure connection breaks before the answer', async (context) => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, testAuthority()]);
    context.after(() => setDefaultCACertificates(before));
    const port = await breaking(context);
    const failure = await failureOf(serviceAt(`https://127.0.0.1:${port}`).indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', true]);
  });

  test('when the response is not HTTP', async (context) => {
    const port = await answering(context, (socket) => socket.end('garbage from a broken proxy\r\n\r\n'));
    const failure = await failureOf(serviceAt(`http://127.0.0.1:${port}`).indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
    assert.match(failure.message, /didn't respond with HTTP/);
  });

  test('when the headers of the response do not end', async (context) => {
    const port = await answering(context, (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}`),
    );
    const failure = await failureOf(serviceAt(`http://127.0.0.1:${port}`).indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['tooLarge', true]);
  });

  for (const [what, body] of Object.entries({
    nothing: '',
    'a page': '<html>Sign in</html>',
    'half a response': '{"value":"qhx',
    'another shape': '{"value":7}',
  })) {
    test(`when it is answered with ${what}`, async (context) => {
      const port = await answering(context, (socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      );
      const failure = await failureOf(serviceAt(`http://127.0.0.1:${port}`).indices.execute(PLAN, ALWAYS));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
    });
  }
});
