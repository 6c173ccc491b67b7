import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Profile } from './profiles.ts';

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

/**
 * A response of the servlet container itself: Spring's JSON, or Jetty's page, which is JSON for a client that asks
 * for it.
 */
export function containerError(
  { container }: Pick<Profile, 'container'>,
  call: Call,
  status: number,
  message: string,
): Reply {
  const headers = { 'cache-control': 'must-revalidate,no-cache,no-store' };
  if (container === 'spring') {
    return json(status, { timestamp: call.now, status, error: STATUS_CODES[status], path: call.path }, headers);
  }
  const servlet = call.path.startsWith('/api/') ? 'dispatcher-graphql' : 'restliRequestHandler';
  if (call.headers.accept?.includes('application/json')) {
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: [
        '{',
        Object.entries({ servlet, message, url: call.path, status: String(status) })
          .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
          .join(',\n'),
        '}',
      ].join('\n'),
    };
  }
  const title = escapeHtml(message);
  const rows = [
    ['URI', call.path],
    ['STATUS', status],
    ['MESSAGE', message],
    ['SERVLET', servlet],
  ].map(([name, value]) => `<tr><th>${name}:</th><td>${escapeHtml(String(value))}</td></tr>`);
  return {
    status,
    headers: { 'content-type': 'text/html;charset=iso-8859-1', ...headers },
    body: [
      '<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>',
      `<title>Error ${status} ${title}</title>\n</head>`,
      `<body><h2>HTTP ERROR ${status} ${title}</h2>`,
      `<table>\n${rows.join('\n')}\n</table>`,
      '<hr/><a href="https://eclipse.org/jetty">Powered by Jetty:// 11.0.21</a><hr/>\n',
      '</body>\n</html>\n',
    ].join('\n'),
  };
}

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&apos;')
    .replaceAll('"', '&quot;');
}
