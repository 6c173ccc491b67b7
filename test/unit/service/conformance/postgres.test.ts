/** The client against a local service that keeps its time series in PostgreSQL. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isTaskId } from '../../../../src/service/indices/truncation.ts';
import { serviceFor } from '../../../service/testClient.ts';
import { ALWAYS, failureOf } from '../clients.ts';
import { clientOf, PLAN } from './localClients.ts';

/** Spelled as in the registry, which matters there. */
const USAGE = { ...PLAN, aspect: 'datasetUsageStatistics' };

suite('A truncation with time series in PostgreSQL', () => {
  test('runs behind an ID without a status; dry runs show when it ends', async (context) => {
    const service = await serviceFor(context, { profile: 'postgres', rows: 2_000 });
    const operator = clientOf(context, service, 'operator', { baseUrl: service.url });
    const plan = { ...USAGE, batchSize: 100, endTimeMillis: Date.now() - 90 * 86_400_000 };
    assert.match(await operator.indices.dryRun(plan), /^Delete \d+ out of 540 rows/);
    const execution = await operator.indices.execute(plan, ALWAYS);
    assert.ok(execution.kind === 'started' && !isTaskId(execution.taskId));
    assert.equal((await failureOf(operator.tasks.readTaskStatus(execution.taskId))).kind, 'badRequest');
    assert.match(await operator.indices.dryRun(plan), /^Delete 0 /, 'the answer came at the end');
    const { count } = service.rows(PLAN.entityType, PLAN.aspect);
    assert.ok(count > 0 && count < 540);
  });

  test('accepts the other flag, but no forced reindex', async (context) => {
    const service = await serviceFor(context, { profile: 'postgres' });
    const operator = clientOf(context, service, 'operator', { baseUrl: service.url });
    const plan = { ...USAGE, endTimeMillis: 1 };
    const refused = await failureOf(operator.indices.dryRun({ ...plan, strategy: 'reindex' }));
    assert.deepEqual([refused.kind, refused.mayHaveActed], ['badRequest', false]);
    assert.match(await operator.indices.dryRun({ ...plan, strategy: 'deleteByQuery' }), /^Delete 0 out of \d+ rows/);
  });
});
