/** The client against different servers. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serviceFor, until } from '../../../service/testClient.ts';
import { NEW, OWN, PLAN } from '../changes.ts';
import { ALWAYS, failureOf } from '../clients.ts';
import { clientOf } from './localClients.ts';

suite('Servers that differ', () => {
  test('without introspection are understood all the same', async (context) => {
    for (const profile of ['spec', '0.14', '1.6', 'next', 'postgres'] as const) {
      const service = await serviceFor(context, { profile, introspection: false, authentication: true, lagMillis: 0 });
      const analyst = clientOf(context, service, 'analyst');
      const created = await analyst.tokens.create({ ...NEW, actorUrn: analyst.actorUrn }, true, {
        mayStillSend: ALWAYS,
      });
      const page = await analyst.tokens.list({ ...OWN, scope: { kind: 'owned', ownerUrn: analyst.actorUrn } });
      assert.equal(page.tokens[0]?.id, created.id);
      assert.equal(page.tokens[0].name, profile === 'spec' ? undefined : NEW.name);
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
      const offered = await client.tokens.offeredDurations();
      assert.equal(offered.includes('ONE_WEEK'), hasWeek);
      for (const duration of offered) {
        await client.tokens.create({ ...NEW, actorUrn: client.actorUrn, duration }, true, { mayStillSend: ALWAYS });
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
        client.tokens.create({ ...NEW, actorUrn, type: 'SERVICE_ACCOUNT' }, false, { mayStillSend: ALWAYS });
      const account = 'urn:li:corpuser:service_ingestion';
      assert.match((await create(admin, account)).secret.reveal(), /^eyJ/);
      assert.match((await failureOf(create(admin, admin.actorUrn))).message, /service account doesn't exist/);
      assert.equal((await failureOf(create(analyst, account))).privilege, 'Manage Service Accounts');
    });
  }

  test('count, delete and show the task: 0.14', async (context) => {
    const options = { profile: '0.14', authentication: true, lagMillis: 30, rows: 2_000 } as const;
    const service = await serviceFor(context, { ...options, refreshIntervalMillis: 1_000 });
    const { indices, tasks } = clientOf(context, service, 'operator', { baseUrl: service.url });
    const index = { entityType: 'dataset', aspect: 'datasetusagestatistics' };
    const before = service.rows(index.entityType, index.aspect);
    const endTimeMillis = Date.now() - 90 * 86_400_000;
    const plan = { ...PLAN, ...index, endTimeMillis, batchSize: 1_000, strategy: 'deleteByQuery' } as const;
    assert.match((await indices.dryRun(plan)).text, new RegExp(`^Delete \\d+ out of ${before.count} rows`));
    assert.deepEqual(service.rows(index.entityType, index.aspect), before, 'a dry run deletes nothing');
    const execution = await indices.execute(plan, ALWAYS);
    assert.ok(execution.kind === 'started');
    await until('the task has ended', async () => {
      const status = await tasks.readTaskStatus(execution.taskId);
      return status.kind === 'known' && status.completed;
    });
    await until('no row is left', async () => (await indices.dryRun(plan)).text.startsWith('Delete 0 '));
    const after = service.rows(index.entityType, index.aspect);
    assert.ok(after.count > 0 && after.count < before.count);
  });
});
