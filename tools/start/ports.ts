import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Ports at which the extension looks for servers on this machine: of the service itself, and of its front end. */
export const USUAL_PORTS = { service: 8080, front: 9002 } as const;

/** @throws a sentence if this loopback port can't be used; 0 always can */
export async function requireFreePort(port: number, option: string): Promise<void> {
  const problem = await portProblem(port);
  if (problem !== undefined)
    throw new Error(`Port ${port} ${problem}. Choose another one with ${option}, or leave it out.`);
}

/** The usual port if it is free, otherwise 0, which stands for any other. */
export async function usualPort(port: number): Promise<number> {
  return (await portProblem(port)) === undefined ? port : 0;
}

async function portProblem(port: number): Promise<string | undefined> {
  if (port === 0) return undefined;
  // A program may also listen at ::1 alone, which would get the requests to `localhost`.
  if (await answers(port)) return 'is in use by another program';
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
      ? 'may not be used by you'
      : 'is in use by another program';
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ port, host: 'localhost' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
