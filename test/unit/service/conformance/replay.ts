/**
 * A server that plays one fixture: it compares each request with the expected one and returns the recorded response.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { parse, print } from 'graphql';
import { wireServer, type SeenRequest } from '../wireServer.ts';
import type { WireFixture, WireRequest } from './wireFixture.ts';

export interface Replay {
  readonly url: string;
  /** Fails unless every expected request arrived, and no other. */
  assertPlayed(): void;
}

export async function replay(context: TestContext, fixture: WireFixture): Promise<Replay> {
  const problems: unknown[] = [];
  let played = 0;
  const server = await wireServer(context, (seen, response) => {
    const exchange = fixture.exchanges[played++];
    try {
      assert.ok(exchange, `one request too many: ${seen.method} ${seen.path} ${seen.body}`);
      assert.deepEqual(comparable(seen), comparable(exchange.request));
    } catch (problem) {
      problems.push(problem);
    }
    response.writeHead(exchange?.response.status ?? 500, exchange?.response.headers);
    response.end(exchange?.response.body);
  });
  return {
    url: server.url,
    assertPlayed: () => {
      if (problems.length > 0) {
        throw problems[0];
      }
      assert.equal(played, fixture.exchanges.length, 'requests are missing');
    },
  };
}

/** Parts of a request that must match the fixture: all but those that HTTP adds. Bodies are compared as JSON. */
function comparable({ method, path, headers, body }: WireRequest | SeenRequest): object {
  const ours = Object.entries(headers).filter(
    ([name]) => ['accept', 'authorization', 'content-type'].includes(name) || name.startsWith('x-'),
  );
  const content = body === '' ? undefined : (JSON.parse(body) as Record<string, unknown>);
  return {
    method,
    path,
    headers: Object.fromEntries(ours),
    body: typeof content?.['query'] === 'string' ? { ...content, query: print(parse(content['query'])) } : content,
  };
}
