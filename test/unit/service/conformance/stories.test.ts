/**
 * The client against the running local service, in every profile: cases from the servers' own tests, and a
 * truncation.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceOptions } from '../../../service/options.ts';
import { serviceFor, until } from '../../../service/testClient.ts';
import { ALWAYS, failureOf } from '../clients.ts';
import { ALL, PLAN, clientOf, forActor, listed, ownedBy } from './localClients.ts';

const UNAUTHORIZED = 'Unauthorized to perform this action. Please contact your DataHub administrator.';

for (const [profile, options] of Object.entries({
  spec: { profile: 'spec' },
  '0.14': { profile: '0.14', authentication: true, lagMillis: 30 },
  '1.7': { profile: '1.7', lagMillis: 30 },
  next: { profile: 'next', lagMillis: 30 },
  postgres: { profile: 'postgres', lagMillis: 30 },
} satisfies Record<string, ServiceOptions>)) {
  suite(`Revocable tokens, ${profile}`, () => {
    /** The interface description shows no owner, so only other fields can be checked there. */
    const tellsOwner = profile !== 'spec';

    for (const [what, creator, actor, lister, isOwn] of [
      ['an admin creates a token for herself, sees it and revokes it', 'admin', 'admin', 'admin', false],
      [
        'an admin creates a token for another user, stays its owner, and revokes it',
        'admin',
        'analyst',
        'admin',
        false,
      ],
      ['a user without further rights creates, lists and revokes a token', 'analyst', 'analyst', 'analyst', true],
      ['an admin lists another user’s tokens and revokes them', 'analyst', 'analyst', 'admin', true],
    ] as const) {
      test(what, async (context) => {
        const service = await serviceFor(context, options);
        const byCreator = clientOf(context, service, creator);
        const byLister = clientOf(context, service, lister);
        const { urn } = service.users[actor];
        const scope = isOwn ? ownedBy(await byCreator.callerActorUrn()) : ALL;
        assert.deepEqual(await byLister.tokens.list(scope), { tokens: [], received: 0, total: 0 });
        const created = await byCreator.tokens.create(forActor(urn), creator === actor, { mayStillSend: ALWAYS });
        assert.match(created.secret.reveal(), /^[\w-]+\.[\w-]+\.[\w-]+$/);
        const { tokens } = await listed(byLister, scope, 1);
        assert.deepEqual(
          [tokens[0]?.id, tokens[0]?.actorUrn, tokens[0]?.ownerUrn],
          [created.id, urn, tellsOwner ? byCreator.actorUrn : undefined],
        );
        await byLister.tokens.revoke(created.id, { mayStillSend: ALWAYS });
        await listed(byCreator, scope, 0);
        await listed(byLister, scope, 0);
      });
    }

    test('a user without further rights creates no token for an admin and lists none of others', async (context) => {
      const service = await serviceFor(context, options);
      const analyst = clientOf(context, service, 'analyst');
      const refused = await failureOf(
        analyst.tokens.create(forActor(service.users.admin.urn), false, { mayStillSend: ALWAYS }),
      );
      assert.deepEqual([refused.kind, refused.privilege], ['refused', 'Manage All Access Tokens']);
      const others = await failureOf(analyst.tokens.list(ALL));
      assert.equal(others.kind, 'refused');
      if (profile !== 'spec') {
        assert.equal(others.serverText, UNAUTHORIZED);
      }
    });

    test('tokens are found by their properties', async (context) => {
      const service = await serviceFor(context, options);
      const { urn } = service.users.admin;
      for (const name of ['first', 'second']) {
        service.issueToken({
          name,
          actorUrn: urn,
          ownerUrn: urn,
          expiresAt: Date.now() + (name === 'first' ? 1 : 100) * 3_600_000,
        });
      }
      const admin = clientOf(context, service, 'admin');
      await listed(admin, ALL, 2);
      assert.equal(
        (await admin.tokens.list({ ...ALL, filters: [{ field: 'name', value: 'second', condition: 'EQUAL' }] })).tokens
          .length,
        1,
      );
      const soon = { field: 'expiresAt', value: String(Date.now() + 2 * 3_600_000), condition: 'LESS_THAN' } as const;
      const ending = admin.tokens.list({ ...ownedBy(urn), filters: [soon] });
      if (profile === 'spec') {
        // Without conditions, the client refuses rather than list more than requested.
        assert.equal((await failureOf(ending)).kind, 'unsupported');
      } else {
        assert.deepEqual(
          (await ending).tokens.map(({ name }) => name),
          ['first'],
        );
      }
    });

    test('a created token signs in until it is revoked', async (context) => {
      const service = await serviceFor(context, { ...options, authentication: true });
      const admin = clientOf(context, service, 'admin');
      const created = await admin.tokens.create(forActor(admin.actorUrn), true, { mayStillSend: ALWAYS });
      const withIt = clientOf(context, service, 'admin', {
        readSecrets: () => Promise.resolve({ token: created.secret.reveal() }),
      });
      await withIt.indices.listIndexSizes();
      await admin.tokens.revoke(created.id, { mayStillSend: ALWAYS });
      assert.equal((await failureOf(withIt.indices.listIndexSizes())).kind, 'signedOut');
    });
  });

  suite(`A truncation, ${profile}`, () => {
    // PostgreSQL has other names, tasks and sizes: see the recorded exchanges.
    const ofCluster = profile === 'postgres' ? undefined : test;
    ofCluster?.('is counted, executed and watched, and leaves what is newer than the cutoff', async (context) => {
      const service = await serviceFor(context, { ...options, rows: 2_000, refreshIntervalMillis: 1_000 });
      const operator = clientOf(context, service, 'operator', { baseUrl: service.url });
      const { indices: sizes } = await operator.indices.listIndexSizes();
      assert.ok(
        sizes.some(
          ({ entityType, aspect, sizeBytes }) =>
            entityType === PLAN.entityType && aspect === PLAN.aspect && (sizeBytes ?? 0) > 0,
        ),
      );
      const before = service.rows(PLAN.entityType, PLAN.aspect);
      const plan = {
        ...PLAN,
        endTimeMillis: Date.now() - 90 * 86_400_000,
        ...(profile === 'spec' ? {} : { strategy: 'deleteByQuery' as const }),
      };
      assert.match(await operator.indices.dryRun(plan), new RegExp(`^Delete \\d+ out of ${before.count} rows`));
      assert.deepEqual(service.rows(PLAN.entityType, PLAN.aspect), before, 'a dry run deletes nothing');
      const execution = await operator.indices.execute(plan, ALWAYS);
      assert.ok(execution.kind === 'started');
      if (profile === 'spec') {
        assert.equal((await failureOf(operator.tasks.readTaskStatus(execution.taskId))).kind, 'unsupported');
      } else {
        await until('the task has ended', async () => {
          const status = await operator.tasks.readTaskStatus(execution.taskId);
          return status.kind === 'known' && status.completed;
        });
      }
      await until('a dry run counts no more rows', async () =>
        (await operator.indices.dryRun(plan)).startsWith('Delete 0 '),
      );
      const after = service.rows(PLAN.entityType, PLAN.aspect);
      assert.ok(after.count > 0 && after.count < before.count);
    });

    test(`${profile === '0.14' ? 'is allowed for every user' : 'needs its privilege'}, and no other`, async (context) => {
      const service = await serviceFor(context, options);
      const count = (user: 'truncator' | 'analyst'): Promise<string> =>
        clientOf(context, service, user, { baseUrl: service.url }).indices.dryRun({ ...PLAN, endTimeMillis: 1 });
      assert.match(await count('truncator'), /^Delete 0 /);
      if (profile === '0.14') {
        assert.match(await count('analyst'), /^Delete 0 /);
      } else {
        const failure = await failureOf(count('analyst'));
        assert.deepEqual([failure.kind, failure.privilege], ['refused', 'Truncate timeseries aspect index size API']);
      }
    });
  });
}
