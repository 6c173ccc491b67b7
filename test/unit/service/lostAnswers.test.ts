/**
 * A response that breaks after an execution was sent: the server may be deleting, even if part of the response is
 * readable.
 */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testAuthority, testCertificate } from '../../service/certificates.ts';
import { PLAN } from './changes.ts';
import { ALWAYS, failureOf, serviceAt } from './clients.ts';
import { listening } from './wireServer.ts';

/** Port of a proxy in front of a TLS server. It breaks the connection once the server has read the execution. */
async function breaking(context: TestContext): Promise<number> {
  let sent = (): void => undefined;
  const behind = createSecureServer(testCertificate('loopback'), (socket) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      if (received.includes('"dryRun":false') && received.endsWith('}')) sent();
    });
  });
  const port = await listening(context, behind);
  return listening(
    context,
    createServer((socket) => {
      const forward = connect(port, '127.0.0.1').on('error', () => undefined);
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

test('The outcome of an execution is unknown when the secure connection breaks before the answer', async (context) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, testAuthority()]);
  context.after(() => setDefaultCACertificates(before));
  const port = await breaking(context);
  const failure = await failureOf(serviceAt(`https://127.0.0.1:${port}`).indices.execute(PLAN, ALWAYS));
  assert.deepEqual([failure.kind, failure.mayHaveActed], ['unreachable', true]);
});
