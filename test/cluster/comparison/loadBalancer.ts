import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to one node of a cluster, as the balancer that stands before a real one does. */
export interface LoadBalancer {
  readonly url: string;
  /** Takes new connections elsewhere. @param url of a node */
  passTo(url: string): void;
  close(): Promise<void>;
}

/** @param url of the node that is asked first */
export async function startLoadBalancer(url: string): Promise<LoadBalancer> {
  let target = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const node = connect(Number(target.port), target.hostname);
    for (const [end, other] of [
      [socket, node],
      [node, socket],
    ] as const) {
      open.add(end);
      end.pipe(other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A test that fails before it closes this must not stay.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    passTo: (next) => void (target = new URL(next)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
