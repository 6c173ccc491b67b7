/** The client against different servers and lost responses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serviceFor, until } from '../../../service/testClient.ts';
import { ALWAYS, failureOf } from '../clients.ts';
import { PLAN, clientOf, forActor, ownedBy } from './localClients.ts';

suite('Servers that differ', () => {
  test('without introspection are understood all the same', async (context) => {
    for (const profile of ['spec', '0.14', '1.6', 'next', 'postgres'] as const) {
      const service = await serviceFor(context, { profile, introspection: false, authentication: true, lagMillis: 0 });
      const analyst = clientOf(context, service, 'analyst');
      const created = await analyst.tokens.create(forActor(analyst.actorUrn), true, { mayStillSend: ALWAYS });
      const page = await analyst.tokens.list({ ...ownedBy(analyst.actorUrn) });
      assert.equal(page.tokens[0]?.id, created.id);
      assert.equal(page.tokens[0].name, profile === 'spec' ? undefined : 'my token');
    }
  });

  for (const [profile, hasWeek, endings] of [
    ['0.14', false, 1],
    ['1.6', true, 1],
    // It allows no token that never expires, and says so.
    ['next', true, 0],
  ] as const) {
    test(`accept every duration that is offered, the week only where it is computed: ${profile}`, async (context) => {
      const service = await serviceFor(context, { profile, authentication: true });
      const client = clientOf(context, service, 'admin', { baseUrl: service.url });
      const offered = await client.offeredDurations();
      assert.equal(offered.includes('ONE_WEEK'), hasWeek);
      for (const duration of offered) {
        await client.tokens.create({ ...forActor(client.actorUrn), duration }, true, { mayStillSend: ALWAYS });
      }
      assert.equal(service.tokens().filter(({ expiresAt }) => expiresAt === null).length, endings);
    });
  }

  for (const profile of ['1.6', 'next'] as const) {
    test(`know service accounts: ${profile}`, async (context) => {
      const service = await serviceFor(context, { profile });
      const admin = clientOf(context, service, 'admin');
      const analyst = clientOf(context, service, 'analyst');
      const create = (client: typeof admin, actorUrn: string): ReturnType<typeof admin.tokens.create> =>
        client.tokens.create({ ...forActor(actorUrn), type: 'SERVICE_ACCOUNT' }, false, { mayStillSend: ALWAYS });
      const account = 'urn:li:corpuser:service_ingestion';
      assert.match((await create(admin, account)).secret.reveal(), /^eyJ/);
      assert.match((await failureOf(create(admin, admin.actorUrn))).message, /service account doesn't exist/);
      assert.equal((await failureOf(create(analyst, account))).privilege, 'Manage Service Accounts');
    });
  }

  test('do not know service accounts: 0.14', async (context) => {
    const service = await serviceFor(context, { profile: '0.14', authentication: true });
    const admin = clientOf(context, service, 'admin');
    assert.equal(await admin.hasServiceAccounts(), false);
  });
});

suite('A lost response', () => {
  test('to a creation leaves one token, which is listed', async (context) => {
    const service = await serviceFor(context, { profile: 'next', lagMillis: 0 });
    const admin = clientOf(context, service, 'admin');
    await admin.server.fact('creation');
    service.faults.add({ fault: { kind: 'cutAfter' }, match: 'createAccessToken' });
    const failure = await failureOf(admin.tokens.create(forActor(admin.actorUrn), true, { mayStillSend: ALWAYS }));
    assert.equal(failure.mayHaveActed, true);
    const { tokens } = await admin.tokens.list({ scope: { kind: 'all' }, filters: [], start: 0, count: 10 });
    assert.deepEqual(
      tokens.map(({ name }) => name),
      ['my token'],
    );
  });

  test('to a revocation is resolved by searching: the token is gone', async (context) => {
    const service = await serviceFor(context, { profile: 'next', lagMillis: 0 });
    const admin = clientOf(context, service, 'admin');
    const created = await admin.tokens.create(forActor(admin.actorUrn), true, { mayStillSend: ALWAYS });
    service.faults.add({ fault: { kind: 'cutAfter' }, match: 'revokeAccessToken' });
    assert.equal((await failureOf(admin.tokens.revoke(created.id, { mayStillSend: ALWAYS }))).mayHaveActed, true);
    assert.deepEqual(await admin.tokens.findGoneTokens([created.id], { kind: 'all' }), [created.id]);
  });

  test('to an execution is resolved by a dry run, which finds nothing more to delete', async (context) => {
    const service = await serviceFor(context, { profile: 'next', rows: 800 });
    const admin = clientOf(context, service, 'admin', { baseUrl: service.url });
    const plan = { ...PLAN, strategy: 'deleteByQuery', endTimeMillis: Date.now() - 365 * 86_400_000 } as const;
    await admin.indices.dryRun(plan);
    service.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    assert.equal((await failureOf(admin.indices.execute(plan, ALWAYS))).mayHaveActed, true);
    assert.equal(service.tasks().length, 1);
    await until('nothing is left to delete', async () =>
      (await admin.indices.dryRun(plan)).text.startsWith('Delete 0 '),
    );
  });
});
