import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { singleUseBody } from '../../src/service/http/transport.ts';
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import { REVOKE_DOCUMENT } from '../../src/service/tokens/tokens.ts';
import { creationDocument } from '../../src/service/tokens/tokenCreation.ts';
import { serviceFor } from '../service/testClient.ts';
import { guardRequests, type AllowedToken, type RequestGuard } from '../../tools/conformance/guard.ts';
import { guardedClient, SMALL } from './running.ts';

const ME = 'urn:li:corpuser:admin';
const OPERATIONS = 'http://localhost/operations?action=truncateTimeseriesAspect';
const GRAPHQL = 'http://localhost/api/graphql';
const CREATE = creationDocument({ inputType: 'CreateAccessTokenInput' });
const INPUT = { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'mine' };

/** A guard that records the bodies of allowed requests. */
function guarded(
  token: AllowedToken | undefined = { name: 'mine', actorUrn: ME },
): RequestGuard & { readonly sent: string[] } {
  const sent: string[] = [];
  const guard = guardRequests(token, async (_, init) => {
    sent.push(await new Response(init?.body ?? '').text());
    return new Response('{}');
  });
  return { ...guard, sent };
}

async function lets(guard: RequestGuard, url: string, body: string, method = 'POST'): Promise<boolean> {
  try {
    await guard.fetch(url, { method, ...(method === 'GET' ? {} : { body }) });
    return true;
  } catch (thrown) {
    assert.ok(thrown instanceof ServiceFailure && thrown.kind === 'readOnly', String(thrown));
    return false;
  }
}

const graphql = (query: string, variables: object = {}): string => JSON.stringify({ query, variables });

suite('Executions', () => {
  for (const [name, body] of Object.entries({
    'marked as one': '{"entityType":"dataset","dryRun":false}',
    'by default': '{"entityType":"dataset"}',
    'by a text': '{"dryRun":"true"}',
    'by a second value': '{"dryRun":true,"dryRun":false}',
    'by a first value': '{"dryRun":false,"dryRun":true}',
    'by another spelling of it': '{"dryRun":true,"dr\\u0079Run":false}',
    'of several': '[{"dryRun":true}]',
    'without JSON': 'dryRun=true',
  }))
    test(`never leave: ${name}`, async () => {
      const guard = guarded();
      assert.equal(await lets(guard, OPERATIONS, body), false);
      assert.deepEqual(guard.sent, []);
    });

  test('never leave in another way', async () => {
    const body = '{"dryRun":true}';
    for (const [url, method] of [
      ['http://localhost/operations?action=restoreIndices', 'POST'],
      [`${OPERATIONS}&action=restoreIndices`, 'POST'],
      ['http://localhost/openapi/operations/elasticSearch/anything', 'POST'],
      ['http://localhost/openapi/operations/elasticSearch/anything', 'GET'],
      [OPERATIONS, 'PUT'],
      ['http://localhost/operations', 'DELETE'],
    ] as const)
      assert.equal(await lets(guarded(), url, body, method), false, `${method} ${url}`);
  });

  test("are refused to the extension's own client, but dry runs are not", async (context) => {
    const service = await serviceFor(context, SMALL);
    const { client } = guardedClient(context, service);
    const plan: TruncationPlan = {
      entityType: 'dataset',
      aspect: 'operation',
      endTimeMillis: Date.now(),
      batchSize: 100,
      timeoutSeconds: undefined,
      strategy: 'deleteByQuery',
    };
    assert.match(await client.indices.dryRun(plan), /^Delete \d+ out of/);
    await assert.rejects(
      client.indices.execute(plan, () => Promise.resolve()),
      { kind: 'readOnly' },
    );
    assert.deepEqual(service.tasks(), []);
    assert.ok(service.requests.every(({ body }) => !body.includes('"dryRun":false')));
  });
});

