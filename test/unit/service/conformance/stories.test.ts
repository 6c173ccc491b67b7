/** The client against the running local service, in every profile: the cases that the servers' own tests assert, and whole stories. */
/* oxlint-disable no-await-in-loop -- one step after the other is what a story is */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Dialect } from '../../../../src/service/dialect.ts';
import { ServiceFailure } from '../../../../src/service/failure.ts';
import type { Service, ServiceOptions as ClientOptions } from '../../../../src/service/service.ts';
import type { CreateToken, ListTokens } from '../../../../src/service/tokens.ts';
import { startService } from '../../../service/main.ts';
import type { RunningService } from '../../../service/main.ts';
import type { ServiceOptions } from '../../../service/options.ts';
import { serviceFor, until } from '../../../service/testClient.ts';
import type { UserName } from '../../../service/users.ts';
import { failureOf, serviceAt } from '../clients.ts';

const ALL: ListTokens = { scope: { kind: 'all' }, filters: [], start: 0, count: 20 };
const UNAUTHORIZED = 'Unauthorized to perform this action. Please contact your DataHub administrator.';
const PLAN = {
  entityType: 'dataset',
  aspect: 'datasetusagestatistics',
  batchSize: 1_000,
  timeoutSeconds: undefined,
  strategy: 'server',
} as const;

/** Signed in as a user, knowing nothing of the server. */
function clientOf(context: TestContext, service: RunningService, user: UserName, options: Partial<ClientOptions> = {}): Service {
  const { urn, token } = service.users[user];
  const client = serviceAt(options.baseUrl ?? service.frontUrl, {
    actorUrn: urn,
    credential: () => Promise.resolve(token),
    dialect: {},
    ...options,
  });
  context.after(() => client.close());
  return client;
}

const forActor = (actorUrn: string): CreateToken => ({
  type: 'PERSONAL',
  actorUrn,
  duration: 'ONE_HOUR',
  name: 'my token',
  description: 'ci',
});
const ownedBy = (ownerUrn: string): ListTokens => ({ ...ALL, scope: { kind: 'owned', ownerUrn } });

/** The listing once it holds so many tokens: it lags behind what was done. */
async function listed(client: Service, request: ListTokens, count: number): Promise<Awaited<ReturnType<Service['tokens']['list']>>> {
  let page: Awaited<ReturnType<Service['tokens']['list']>> | undefined;
  await until(`${count} tokens`, async () => {
    page = await client.tokens.list(request).catch((thrown: unknown) => {
      // A row that was revoked and is indexed still; pauses are none here, so that it may be so twice.
      assert.ok(thrown instanceof ServiceFailure && thrown.kind === 'server', String(thrown));
      return undefined;
    });
    return page?.tokens.length === count;
  });
  return page ?? assert.fail();
}

