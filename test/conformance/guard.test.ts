import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import { REVOKE_DOCUMENT } from '../../src/service/tokens/tokens.ts';
import { creationDocument } from '../../src/service/tokens/tokenCreation.ts';
import { serviceFor } from '../service/testClient.ts';
import { guardRequests, type RequestGuard } from '../../tools/conformance/guard.ts';
import { guardedClient, SMALL } from './running.ts';

const ME = 'urn:li:corpuser:admin';
const OPERATIONS = 'http://localhost/operations?action=truncateTimeseriesAspect';
const GRAPHQL = 'http://localhost/api/graphql';
const CREATE = creationDocument({ inputType: 'CreateAccessTokenInput' });
const INPUT = { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'mine' };

const graphql = (query: string, variables: object = {}): string => JSON.stringify({ query, variables });
const creation = (change: object = {}): string => graphql(CREATE, { input: { ...INPUT, ...change } });
const revocation = (tokenId: string): string => graphql(REVOKE_DOCUMENT, { tokenId });

/** For the run's own token, whose ID is known. */
function ownGuard({ actorUrn }: { readonly actorUrn: string | undefined } = { actorUrn: ME }): RequestGuard {
  const guard = guardRequests({ name: 'mine', actorUrn }, () => Promise.resolve(new Response('{}')));
  guard.own('own');
  return guard;
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

const EXECUTIONS = {
  'marked as one': '{"entityType":"dataset","dryRun":false}',
  'by default': '{"entityType":"dataset"}',
  'by a second value': '{"dryRun":true,"dryRun":false}',
  'by another spelling of it': '{"dryRun":true,"dr\\u0079Run":false}',
  'of several': '[{"dryRun":true}]',
  'without JSON': 'dryRun=true',
};

const OTHER_WAYS = [
  ['http://localhost/operations?action=restoreIndices', 'POST'],
  [`${OPERATIONS}&action=restoreIndices`, 'POST'],
  ['http://localhost/openapi/operations/elasticSearch/anything', 'POST'],
  [OPERATIONS, 'PUT'],
  ['http://localhost/operations', 'DELETE'],
] as const;

const CHANGES_OF_TOKENS = {
  'a creation under another name': creation({ name: 'another' }),
  'a creation for another user': creation({ actorUrn: 'urn:li:corpuser:analyst' }),
  'a creation for a service account': creation({ type: 'SERVICE_ACCOUNT' }),
  'a creation for a year': creation({ duration: 'ONE_YEAR' }),
  'a revocation of another token': revocation('other'),
  ...Object.fromEntries(
    [
      'mutation { revokeAccessToken(tokenId: "other") }',
      'mutation a { a: revokeAccessToken(tokenId: $tokenId) b: revokeAccessToken(tokenId: $other) }',
      'query q { me { corpUser { urn } } } mutation m { revokeAccessToken(tokenId: "other") }',
      'mutation m($tokenId: String!) { ... on Mutation { revokeAccessToken(tokenId: $tokenId) } }',
      'mutation m($tokenId: String!) { removeUser(urn: $tokenId) }',
      'mutation m($tokenId: String!, $other: String!) { revokeAccessToken(tokenId: $other) }',
      'subscription s { tokens }',
    ].map((query) => [query, graphql(query, { tokenId: 'own', other: 'other' })]),
  ),
};

suite('A run never sends', () => {
  for (const [title, url, body, method] of [
    ...Object.entries(EXECUTIONS).map(([name, sent]) => [`an execution ${name}`, OPERATIONS, sent, 'POST'] as const),
    ...OTHER_WAYS.map(([to, by]) => [`${by} ${to}`, to, '{"dryRun":true}', by] as const),
    ...Object.entries(CHANGES_OF_TOKENS).map(([name, sent]) => [name, GRAPHQL, sent, 'POST'] as const),
  ])
    test(title, async () => assert.equal(await lets(ownGuard(), url, body, method), false));

  test('a second creation, nor a revocation before the ID of its token is known', async () => {
    const guard = guardRequests({ name: 'mine', actorUrn: ME }, () => Promise.resolve(new Response('{}')));
    assert.equal(await lets(guard, GRAPHQL, revocation('own')), false);
    assert.equal(await lets(guard, GRAPHQL, creation()), true);
    assert.equal(await lets(guard, GRAPHQL, creation()), false);
    guard.own('own');
    assert.equal(await lets(guard, GRAPHQL, revocation('own')), true);
  });

  test('a change of tokens in a read-only run, nor a creation before the caller is known', async () => {
    const readOnly = guardRequests(undefined, fetch);
    readOnly.own('own');
    for (const [guard, body] of [
      [readOnly, creation()],
      [readOnly, revocation('own')],
      [ownGuard({ actorUrn: undefined }), creation()],
    ] as const)
      assert.equal(await lets(guard, GRAPHQL, body), false, body);
  });

  test("an execution of the extension's own client, whose dry runs it sends", async (context) => {
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
    assert.match((await client.indices.dryRun(plan)).text, /^Delete \d+ out of/);
    await assert.rejects(
      client.indices.execute(plan, () => Promise.resolve()),
      { kind: 'readOnly' },
    );
    assert.deepEqual(service.tasks(), []);
    assert.ok(service.requests.every(({ body }) => !body.includes('"dryRun":false')));
  });
});

suite('Allowed requests', () => {
  test('leave unchanged, streams as streams', async () => {
    const body = graphql(CREATE, { input: INPUT });
    const headers = { 'content-type': 'application/json' };
    const streamed = { body: new Blob([body]).stream(), duplex: 'half' } as const;
    const bodies: unknown[] = [];
    const guard = guardRequests({ name: 'mine', actorUrn: ME }, async (_, sent) => {
      bodies.push(sent?.body);
      assert.deepEqual(sent?.headers, headers);
      assert.equal(await new Response(sent?.body ?? '').text(), body);
      return new Response('{}');
    });
    await guard.fetch(GRAPHQL, { method: 'POST', headers, ...streamed });
    assert.ok(bodies[0] instanceof ReadableStream);
  });

  test('are questions', async () => {
    const guard = ownGuard();
    assert.equal(await lets(guard, 'http://localhost/config', '', 'GET'), true);
    assert.equal(await lets(guard, GRAPHQL, graphql('query me { me { corpUser { urn } } }')), true);
    assert.equal(await lets(guard, 'http://localhost/gms/operations?action=getIndexSizes', '{}'), true);
    assert.equal(await lets(guard, OPERATIONS, '{"entityType":"dataset","dryRun":true}'), true);
  });
});
