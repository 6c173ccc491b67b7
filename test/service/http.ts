import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A received request, its body included. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Time of this request on the server's clock, Unix ms. Wrong if the clock is. */
  readonly now: number;
}

/** A complete response. Nothing is sent before it is complete, so that a fault can still change it. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Reads the whole body of a request.
 * @throws Error if it is unreasonably large or the client hung up
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) {
      throw new Error('Request body too large.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function text(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8' }, body };
}

export function empty(status: number): Reply {
  return { status, body: '' };
}

/** The error page of the servlet container: HTML, or JSON for a client that asks for it. */
export function containerError(call: Call, status: number, message: string): Reply {
  if (call.headers.accept?.includes('application/json')) {
    return json(status, { url: call.path, status: String(status), message });
  }
  const title = `${status} ${escapeHtml(message)}`;
  return {
    status,
    headers: { 'content-type': 'text/html;charset=iso-8859-1', 'cache-control': 'must-revalidate,no-cache,no-store' },
    body: [
      `<html>\n<head>\n<title>Error ${title}</title>\n</head>`,
      `<body><h2>HTTP ERROR ${title}</h2>`,
      `<table>\n<tr><th>URI:</th><td>${escapeHtml(call.path)}</td></tr>\n</table>`,
      '</body>\n</html>\n',
    ].join('\n'),
  };
}

function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
