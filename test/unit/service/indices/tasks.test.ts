import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { MetadataService } from '../../../../src/service/service.ts';
import { readableServerText } from '../../../../src/service/failure/redaction.ts';
import { cannotWatchTasks, parseTaskStatus } from '../../../../src/service/indices/tasks.ts';
import { CREDENTIAL, failureOf, recordedPauses, serviceAt } from '../clients.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

const ID = 'qhxGdzytQS-pQek8CwBCZg:54654';
const OPENAPI = `/openapi/operations/elasticSearch/getTaskStatus?task=${encodeURIComponent(ID)}`;
const COUNTS = {
  total: 300,
  updated: 0,
  created: 0,
  deleted: 120,
  batches: 2,
  version_conflicts: 3,
  noops: 0,
  retries: { bulk: 0, search: 0 },
  throttled_millis: 0,
  requests_per_second: -1,
  throttled_until_millis: 0,
};
const RUNNING = {
  kind: 'known',
  completed: false,
  total: 300,
  deleted: 120,
  created: 0,
  updated: 0,
  versionConflicts: 3,
  bulkRetries: 0,
  runTimeMillis: 1.179458,
  cancelled: undefined,
  failures: [],
};
const NOT_SUPPORTED = {
  exceptionClass: 'x',
  status: 400,
  message: 'POST action getEsTaskStatus operation not supported for URI: /operations',
};

async function serving(
  context: TestContext,
  answer: Answerer,
): Promise<{ service: MetadataService; server: WireServer }> {
  const server = await wireServer(context, answer);
  return { service: serviceAt(server.url), server };
}

const task = (fields: object = {}, counts: object = {}): string =>
  JSON.stringify({
    completed: false,
    taskId: ID,
    runTimeNanos: 1_179_458,
    status: JSON.stringify({ ...COUNTS, ...counts }),
    ...fields,
  });
const value =
  (result: unknown): Answerer =>
  (_, response) =>
    reply(response, 200, { value: result });

