import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Ports at which the extension looks for servers on this machine: of the service itself, and of its front end. */
export const USUAL_PORTS = { service: 8080, front: 9002 } as const;

/** The usual port if it is free, otherwise 0, which stands for any other. */
export async function usualPort(port: number): Promise<number> {
  return (await isFree(port)) ? port : 0;
}

/** @throws a sentence if this loopback port can't be used; 0 always can */
export async function requireFreePort(port: number, option: string): Promise<void> {
  if (port !== 0 && !(await isFree(port)))
    throw new Error(`Port ${port} can't be used. Choose another one with ${option}, or leave it out.`);
}

async function isFree(port: number): Promise<boolean> {
  // A program may also listen at ::1 alone, which would get the requests to `localhost`.
  const socket = connect({ port, host: 'localhost' });
  const answers = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (answers) return false;
  const server = createServer();
  server.listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (listens) await once(server.close(), 'close');
  return listens;
}
