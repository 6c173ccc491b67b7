/** Proxies for hosts that no name server knows. */
import { connect, createServer, type Socket } from 'node:net';
import { listening } from '../../../unit/service/wireServer.ts';

interface TestLife {
  after(close: () => void): void;
}

/**
 * Starts a proxy that leads every host to one port of this machine, and records the requested hosts.
 * @param admitted What it waits for once it was asked, as one that asks its user for a password.
 */
export async function proxyTo(
  context: TestLife,
  port: number,
  admitted: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const url = await listen(context, (socket) => {
    socket.once('data', (head) => {
      asked.push(head.toString('latin1').split(' HTTP/', 1)[0] ?? '');
      void admitted().then(() => {
        const onward = connect(port, '127.0.0.1').on('error', () => undefined);
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
    });
  });
  return { url, asked };
}

/** Starts a proxy that closes each connection without an answer, and counts them. */
export async function droppingProxy(
  context: TestLife,
): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0;
  const url = await listen(context, (socket) => {
    connections++;
    socket.end();
  });
  return { url, connections: () => connections };
}

async function listen(context: TestLife, admit: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listening(context, createServer(admit))}`;
}
