import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { cannotWatchTasks, type DeletionTaskStatus } from '../../../../src/service/indices/tasks.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import { CREDENTIAL, failureOf, serviceAt } from '../clients.ts';
import { reply, wireServer, type Answerer } from '../wireServer.ts';

const ID = 'qhxGdzytQS-pQek8CwBCZg:54654';
const COUNTS = { total: 300, updated: 0, created: 0, deleted: 120, version_conflicts: 3, retries: { bulk: 2 } };
const RUNNING = {
  kind: 'known',
  completed: false,
  total: 300,
  deleted: 120,
  created: 0,
  updated: 0,
  versionConflicts: 3,
  bulkRetries: 2,
  runTimeMillis: 1.179458,
  cancelled: undefined,
};
const TASK = { completed: false, runTimeNanos: 1_179_458, status: COUNTS };

const serving = async (context: TestContext, answer: Answerer): Promise<MetadataService> =>
  serviceAt((await wireServer(context, answer)).url);

type KnownStatus = Extract<DeletionTaskStatus, { readonly kind: 'known' }>;

/** The status of a task that the server still knows. */
async function known(context: TestContext, task: object): Promise<KnownStatus> {
  const service = await serving(context, (_, response) => reply(response, 200, { value: task }));
  const status = await service.tasks.readTaskStatus(ID);
  assert.ok(status.kind === 'known');
  return status;
}

suite('The status of a task', () => {
  test('is read even if a level is not a text', async (context) => {
    assert.deepEqual(await known(context, TASK), RUNNING);
  });

  test('is known although there are no counts yet', async (context) => {
    for (const status of [undefined, null, '', 'no JSON', '[]', 7]) {
      const { completed, total, deleted, runTimeMillis } = await known(context, { completed: true, status });
      assert.deepEqual([completed, total, deleted, runTimeMillis], [true, 0, 0, undefined]);
    }
  });

  for (const [what, canceled, shown] of [
    ['the reason of a cancellation, in the server’s words', 'by user request', 'by user request'],
    ['no credential that the server repeats', `by ${CREDENTIAL}`, 'by <redacted>'],
    ['no unreadable reason', '<p> </p>', ''],
  ] as const) {
    test(`has ${what}`, async (context) => {
      assert.equal((await known(context, { completed: true, status: { canceled } })).cancelled, shown);
    });
  }

  test('names the missing privilege if refused', async (context) => {
    const service = await serving(context, (_, response) =>
      reply(response, 403, { exceptionClass: 'x', message: 'User is unauthorized to get ES task status', status: 403 }),
    );
    const failure = await failureOf(service.tasks.readTaskStatus(ID));
    assert.equal(failure.privilege, 'Get ES task status API');
    assert.match(failure.message, /you aren't allowed to monitor tasks/);
  });

  const noSuchAction = {
    exceptionClass: 'x',
    status: 400,
    message: 'POST action getEsTaskStatus operation not supported for URI: /operations',
  };

  for (const [what, status, body, kind, hopeless] of [
    ['there is no such action', 400, noSuchAction, 'unsupported', true],
    ['there is no endpoint', 404, '', 'notFound', true],
    ['a proxy in front is not ready', 503, '', 'unavailable', false],
    ['the server fails', 500, 'boom', 'server', false],
    ['the server returns something else', 200, { value: '{"tasks":[]}' }, 'unexpectedAnswer', false],
  ] as const) {
    test(`is ${hopeless ? 'never' : 'not now'} to be had if ${what}`, async (context) => {
      const service = await serving(context, (_, response) => reply(response, status, body));
      const failure = await failureOf(service.tasks.readTaskStatus(ID));
      assert.deepEqual([failure.kind, cannotWatchTasks(failure)], [kind, hopeless]);
      assert.equal(failure.mayHaveActed, kind === 'server' || kind === 'unavailable');
    });
  }

  test('always has numeric counts and texts, or there is none', async (context) => {
    let current: unknown;
    const service = await serving(context, (_, response) => reply(response, 200, { value: current }));
    const field = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue(), fc.json());
    const task = fc.record(
      {
        completed: fc.oneof(fc.boolean(), field),
        status: fc.oneof(field, fc.record({ total: field, deleted: field, canceled: field })),
        runTimeNanos: field,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(task, async (told) => {
        current = told;
        const status = await service.tasks.readTaskStatus(ID).catch((thrown: unknown) => {
          assert.ok(thrown instanceof ServiceFailure, String(thrown));
        });
        if (status?.kind === 'known') {
          const { total, deleted, created, updated, versionConflicts, runTimeMillis = 0 } = status;
          for (const count of [total, deleted, created, updated, versionConflicts, runTimeMillis]) {
            assert.ok(Number.isFinite(count) && count >= 0);
          }
        }
      }),
    );
  });
});
