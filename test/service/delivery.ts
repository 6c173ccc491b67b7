import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import type { Reply } from './http.ts';

const loginPage =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n';

/** Response of a fault that replaces all processing. Null if the request should be processed. */
export function replyInstead(fault: Fault | null): Reply | null {
  switch (fault?.kind) {
    case 'status':
      return {
        status: fault.status,
        headers: fault.contentType === undefined ? {} : { 'content-type': fault.contentType },
        // In Rest.li's words, a refusal is the service's own, not one of a gateway.
        body: fault.body ?? (fault.status === 403 ? JSON.stringify({ message: 'Unauthorized', status: 403 }) : ''),
      };
    case 'html':
      return { status: fault.status ?? 200, headers: { 'content-type': 'text/html' }, body: loginPage };
    case 'redirect':
      return {
        status: fault.status ?? 302,
        headers: { location: fault.location, 'content-type': 'text/html' },
        body: loginPage,
      };
    default:
      return null;
  }
}

/**
 * Sends a response, altered by the fault on the way.
 * @param date Unix time in ms for the header `Date`; null for none
 * @param cleared ends a delay early
 */
export async function deliver(
  response: ServerResponse,
  reply: Reply,
  fault: Fault | null,
  date: number | null,
  cleared: AbortSignal,
): Promise<void> {
  if (fault?.kind === 'latency') {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, cleared]);
    await delay(fault.millis, undefined, { signal }).catch(() => {});
  }
  if (fault?.kind === 'held') await fault.until;
  if (fault?.kind === 'cutAfter' || response.destroyed) {
    response.destroy();
    return;
  }
  if (fault?.kind === 'statusAfter') {
    response.writeHead(fault.status).end();
    return;
  }
  const body = Buffer.from(reply.body);
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const sent = fault?.kind === 'truncatedBody' ? half : body;
  response.sendDate = false;
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-length': sent.length,
    ...(date === null ? {} : { date: new Date(date).toUTCString() }),
  });
  if (fault?.kind === 'cutBody') {
    response.write(half, () => response.destroy());
    return;
  }
  response.end(sent);
}

/** Streams a JSON response of about the given size, only as fast as the client reads it. */
export async function deliverHuge(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  // The client is expected to hang up: that is the point of this response.
  await pipeline(Readable.from(hugeJson(bytes)), response).catch(() => {});
}

function* hugeJson(bytes: number): Generator<string | Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  yield '{"value":"';
  for (let sent = 0; sent < bytes; sent += piece.length) {
    yield piece;
  }
  yield '"}';
}