for (const [profile, options] of Object.entries({
  spec: { profile: 'spec' },
  '0.14': { profile: '0.14', authentication: true, lagMillis: 30 },
  current: { profile: 'current', lagMillis: 30 },
} satisfies Record<string, ServiceOptions>)) {
  suite(`Revocable tokens, ${profile}`, () => {
    /** Where a server lists no more than the interface description shows, that is what can be checked. */
    const tellsOwner = profile !== 'spec';

    test('an admin creates a token for herself, sees it and revokes it', async (context) => {
      const service = await serviceFor(context, options);
      const admin = clientOf(context, service, 'admin');
      assert.deepEqual(await admin.tokens.list(ALL), { tokens: [], received: 0, total: 0 });
      const created = await admin.tokens.create(forActor(admin.actorUrn), true);
      assert.match(created.secret.reveal(), /^[\w-]+\.[\w-]+\.[\w-]+$/);
      const { tokens } = await listed(admin, ALL, 1);
      assert.deepEqual(
        [tokens[0]?.id, tokens[0]?.actorUrn, tokens[0]?.ownerUrn],
        [created.id, admin.actorUrn, tellsOwner ? admin.actorUrn : undefined],
      );
      await admin.tokens.revoke(created.id);
      await listed(admin, ALL, 0);
    });

    test('an admin creates a token for another user, stays its owner, and revokes it', async (context) => {
      const service = await serviceFor(context, options);
      const admin = clientOf(context, service, 'admin');
      const { urn } = service.users.analyst;
      const created = await admin.tokens.create(forActor(urn), false);
      const { tokens } = await listed(admin, ALL, 1);
      assert.deepEqual([tokens[0]?.actorUrn, tokens[0]?.ownerUrn], [urn, tellsOwner ? admin.actorUrn : undefined]);
      await admin.tokens.revoke(created.id);
      await listed(admin, ALL, 0);
    });

    test('a user without further rights creates, lists and revokes a token of her own', async (context) => {
      const service = await serviceFor(context, options);
      const analyst = clientOf(context, service, 'analyst');
      const created = await analyst.tokens.create(forActor(analyst.actorUrn), true);
      const { tokens } = await listed(analyst, ownedBy(await analyst.caller()), 1);
      assert.equal(tokens[0]?.id, created.id);
      await analyst.tokens.revoke(created.id);
      await listed(analyst, ownedBy(analyst.actorUrn), 0);
    });

    test('an admin lists another user’s tokens and revokes them', async (context) => {
      const service = await serviceFor(context, options);
      const analyst = clientOf(context, service, 'analyst');
      const admin = clientOf(context, service, 'admin');
      const created = await analyst.tokens.create(forActor(analyst.actorUrn), true);
      const { tokens } = await listed(admin, ownedBy(analyst.actorUrn), 1);
      assert.equal(tokens[0]?.id, created.id);
      await admin.tokens.revoke(created.id);
      await listed(analyst, ownedBy(analyst.actorUrn), 0);
      await listed(admin, ALL, 0);
    });

    test('a user without further rights creates none for an admin and lists none of others', async (context) => {
      const service = await serviceFor(context, options);
      const analyst = clientOf(context, service, 'analyst');
      const refused = await failureOf(analyst.tokens.create(forActor(service.users.admin.urn), false));
      assert.deepEqual([refused.kind, refused.privilege], ['refused', 'Manage All Access Tokens']);
      if (profile !== 'spec') {
        assert.equal(refused.serverText, UNAUTHORIZED);
      }
      assert.equal((await failureOf(analyst.tokens.list(ALL))).kind, 'refused');
    });

    test('a token that was created signs in until it is revoked', async (context) => {
      const service = await serviceFor(context, { ...options, authentication: true });
      const admin = clientOf(context, service, 'admin');
      const created = await admin.tokens.create(forActor(admin.actorUrn), true);
      const withIt = clientOf(context, service, 'admin', { credential: () => Promise.resolve(created.secret.reveal()) });
      await withIt.indices.sizes();
      await admin.tokens.revoke(created.id);
      assert.equal((await failureOf(withIt.indices.sizes())).kind, 'signedOut');
    });
  });

  suite(`A truncation, ${profile}`, () => {
    test('is counted, executed and watched, and leaves what is newer than the cut-off', async (context) => {
      const service = await serviceFor(context, { ...options, rows: 2_000 });
      const operator = clientOf(context, service, 'operator', { baseUrl: service.url });
      const sizes = await operator.indices.sizes();
      assert.ok(
        sizes.some(({ entityType, aspect, sizeBytes }) => entityType === PLAN.entityType && aspect === PLAN.aspect && (sizeBytes ?? 0) > 0),
      );
      const before = service.rows(PLAN.entityType, PLAN.aspect);
      const plan = { ...PLAN, endTimeMillis: Date.now() - 90 * 86_400_000 };
      assert.match(await operator.indices.dryRun(plan), new RegExp(`^Delete \\d+ out of ${before.count} rows`));
      assert.deepEqual(service.rows(PLAN.entityType, PLAN.aspect), before, 'a dry run deletes nothing');
      const execution = await operator.indices.execute(plan);
      assert.ok(execution.kind === 'started');
      if (profile === 'spec') {
        assert.equal((await failureOf(operator.tasks.status(execution.taskId))).kind, 'unsupported');
        await until('a dry run counts no more rows', async () => (await operator.indices.dryRun(plan)).startsWith('Delete 0 '));
      } else {
        await until('the task has ended', async () => {
          const status = await operator.tasks.status(execution.taskId);
          return status.kind === 'known' && status.completed;
        });
      }
      const after = service.rows(PLAN.entityType, PLAN.aspect);
      assert.ok(after.count > 0 && after.count < before.count);
    });

    test(`is ${profile === '0.14' ? 'possible to everybody, as servers of that age have it' : 'refused to who may not, and the privilege is named'}`, async (context) => {
      const service = await serviceFor(context, options);
      const analyst = clientOf(context, service, 'analyst', { baseUrl: service.url });
      const counting = analyst.indices.dryRun({ ...PLAN, endTimeMillis: 1 });
      if (profile === '0.14') {
        assert.match(await counting, /^Delete 0 /);
      } else {
        const failure = await failureOf(counting);
        assert.deepEqual([failure.kind, failure.privilege], ['refused', 'Truncate timeseries aspect index size API']);
      }
    });

    test('is possible to who may do nothing else', async (context) => {
      const service = await serviceFor(context, options);
      const truncator = clientOf(context, service, 'truncator', { baseUrl: service.url });
      assert.match(await truncator.indices.dryRun({ ...PLAN, endTimeMillis: 1 }), /^Delete 0 /);
    });
  });
}

