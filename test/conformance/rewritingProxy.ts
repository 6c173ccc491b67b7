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
