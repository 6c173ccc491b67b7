/** A server on a bare socket: it keeps every byte, counts complete requests, and answers as a test says. */
import { createServer, type Socket } from 'node:net';
import { listening } from './wireServer.ts';

interface RawRequest {
  /** Request line and headers, in lower case. */
  readonly head: string;
  readonly body: Buffer;
}

interface RawServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** In order of arrival, over any connection. */
  readonly requests: readonly RawRequest[];
  /** Everything received, including incomplete requests. */
  received(): string;
}

/**
 * @param context closes the server after the test
 * @param answer called once for each complete request
 */
export async function rawServer(
  context: { after(close: () => void): void },
  answer: (socket: Socket, request: RawRequest, nth: number) => unknown,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  let all = '';
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      all += chunk.toString('latin1');
      pending = Buffer.concat([pending, chunk]);
      const request = wholeRequest(pending);
      if (request !== undefined) {
        pending = Buffer.alloc(0);
        requests.push(request);
        answer(socket, request, requests.length);
      }
    });
  });
  return { url: `http://127.0.0.1:${await listening(context, server)}`, requests, received: () => all };
}

/** A response without a body that keeps the connection open. */
export function status(code: number, headers = ''): string {
  return `HTTP/1.1 ${code} Said\r\n${headers}Content-Length: 0\r\n\r\n`;
}

function wholeRequest(bytes: Buffer): RawRequest | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) {
    return undefined;
  }
  const head = bytes.subarray(0, end).toString('latin1').toLowerCase();
  const body = bytes.subarray(end + 4);
  const isWhole = head.includes('\r\ntransfer-encoding: chunked')
    ? body.subarray(-5).toString('latin1') === '0\r\n\r\n'
    : body.length >= Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  return isWhole ? { head, body } : undefined;
}
