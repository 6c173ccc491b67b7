import type { TestContext } from 'node:test';
import { isRecord, parseJson } from '../../tools/json.ts';
import { reply as answer, wireServer, type SeenRequest } from '../unit/service/wireServer.ts';

/** A request as it arrived, before it's passed on. */
export type PassedRequest = SeenRequest;

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
  const { url } = await wireServer(context, async (request, response) => {
    const { path, body } = { ...request, ...rewriting.request?.(request) };
    const passed = await fetch(target + path, {
      method: request.method,
      headers: passedHeaders(request),
      ...(request.method === 'GET' ? {} : { body }),
    });
    const reply = { status: passed.status, body: await passed.text() };
    const { status, body: text } = { ...reply, ...rewriting.reply?.(request, reply) };
    const marks = ['content-type', 'x-restli-error-response', 'x-restli-protocol-version'].flatMap((name) => {
      const value = passed.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    answer(response, status, text, Object.fromEntries(marks));
  });
  return url;
}

/** The query of a GraphQL request, otherwise empty. */
export function queryIn({ body }: PassedRequest): string {
  const parsed = parseJson(body);
  const query = isRecord(parsed) ? parsed['query'] : undefined;
  return typeof query === 'string' ? query : '';
}

function passedHeaders({ headers }: PassedRequest): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => /^(?:accept|authorization|content-type|x-)/.test(name));
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}
