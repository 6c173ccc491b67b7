import { once } from 'node:events';
import { createServer } from 'node:net';

/** @throws a sentence if this loopback port is in use; 0 is always free */
export async function requireFreePort(port: number, option: string): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EACCES' ? 'may not be used by you' : 'is in use by another program';
    throw new Error(
      `Port ${port} ${reason}. Choose another one with ${option}, or leave it out to get any free port.`,
      { cause: error },
    );
  }
  server.close();
  await once(server, 'close');
}
