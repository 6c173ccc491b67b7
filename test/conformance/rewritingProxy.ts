import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { isRecord, parseJson } from '../../tools/json.ts';

/** A request as it arrived, before it's passed on. */
export interface PassedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface PassedReply {
  readonly status: number;
  readonly body: string;
}

export interface Rewriting {
  /** Changes a request before it's passed on. Undefined leaves it as it is. */
  readonly request?: (request: PassedRequest) => Partial<Pick<PassedRequest, 'path' | 'body'>> | undefined;
  /** Changes a reply. Undefined leaves it as it is. */
  readonly reply?: (request: PassedRequest, reply: PassedReply) => Partial<PassedReply> | undefined;
}

/**
 * Starts a proxy that changes replies.
 * @returns its URL
 */
export async function rewritingProxy(context: TestContext, target: string, rewriting: Rewriting): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const request = await readRequest(incoming);
      const { path, body } = { ...request, ...rewriting.request?.(request) };
      const response = await fetch(target + path, {
        method: request.method,
        headers: passedHeaders(request),
        ...(request.method === 'GET' ? {} : { body }),
      });
      const reply = { status: response.status, body: await response.text() };
      const { status, body: text } = { ...reply, ...rewriting.reply?.(request, reply) };
      const marks = ['content-type', 'x-restli-error-response', 'x-restli-protocol-version'].flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      outgoing.writeHead(status, Object.fromEntries(marks)).end(text);
    };
    pass().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * The reply with one value of its JSON changed.
 * @param path names and numbers, separated by dots; a missing value stays missing
 * @param change returns undefined to remove the value
 */
export function edited({ status, body }: PassedReply, path: string, change: (old: unknown) => unknown): PassedReply {
  const json = parseJson(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((value, name) => (isHolder(value) ? value[name] : undefined), json);
  if (!isHolder(holder) || !(last in holder)) {
    return { status, body };
  }
  holder[last] = change(holder[last]);
  return { status, body: JSON.stringify(json) };
}

/** Query and variables of a GraphQL request, otherwise empty. */
export function graphqlIn({ body }: PassedRequest): { readonly query: string; readonly variables: string } {
  const parsed = parseJson(body);
  const { query, variables } = isRecord(parsed) ? parsed : {};
  return { query: typeof query === 'string' ? query : '', variables: JSON.stringify(variables ?? {}) };
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function passedHeaders({ headers }: PassedRequest): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => /^(?:accept|authorization|content-type|x-)/.test(name));
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}

async function readRequest(incoming: IncomingMessage): Promise<PassedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