suite('Servers that differ', () => {
  test('without introspection are understood all the same', async (context) => {
    for (const profile of ['spec', '0.14', 'current'] as const) {
      const service = await serviceFor(context, { profile, introspection: false, authentication: true, lagMillis: 0 });
      const analyst = clientOf(context, service, 'analyst');
      const created = await analyst.tokens.create(forActor(analyst.actorUrn), true);
      const page = await analyst.tokens.list({ ...ownedBy(analyst.actorUrn) });
      assert.equal(page.tokens[0]?.id, created.id);
      assert.equal(page.tokens[0].name, profile === 'spec' ? undefined : 'my token');
    }
  });

  test('by age refuse other durations, and what was refused is not offered again', async (context) => {
    const service = await serviceFor(context, { profile: 'current' });
    const admin = clientOf(context, service, 'admin');
    assert.deepEqual((await admin.durations()).slice(-1), ['NO_EXPIRY']);
    const refused = await failureOf(admin.tokens.create({ ...forActor(admin.actorUrn), duration: 'NO_EXPIRY' }, true));
    assert.deepEqual([refused.kind, refused.mayHaveActed], ['badRequest', false]);
    assert.deepEqual((await admin.durations()).slice(-1), ['ONE_YEAR']);
    const tooLong = await failureOf(admin.tokens.create({ ...forActor(admin.actorUrn), duration: { iso: 'P45D' } }, true));
    assert.match(tooLong.serverText ?? '', /not allowed/);
    await admin.tokens.create({ ...forActor(admin.actorUrn), duration: { iso: 'P30D' } }, true);
    const older = await serviceFor(context, { profile: '0.14' });
    assert.ok(!(await clientOf(context, older, 'admin', { baseUrl: older.url }).durations()).includes('ONE_WEEK'));
  });

  test('know service accounts or do not', async (context) => {
    const service = await serviceFor(context, { profile: 'current' });
    const admin = clientOf(context, service, 'admin');
    assert.equal((await admin.rights()).manageServiceAccounts, true);
    const request = { ...forActor('urn:li:corpuser:service_ingestion'), type: 'SERVICE_ACCOUNT' } as const;
    assert.match((await admin.tokens.create(request, false)).secret.reveal(), /^eyJ/);
    assert.match(
      (await failureOf(admin.tokens.create({ ...request, actorUrn: admin.actorUrn }, false))).serverText ?? '',
      /not a service account/,
    );
    const analyst = clientOf(context, service, 'analyst');
    assert.equal((await failureOf(analyst.tokens.create(request, false))).privilege, 'Manage Service Accounts');
  });

  test('are known anew after an upgrade, without anybody doing anything', async (context) => {
    const old = await startService({ profile: '0.14', authentication: true, tokens: 0, rows: 16, lagMillis: 0 });
    let remembered: Dialect = {};
    const first = clientOf(context, old, 'analyst', { baseUrl: old.url, rememberDialect: (dialect) => (remembered = dialect) });
    await first.tokens.list(ownedBy(await first.caller()));
    assert.equal(remembered.schema?.createTakesDurationIso, false);
    const port = Number(new URL(old.url).port);
    await old.close();
    const upgraded = await serviceFor(context, { profile: 'current', port });
    const second = clientOf(context, upgraded, 'analyst', {
      baseUrl: upgraded.url,
      dialect: JSON.parse(JSON.stringify(remembered)) as Dialect,
      rememberDialect: (dialect) => (remembered = dialect),
    });
    await second.tokens.list(ownedBy(await second.caller()));
    assert.equal(remembered.appVersion, 'v1.7.0.1');
    assert.equal(remembered.schema?.createTakesDurationIso, true);
  });

  test('list physical names, claim more tokens than there are, and write numbers as their locale does', async (context) => {
    const service = await serviceFor(context, {
      profile: 'current',
      rows: 200,
      physicalNames: true,
      phantomTokens: 7,
      decimalSeparator: ',',
      lagMillis: 0,
    });
    const admin = clientOf(context, service, 'admin');
    const sizes = await admin.indices.sizes();
    assert.ok(sizes.length > 0 && sizes.every(({ entityType, aspect }) => entityType !== undefined && aspect !== undefined));
    assert.deepEqual(await admin.tokens.list(ALL), { tokens: [], received: 0, total: 7 });
    assert.match(await admin.indices.dryRun({ ...PLAN, endTimeMillis: Date.now() }), /\(100,00%\)/);
  });

  test('trip over a row revoked a moment ago; the client does not', async (context) => {
    const service = await serviceFor(context, { profile: 'current', staleRows: 'fail', lagMillis: 60_000 });
    const admin = clientOf(context, service, 'admin', {
      // The pause after which the listing is read again: by then the index has caught up.
      pause: () => {
        service.clock.offsetMillis += 120_000;
        return Promise.resolve();
      },
    });
    const created = await admin.tokens.create(forActor(admin.actorUrn), true);
    service.clock.offsetMillis += 120_000;
    assert.equal((await admin.tokens.list(ALL)).received, 1);
    await admin.tokens.revoke(created.id);
    assert.deepEqual((await admin.tokens.list(ALL)).tokens, []);
  });

  test('that take no tokens at their front end are told from those that refuse a token', async (context) => {
    const service = await serviceFor(context, { profile: 'current', frontAuthentication: false });
    assert.match((await failureOf(clientOf(context, service, 'admin').greet())).next ?? '', /the address of the service itself/);
    await clientOf(context, service, 'admin', { baseUrl: service.url }).greet();
  });
});

