import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFor, TestClient } from './testClient.ts';
import { isTaskId } from './taskStatus.ts';
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

test("only the framework's own refusals have its header", async (t) => {
  const guest = new TestClient(await serviceFor(t, { profile: 'next' }), 'guest');
  for (const [action, header] of [
    ['getIndexSizes', null],
    ['nope', 'true'],
  ] as const) {
    const { headers } = await guest.send('POST', `/operations?action=${action}`);
    assert.equal(headers.get('x-linkedin-error-response'), header, action);
  }
});

test('a task ID is a node and a number other than 0', () => {
  for (const [id, expected] of [
    ['qhxGdzytQS-pQek8CwBCZg_:54654', true],
    ['123456:aB1cdEf2GHIJKLMnoPQr3S', false],
    [':123', false],
    ['node:0', false],
  ] as const) {
    assert.equal(isTaskId(id), expected, id);
  }
});
