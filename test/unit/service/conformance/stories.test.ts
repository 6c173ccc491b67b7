/** A truncation by the client on the running local service. `npm run conformance` asks it about everything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceOptions } from '../../../service/options.ts';
import { serviceFor, until } from '../../../service/testClient.ts';
import { ALWAYS, failureOf } from '../clients.ts';
import { PLAN, clientOf } from './localClients.ts';

// PostgreSQL has other names, tasks and sizes: see the recorded exchanges.
for (const [profile, options] of Object.entries({
  spec: { profile: 'spec' },
  '0.14': { profile: '0.14', authentication: true, lagMillis: 30 },
  next: { profile: 'next', lagMillis: 30 },
} satisfies Record<string, ServiceOptions>)) {
  test(`A truncation is counted, executed and watched, and leaves what is newer than the cutoff: ${profile}`, async (context) => {
    const service = await serviceFor(context, { ...options, rows: 2_000, refreshIntervalMillis: 1_000 });
    const operator = clientOf(context, service, 'operator', { baseUrl: service.url });
    const sizes = await operator.indices.listIndexSizes();
    assert.ok(
      sizes.some(
        ({ entityType, aspect, sizeBytes }) =>
          entityType === PLAN.entityType && aspect === PLAN.aspect && (profile === 'spec' || (sizeBytes ?? 0) > 0),
      ),
    );
    const before = service.rows(PLAN.entityType, PLAN.aspect);
    const plan = {
      ...PLAN,
      endTimeMillis: Date.now() - 90 * 86_400_000,
      ...(profile === 'spec' ? {} : { strategy: 'deleteByQuery' as const }),
    };
    assert.match((await operator.indices.dryRun(plan)).text, new RegExp(`^Delete \\d+ out of ${before.count} rows`));
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
      (await operator.indices.dryRun(plan)).text.startsWith('Delete 0 '),
    );
    const after = service.rows(PLAN.entityType, PLAN.aspect);
    assert.ok(after.count > 0 && after.count < before.count);
  });
}