suite('The status of a task', () => {
  test('is read from three levels of JSON, each a text in the one above', async (context) => {
    const { service, server } = await serving(context, value(task()));
    assert.deepEqual(await service.tasks.readTaskStatus(ID), RUNNING);
    assert.equal(server.requests[0]?.path, '/operations?action=getEsTaskStatus');
    assert.deepEqual(JSON.parse(server.requests[0].body), { task: ID });
  });

  test('is read even if a level is not a text', async (context) => {
    const { service } = await serving(context, value({ completed: false, runTimeNanos: 1_179_458, status: COUNTS }));
    assert.deepEqual(await service.tasks.readTaskStatus(ID), RUNNING);
  });

  test('is known although there are no counts yet', () => {
    for (const status of [undefined, null, '', 'no JSON', '[]', 7]) {
      assert.deepEqual(parseTaskStatus({ completed: true, status }, String), {
        ...RUNNING,
        completed: true,
        total: 0,
        deleted: 0,
        versionConflicts: 0,
        bulkRetries: 0,
        runTimeMillis: undefined,
      });
    }
  });

  test('has the reasons of a cancellation and of failures, in the server’s words', () => {
    const failures = [
      {
        index: 'x',
        id: 'y',
        cause: { type: 'mapper_parsing_exception', reason: 'failed to parse\n\tat org.X.y(X.java:1)' },
        status: 400,
      },
      { shard: 1, reason: 'no such shard' },
      'plain words',
      { odd: true },
    ];
    const status = parseTaskStatus(
      JSON.parse(
        task(
          { completed: true, error: { type: 'task_failed', reason: 'node left' } },
          { canceled: 'by user request', failures },
        ),
      ),
      (text) => text.split('\n')[0],
    );
    assert.ok(status?.kind === 'known');
    assert.equal(status.cancelled, 'by user request');
    assert.deepEqual(status.failures, ['node left', 'failed to parse', 'no such shard', 'plain words', '{"odd":true}']);
  });

  test('has a few of very many failures', () => {
    const failures = Array.from({ length: 100_000 }, (_, index) => `failure ${index}`);
    const status = parseTaskStatus({ completed: true, status: { ...COUNTS, failures } }, String);
    assert.ok(status?.kind === 'known' && status.failures.length === 20);
    let read = 0;
    parseTaskStatus({ completed: true, status: { ...COUNTS, failures } }, () => String(read++));
    assert.equal(read, 20, 'the others are not even looked at');
    read = 0;
    parseTaskStatus({ completed: true, error: 'x', failures, status: { ...COUNTS, failures } }, () => String(read++));
    assert.equal(read, 20, 'wherever they stand');
  });

  test('omits unreadable failures and reasons', () => {
    const status = parseTaskStatus(
      { completed: true, error: null, failures: [{}], status: { ...COUNTS, canceled: 'x' } },
      () => undefined,
    );
    assert.ok(status?.kind === 'known');
    assert.deepEqual([status.cancelled, status.failures], ['', []]);
  });

  test('has no failure if the server reports none', () => {
    const status = parseTaskStatus({ completed: true, error: null, status: COUNTS }, String);
    assert.ok(status?.kind === 'known');
    assert.deepEqual(status.failures, []);
  });

  test('ignores a failure that is nested too deep to be printed', () => {
    let nested: unknown = {};
    for (let depth = 0; depth < 200_000; depth++) {
      nested = [nested];
    }
    const status = parseTaskStatus({ completed: true, failures: ['before', nested], status: COUNTS }, (text) =>
      readableServerText(text, []),
    );
    assert.ok(status?.kind === 'known');
    assert.deepEqual(status.failures, ['before']);
  });

  test('shows no credential that the server repeats', async (context) => {
    const { service } = await serving(context, value(task({ completed: true, error: { reason: `no ${CREDENTIAL}` } })));
    const status = await service.tasks.readTaskStatus(ID);
    assert.ok(status.kind === 'known');
    assert.deepEqual(status.failures, ['no <redacted>']);
  });

  test('is requested again if the server is busy, and refused in words that name the action', async (context) => {
    let asked = 0;
    const { service } = await serving(context, (request, response) =>
      ++asked === 1 ? reply(response, 503, '') : value(task())(request, response),
    );
    assert.deepEqual(await service.tasks.readTaskStatus(ID), RUNNING);
    const { service: refusing } = await serving(context, (_, response) =>
      reply(response, 403, { exceptionClass: 'x', message: 'no', status: 403 }),
    );
    assert.match((await failureOf(refusing.tasks.readTaskStatus(ID))).message, /you aren't allowed to monitor tasks/);
  });

  test('is unknown for a task that ended long ago or whose node was restarted', async (context) => {
    const { service } = await serving(context, value(JSON.stringify({ error: `Could not get task status for ${ID}` })));
    assert.deepEqual(await service.tasks.readTaskStatus(ID), { kind: 'unknown' });
  });

  test('is read by OpenAPI if there is no such action', async (context) => {
    const { service } = await serving(context, (request, response) =>
      request.path === OPENAPI ? reply(response, 200, task()) : reply(response, 400, NOT_SUPPORTED),
    );
    assert.deepEqual(await service.tasks.readTaskStatus(ID), RUNNING);
  });

  test('is reported as unknown by OpenAPI in its own way', async (context) => {
    const { service } = await serving(context, (request, response) =>
      request.path === OPENAPI
        ? reply(response, 500, `Could not get task status for ${ID}`)
        : reply(response, 400, NOT_SUPPORTED),
    );
    assert.deepEqual(await service.tasks.readTaskStatus(ID), { kind: 'unknown' });
  });

  for (const [what, openApi, kind, hopeless] of [
    ['does not exist either', { status: 404, body: '' }, 'unsupported', true],
    ['does not accept the request', { status: 405, body: '' }, 'unsupported', true],
    [
      'has the words for an unknown task, but another status',
      { status: 503, body: 'Could not get task status' },
      'unavailable',
      false,
    ],
    [
      'refuses',
      { status: 403, body: 'urn:li:corpuser:x is not authorized to get ElasticSearch task status' },
      'refused',
      true,
    ],
    ['fails', { status: 500, body: 'boom' }, 'server', false],
    ['returns something else', { status: 200, body: '{"tasks":[]}' }, 'unexpectedAnswer', false],
  ] as const) {
    test(`is unsupported if OpenAPI ${what}`, async (context) => {
      const { service } = await serving(context, (request, response) =>
        request.path === OPENAPI ? reply(response, openApi.status, openApi.body) : reply(response, 400, NOT_SUPPORTED),
      );
      const failure = await failureOf(service.tasks.readTaskStatus(ID));
      assert.equal(failure.kind, kind);
      assert.equal(cannotWatchTasks(failure), hopeless);
      assert.equal(failure.mayHaveActed, kind === 'server' || kind === 'unavailable');
    });
  }

  test('is unsupported if no endpoint answers', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 404, ''));
    const failure = await failureOf(service.tasks.readTaskStatus(ID));
    assert.deepEqual([failure.kind, cannotWatchTasks(failure)], ['notFound', true]);
  });

  test('names the missing privilege if refused', async (context) => {
    const { service } = await serving(context, (_, response) =>
      reply(response, 403, { exceptionClass: 'x', message: 'User is unauthorized to get ES task status', status: 403 }),
    );
    assert.equal((await failureOf(service.tasks.readTaskStatus(ID))).privilege, 'Get ES task status API');
  });

  test('is requested again if the server is busy for a moment', async (context) => {
    let asked = 0;
    const server = await wireServer(context, (_, response) =>
      ++asked < 3 ? reply(response, 503, '') : reply(response, 200, { value: task() }),
    );
    const { pauses, pause } = recordedPauses();
    assert.deepEqual(await serviceAt(server.url, { pause }).tasks.readTaskStatus(ID), RUNNING);
    assert.equal(pauses.length, 2);
  });

  test('always has numeric counts and texts, or is undefined', () => {
    const field = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.anything(), fc.json());
    fc.assert(
      fc.property(
        fc.record(
          {
            completed: fc.oneof(fc.boolean(), field),
            status: fc.oneof(field, fc.record({ total: field, deleted: field, canceled: field, failures: field })),
            runTimeNanos: field,
            failures: field,
            error: field,
          },
          { requiredKeys: [] },
        ),
        (told) => {
          const status = parseTaskStatus(told, (text) => text);
          if (status?.kind === 'known') {
            assert.ok(
              [
                status.total,
                status.deleted,
                status.created,
                status.updated,
                status.versionConflicts,
                status.runTimeMillis ?? 0,
              ].every((count) => Number.isFinite(count) && count >= 0),
            );
            assert.ok(status.failures.every((text) => typeof text === 'string'));
          }
        },
      ),
    );
  });
});
