import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  /** Cuts open connections rather than waiting for clients. */
  close(): Promise<void>;
}

/**
 * Listens on the loopback address only. Port 0 takes any free one.
 * @throws Error with a readable sentence if the port is in use
 */
export async function listen(
  listener: RequestListener,
  port: number,
  tls: { readonly key: string; readonly cert: string } | null,
): Promise<ListeningServer> {
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  // Only clients close idle connections: after a busy process, a request could meet one that the server is closing.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is already taken on this machine. Choose another one.`)
          : error,
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
