// A run revokes the token it created in every case, and never another one.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serviceFor } from '../service/testClient.ts';
import { OwnToken } from '../../tools/conformance/ownToken.ts';
import { edited, graphqlIn, rewritingProxy, type PassedRequest, type Rewriting } from './rewritingProxy.ts';
import { guardedClient, ownTokens, runConformance, SMALL } from './running.ts';
import type { Fault } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import type { UserName } from '../service/users.ts';

const isCreation = (request: PassedRequest): boolean => graphqlIn(request).query.includes('mutation createAccessToken');

interface Trouble {
  readonly fault?: Fault;
  /** Requests that the fault strikes. */
  readonly match?: string;
  readonly reply?: Rewriting['reply'];
  readonly user?: UserName;
  readonly results: Readonly<Record<string, string>>;
  readonly exitCode: number;
}

/** Names of the remaining tokens, which belong to others. */
function names(service: RunningService): string[] {
  return service.tokens().map(({ name }) => name);
}

suite('The token of a run', () => {
  test('has a name of its own, and is gone afterwards', async (context) => {
    const service = await serviceFor(context, SMALL);
    const before = names(service);
    await runConformance(service);
    await runConformance(service);
    const created = service.requests.filter(({ body }) => body.includes('mutation createAccessToken'));
    const own = created.map(({ body }) => /"name":"(conformance-[0-9a-f]{12})"/.exec(body)?.[1] ?? assert.fail(body));
    assert.deepEqual([own.length, new Set(own).size, names(service)], [2, 2, before]);
  });

  test('is not created in a read-only run', async (context) => {
    const service = await serviceFor(context, SMALL);
    const run = await runConformance(service, { readOnly: true });
    assert.ok(service.requests.every(({ body }) => !body.includes('mutation')));
    assert.equal(run.results['token-created'], 'not asked');
    assert.match(run.printed, /left out by --read-only/);
    assert.equal(run.exitCode, 0);
  });

  /** Each failure, the results of claims about the token, and the exit code. No token is left in any case. */
  for (const [title, { fault, match, reply, user, results, exitCode }] of Object.entries<Trouble>({
    'is found by its name and revoked if the response to its creation is lost': {
      fault: { kind: 'cutAfter' },
      match: 'mutation createAccessToken',
      results: { 'token-created': 'not asked', 'token-revoked': 'holds' },
      exitCode: 2,
    },
    'is revoked if a gateway answers its creation with a refusal': {
      reply: (request) => (isCreation(request) ? { status: 403, body: '' } : undefined),
      results: { 'token-created': 'not permitted' },
      exitCode: 0,
    },
    'counts as revoked if the response to that is lost and the token is gone': {
      fault: { kind: 'cutAfter' },
      match: 'mutation revokeAccessToken',
      results: { 'token-revoked': 'not asked' },
      exitCode: 2,
    },
    'is not created if that is refused, which is no difference': {
      user: 'sizer',
      results: { 'token-created': 'not permitted', 'token-revoked': 'not asked', sizes: 'holds' },
      exitCode: 0,
    },
  })) {
    test(title, async (context) => {
      const service = await serviceFor(context, SMALL);
      if (fault !== undefined) service.faults.add({ fault, ...(match === undefined ? {} : { match }) });
      const baseUrl = reply === undefined ? service.url : await rewritingProxy(context, service.url, { reply });
      const run = await runConformance(service, { baseUrl, ...(user === undefined ? {} : { user }) });
      const seen = Object.fromEntries(Object.keys(results).map((id) => [id, run.results[id]]));
      assert.deepEqual([seen, run.exitCode, ownTokens(service)], [results, exitCode, []], run.printed);
    });
  }

  for (const [profile, fault, match] of [
    ['next', { kind: 'status', status: 500 }, 'mutation revokeAccessToken'],
    // A server without names can't be searched for it, and its other tokens are left alone.
    ['spec', { kind: 'cutAfter' }, 'mutation createAccessToken'],
  ] as const) {
    test(`is named last if it may be left, with an exit code of its own: ${profile}, ${match}`, async (context) => {
      const service = await serviceFor(context, { ...SMALL, profile });
      const before = names(service);
      service.faults.add({ fault, match, times: 'always' });
      const run = await runConformance(service);
      const [name = ''] = ownTokens(service);
      assert.equal(run.exitCode, 3);
      assert.match(run.told.at(-1) ?? '', new RegExp(`^This token may still be valid .* ${name}$`));
      assert.ok(!run.printed.includes(name));
      assert.ok(before.every((other) => names(service).includes(other)));
    });
  }

  test('is not mistaken for the token of another user, whatever ID the server returns', async (context) => {
    const service = await serviceFor(context, SMALL);
    const { urn } = service.users.analyst;
    const { record } = service.issueToken({ name: 'theirs', actorUrn: urn, ownerUrn: urn, expiresAt: 1 });
    const baseUrl = await rewritingProxy(context, service.url, {
      reply: (request, reply) =>
        isCreation(request) ? edited(reply, 'data.createAccessToken.metadata.id', () => record.id) : undefined,
    });
    const run = await runConformance(service, { baseUrl });
    assert.ok(names(service).includes('theirs'));
    assert.deepEqual([run.exitCode, ownTokens(service)], [1, []]);
    assert.ok(
      service.requests.every(({ body }) => !body.includes('mutation revokeAccessToken') || !body.includes(record.id)),
    );
  });

  test('is revoked in time on a server that never answers the listing', { timeout: 60_000 }, async (context) => {
    const service = await serviceFor(context, SMALL);
    const { urn } = service.users.admin;
    const { client, guard } = guardedClient(context, service, 300_000);
    const own = new OwnToken(client, urn, 'mine', guard);
    assert.ok(await own.create());
    service.faults.add({ fault: { kind: 'latency', millis: 300_000 }, match: 'listAccessTokens', times: 'always' });
    assert.equal(await own.revoke(AbortSignal.timeout(100)), 'revoked');
    assert.ok(!names(service).includes('mine'));
  });

  test('is revoked if the server stops answering, which ends the run after three claims', async (context) => {
    const service = await serviceFor(context, SMALL);
    for (const match of ['/operations?', 'elasticSearch/'])
      service.faults.add({ fault: { kind: 'cutBefore' }, match, times: 'always' });
    const run = await runConformance(service);
    assert.equal(run.results['token-gone'], 'holds');
    assert.equal(run.printed.match(/the server was out of reach/g)?.length, 3, run.printed);
    assert.ok(run.printed.includes('earlier requests had no response'));
    assert.ok(service.requests.every(({ path }) => !path.includes('truncate')));
    assert.deepEqual([run.exitCode, ownTokens(service)], [2, []]);
  });
});
