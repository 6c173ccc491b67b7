/** A server for one test, on a real socket: it answers as the test says and records its requests. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WireServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly SeenRequest[];
}

export type Answerer = (request: SeenRequest, response: ServerResponse) => unknown;

/** Closed after the test, even with open connections. @returns its port on the loopback address */
export async function listening(context: Pick<TestContext, 'after'>, server: Server): Promise<number> {
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

/** Listens on the loopback address, on any free port. */
export async function wireServer(context: Pick<TestContext, 'after'>, answer: Answerer): Promise<WireServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void readWhole(incoming).then(
      (body) => {
        const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body };
        requests.push(request);
        return answer(request, response);
      },
      // A client that hangs up before the end of its request has sent none.
      () => response.destroy(),
    );
  });
  return { url: `http://127.0.0.1:${await listening(context, server)}`, requests };
}

/** Answers with JSON, or with a text unchanged. */
export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function readWhole(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
