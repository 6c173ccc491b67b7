import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to one node of a cluster, like the load balancer of a real one. */
export interface LoadBalancer {
  readonly url: string;
  /**
   * Passes new connections to another node.
   * @param url of the node
   */
  passTo(url: string): void;
  close(): Promise<void>;
}

/** @param url of the first node */
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
  // A test that fails before closing this must still end.
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
