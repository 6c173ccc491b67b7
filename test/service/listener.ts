import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { deliver, deliverHuge, replyInstead } from './delivery.ts';
import type { Faults } from './faults.ts';
import type { Handler } from './gms.ts';
import { readBody, type Call } from './http.ts';
import type { RequestLog } from './requestLog.ts';

export interface Edge {
  readonly server: 'service' | 'front';
  readonly handler: Handler;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly clock: () => number;
  /** Responses have a `Date` header. */
  readonly isDated: boolean;
}

/** Listener for one address: reads the request, logs it, applies faults and sends the response. */
export function edgeListener(edge: Edge): RequestListener {
  return (request, response) => {
    serve(edge, request, response).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(500, { 'content-type': 'text/plain' });
      }
      response.end(error instanceof Error ? error.message : 'Unknown error.');
    });
  };
}

async function serve(edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request, edge.clock());
  const entry = edge.log.add(edge.server, call);
  const target = `${call.method} ${request.url ?? ''} ${call.body}`;
  const fault = edge.faults.take(target);
  const { cleared } = edge.faults;
  if (fault?.kind === 'cutBefore') {
    response.destroy();
    return;
  }
  if (fault?.kind === 'huge') {
    await deliverHuge(response, fault.bytes);
    return;
  }
  const reply = replyInstead(fault) ?? (await edge.handler(call));
  entry.status = reply.status;
  await deliver(response, reply, fault, edge.isDated ? call.now : null, cleared);
}

async function readCall(request: IncomingMessage, now: number): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: await readBody(request),
    now,
  };
}