suite('Tokens', () => {
  test("of others are never revoked, and the run's own only once its ID is known", async () => {
    const guard = guarded();
    assert.equal(await lets(guard, GRAPHQL, graphql(REVOKE_DOCUMENT, { tokenId: 'own' })), false);
    guard.own('own');
    assert.equal(await lets(guard, GRAPHQL, graphql(REVOKE_DOCUMENT, { tokenId: 'own' })), true);
    assert.equal(await lets(guard, GRAPHQL, graphql(REVOKE_DOCUMENT, { tokenId: 'other' })), false);
  });

  test('are created once, for an hour, for the caller, under the name of this run', async () => {
    for (const input of [
      { ...INPUT, name: 'another' },
      { ...INPUT, actorUrn: 'urn:li:corpuser:analyst' },
      { ...INPUT, duration: 'NO_EXPIRY' },
      { ...INPUT, type: 'SERVICE_ACCOUNT' },
      { ...INPUT, durationIso: 'P1Y' },
    ])
      assert.equal(await lets(guarded(), GRAPHQL, graphql(CREATE, { input })), false, JSON.stringify(input));
    const guard = guarded();
    assert.equal(await lets(guard, GRAPHQL, graphql(CREATE, { input: INPUT })), true);
    assert.equal(await lets(guard, GRAPHQL, graphql(CREATE, { input: INPUT })), false);
  });

  test('are neither created nor revoked in a read-only run, nor before the caller is known', async () => {
    for (const guard of [guardRequests(undefined, fetch), guarded({ name: 'mine', actorUrn: undefined })]) {
      guard.own('own');
      assert.equal(await lets(guard, GRAPHQL, graphql(CREATE, { input: INPUT })), false);
    }
    const readOnly = guardRequests(undefined, fetch);
    readOnly.own('own');
    assert.equal(await lets(readOnly, GRAPHQL, graphql(REVOKE_DOCUMENT, { tokenId: 'own' })), false);
  });

  test('are not changed by a mutation in another form', async () => {
    for (const query of [
      'mutation { revokeAccessToken(tokenId: "other") }',
      'mutation a { a: revokeAccessToken(tokenId: $tokenId) b: revokeAccessToken(tokenId: $other) }',
      'query q { me { corpUser { urn } } } mutation m { revokeAccessToken(tokenId: "other") }',
      'mutation m($tokenId: String!) { ... on Mutation { revokeAccessToken(tokenId: $tokenId) } }',
      'mutation m($tokenId: String!) { removeUser(urn: $tokenId) }',
      'subscription s { tokens }',
    ]) {
      const guard = guarded();
      guard.own('own');
      assert.equal(await lets(guard, GRAPHQL, graphql(query, { tokenId: 'own', other: 'other' })), false, query);
    }
  });

  test('are not revoked by a variable with another name', async () => {
    const guard = guarded();
    guard.own('own');
    const query = 'mutation m($tokenId: String!, $other: String!) { revokeAccessToken(tokenId: $other) }';
    assert.equal(await lets(guard, GRAPHQL, graphql(query, { tokenId: 'own', other: 'other' })), false);
  });
});

suite('Allowed requests', () => {
  test('leave unchanged, streams as streams', async () => {
    const body = graphql(CREATE, { input: INPUT });
    const { init, headers } = singleUseBody(body, () => Promise.resolve());
    const bodies: unknown[] = [];
    const guard = guardRequests({ name: 'mine', actorUrn: ME }, async (_, sent) => {
      bodies.push(sent?.body);
      assert.deepEqual(sent?.headers, headers);
      assert.equal(await new Response(sent?.body ?? '').text(), body);
      return new Response('{}');
    });
    await guard.fetch(GRAPHQL, { method: 'POST', headers, ...init });
    assert.ok(bodies[0] instanceof ReadableStream);
  });

  test('are questions', async () => {
    const guard = guarded();
    assert.equal(await lets(guard, 'http://localhost/config', '', 'GET'), true);
    assert.equal(await lets(guard, GRAPHQL, graphql('query me { me { corpUser { urn } } }')), true);
    assert.equal(await lets(guard, 'http://localhost/gms/operations?action=getIndexSizes', '{}'), true);
    assert.equal(await lets(guard, OPERATIONS, '{"entityType":"dataset","dryRun":true}'), true);
  });
});