suite('A lost answer', () => {
  test('to a creation is resolved by looking: the token is there, and was made once', async (context) => {
    const service = await serviceFor(context, { profile: 'current', lagMillis: 0 });
    const admin = clientOf(context, service, 'admin');
    await admin.schema();
    service.faults.add({ fault: { kind: 'cutAfter' }, match: 'createAccessToken' });
    const since = Date.now();
    const failure = await failureOf(admin.tokens.create(forActor(admin.actorUrn), true));
    assert.equal(failure.mayHaveActed, true);
    const found = await admin.tokens.findCreated('my token', admin.actorUrn, since);
    assert.deepEqual(
      service.tokens().map(({ id }) => id),
      [found?.id],
    );
  });

  test('to a revocation is resolved by looking: the token is gone', async (context) => {
    const service = await serviceFor(context, { profile: 'current', lagMillis: 0 });
    const admin = clientOf(context, service, 'admin');
    const created = await admin.tokens.create(forActor(admin.actorUrn), true);
    service.faults.add({ fault: { kind: 'cutAfter' }, match: 'revokeAccessToken' });
    assert.equal((await failureOf(admin.tokens.revoke(created.id))).mayHaveActed, true);
    assert.equal(await admin.tokens.find(created.id, { kind: 'all' }), undefined);
  });

  test('to an execution is resolved by looking: a dry run finds nothing more to do', async (context) => {
    const service = await serviceFor(context, { profile: 'current', rows: 800 });
    const admin = clientOf(context, service, 'admin', { baseUrl: service.url });
    const plan = { ...PLAN, strategy: 'deleteByQuery', endTimeMillis: Date.now() - 365 * 86_400_000 } as const;
    await admin.indices.dryRun(plan);
    service.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    assert.equal((await failureOf(admin.indices.execute(plan))).mayHaveActed, true);
    assert.equal(service.tasks().length, 1);
    await until('nothing is left to delete', async () => (await admin.indices.dryRun(plan)).startsWith('Delete 0 '));
  });

  test('to a reading is simply read again', async (context) => {
    const service = await serviceFor(context, { profile: 'current' });
    const admin = clientOf(context, service, 'admin');
    await admin.greet();
    service.faults.add({ fault: { kind: 'cutAfter' }, times: 2 });
    assert.equal((await admin.tokens.list(ALL)).received, 0);
  });
});
