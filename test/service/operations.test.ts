import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFor, TestClient } from './testClient.ts';
import type { UserName } from './users.ts';

test('each operation requires its own privilege', async (t) => {
  const service = await serviceFor(t, { profile: 'next', rows: 500 });
  const truncation = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1 };
  // Truncation, sizes and a task's status.
  const table: readonly (readonly [UserName, readonly number[]])[] = [
    ['admin', [200, 200, 200]],
    ['operator', [200, 200, 200]],
    ['truncator', [200, 403, 403]],
    ['sizer', [403, 200, 403]],
    ['watcher', [403, 403, 200]],
    ['system', [403, 200, 200]],
    ['guest', [403, 403, 403]],
  ];
  for (const [user, expected] of table) {
    const client = new TestClient(service, user);
    const answers = await Promise.all([
      client.operation('truncateTimeseriesAspect', truncation),
      client.operation('getIndexSizes'),
      client.operation('getEsTaskStatus', { task: 'node:1' }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      expected,
      user,
    );
  }
});
