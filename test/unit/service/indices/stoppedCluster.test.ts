import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TruncationPlan } from '../../../../src/service/indices/truncation.ts';
import { serviceFor } from '../../../service/testClient.ts';
import { ALWAYS, failureOf, serviceAt } from '../clients.ts';

test("A stopped search cluster fails each request in the server's words, and no longer knows a task", async (context) => {
  const server = await serviceFor(context, { profile: '1.6', batchDelayMillis: 3_600_000 });
  const { indices, tasks } = serviceAt(server.url, {
    actorUrn: server.users.admin.urn,
    readSecrets: () => Promise.resolve({ token: server.adminToken }),
    knownFacts: {},
  });
  const plan: TruncationPlan = {
    entityType: 'dataset',
    aspect: 'operation',
    endTimeMillis: Date.now(),
    batchSize: 1,
    timeoutSeconds: undefined,
    strategy: 'deleteByQuery',
  };
  await indices.dryRun(plan);
  const started = await indices.execute(plan, ALWAYS);
  assert.ok(started.kind === 'started');
  server.setClusterRunning(false);
  const failures = [await failureOf(indices.dryRun(plan)), await failureOf(indices.execute(plan, ALWAYS))];
  for (const { kind, status, serverText } of failures) {
    assert.deepEqual(
      { kind, status, serverText },
      { kind: 'server', status: 500, serverText: 'com.datahub.util.exception.ESQueryException: Count query failed:' },
    );
  }
  assert.equal(failures[1]?.mayHaveActed, true, 'a 500 of any other cause may come after the deletion has started');
  assert.deepEqual(await tasks.readTaskStatus(started.taskId), { kind: 'unknown' });
});
