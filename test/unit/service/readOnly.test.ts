/** A read-only connection changes nothing: each change is refused before a credential is read or anything is sent. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { MetadataService, ServiceOptions } from '../../../src/service/service.ts';
import { CHANGES, PLAN } from './changes.ts';
import { CREDENTIAL, KNOWN_CAPABILITIES, ME, failureOf, serviceAt } from './clients.ts';
import { reply, wireServer, type WireServer } from './wireServer.ts';

interface Stage {
  readonly service: MetadataService;
  readonly server: WireServer;
  readonly credentialsRead: () => number;
}

async function stage(context: TestContext, options: Partial<ServiceOptions>): Promise<Stage> {
  const server = await wireServer(context, ({ body }, response) =>
    reply(
      response,
      200,
      body.includes('action') || !body.includes('query')
        ? { value: 'Delete 1 out of 2 rows (50.00%). Reindexing the aspect without the deleted records' }
        : { data: { createAccessToken: { accessToken: 'a-token' }, revokeAccessToken: true } },
    ),
  );
  let reads = 0;
  const service = serviceAt(server.url, {
    credential: () => {
      reads++;
      return Promise.resolve(CREDENTIAL);
    },
    ...options,
  });
  return { service, server, credentialsRead: () => reads };
}

suite('A read-only service', () => {
  for (const { operation, make } of CHANGES) {
    for (const [which, knownCapabilities] of [
      ['a known server', KNOWN_CAPABILITIES],
      ['an unknown server', undefined],
    ] as const) {
      test(`refuses ${operation} on ${which}: nothing is read, nothing is sent`, async (context) => {
        const { service, server, credentialsRead } = await stage(context, {
          isReadOnly: () => Promise.resolve(true),
          knownCapabilities,
        });
        const failure = await failureOf(make(service));
        assert.deepEqual([failure.kind, failure.operation, failure.mayHaveActed], ['readOnly', operation, false]);
        assert.match(failure.advice, /read-only.*Set Connection Role/);
        assert.equal(credentialsRead(), 0);
        assert.deepEqual(server.requests, []);
      });
    }

    test(`sends no ${operation} if it became read-only while the credential was read`, async (context) => {
      let isReadOnly = false;
      const { service, server } = await stage(context, {
        isReadOnly: () => Promise.resolve(isReadOnly),
        credential: async () => {
          isReadOnly = true;
          return Promise.resolve(CREDENTIAL);
        },
      });
      assert.equal((await failureOf(make(service))).kind, 'readOnly');
      assert.deepEqual(server.requests, []);
    });

    test(`sends ${operation} once it is allowed again`, async (context) => {
      let isReadOnly = true;
      const { service, server } = await stage(context, { isReadOnly: () => Promise.resolve(isReadOnly) });
      await failureOf(make(service));
      isReadOnly = false;
      await make(service).catch(() => undefined);
      assert.equal(server.requests.length, 1);
    });
  }

  test('reads: dry runs and the check for force flags are no changes', async (context) => {
    const { service, server } = await stage(context, { isReadOnly: () => Promise.resolve(true) });
    assert.match(await service.indices.dryRun(PLAN), /1 out of 2/);
    await service.indices.knowsForceFlags(PLAN);
    assert.equal(server.requests.length, 2);
    assert.ok(server.requests.every(({ body }) => body.includes('"dryRun":true')));
  });

  test('lists tokens, sizes and tasks', async (context) => {
    const { service, server } = await stage(context, { isReadOnly: () => Promise.resolve(true) });
    const scope = { kind: 'owned', ownerUrn: ME } as const;
    for (const read of [
      () => service.tokens.list({ scope, filters: [], start: 0, count: 1 }),
      () => service.indices.listIndexSizes(),
      () => service.tasks.readTaskStatus('node:1'),
    ]) {
      const before = server.requests.length;
      const failure = await read().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(server.requests.length > before);
      assert.doesNotMatch(String(failure), /read-only/);
    }
  });
});
