import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { isStartedTask, isTaskId } from '../../../../src/service/indices/truncationRequest.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import { systemClock } from '../../../../src/time.ts';
import { systemNetwork } from '../../../../src/service/http/network.ts';
import { PLAN } from '../changes.ts';
import { ALWAYS, CREDENTIAL, failureOf, serviceAt } from '../clients.ts';
import { until } from '../../../service/testClient.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

const REPORT =
  'Delete 134517 out of 135600 rows (99.20%). Reindexing the aspect without the deleted records. This was a dry run. Run with dryRun = false to execute.';
const TASK = 'qhxGdzytQS-pQek8CwBCZg:533446';

async function serving(
  context: TestContext,
  answer: Answerer,
): Promise<{ readonly service: MetadataService; readonly server: WireServer }> {
  const server = await wireServer(context, answer);
  return { service: serviceAt(server.url), server };
}

/**
 * Calls a service.
 * @returns the time limit of each request, in ms
 */
async function limitsOf(
  context: TestContext,
  answer: Answerer,
  work: (service: MetadataService) => Promise<unknown>,
): Promise<number[]> {
  const server = await wireServer(context, answer);
  const limits: number[] = [];
  const after: typeof systemClock.after = (millis, run) => {
    limits.push(millis);
    return systemClock.after(millis, run);
  };
  await work(
    serviceAt(server.url, {
      network: { ...systemNetwork, clock: { ...systemClock, after } },
      timeoutMillis: () => 30_000,
    }),
  );
  return limits;
}

const answer =
  (status: number, body: unknown = ''): Answerer =>
  (_, response) =>
    reply(response, status, body);
const value = (result: unknown): Answerer => answer(200, { value: result });
const restliError = (status: number, message: string): Answerer =>
  answer(status, { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', message, status });
/** Fails once. */
const busyOnce = (then: Answerer, busy: Answerer = answer(503)): Answerer => {
  let asked = 0;
  return (request, response) => (asked++ === 0 ? busy : then)(request, response);
};

for (const [what, read, answered] of [
  ['A list of sizes', ({ indices }: MetadataService) => indices.listIndexSizes(), value({ indexSizes: [] })],
  ['A dry run', ({ indices }: MetadataService) => indices.dryRun(PLAN), value(REPORT)],
  ['A task', ({ tasks }: MetadataService) => tasks.readTaskStatus(TASK), value({ completed: true })],
] as const) {
  test(`${what} is requested again if the server is busy for a moment`, async (context) => {
    const { service, server } = await serving(context, busyOnce(answered));
    await read(service);
    assert.equal(server.requests.length, 2);
  });
}

for (const [what, ask, answered, expected] of [
  ['A dry run', ({ indices }: MetadataService) => indices.dryRun(PLAN), value(REPORT), [120_000]],
  ['An execution', ({ indices }: MetadataService) => indices.execute(PLAN, ALWAYS), value(TASK), [120_000, 120_000]],
  ['A list', ({ indices }: MetadataService) => indices.listIndexSizes(), value({ indexSizes: [] }), [30_000]],
] as const) {
  test(`${what} waits ${expected[0] / 1_000} s: submitting a reindex takes long`, async (context) => {
    // An execution waits anew once it is sent.
    assert.deepEqual(await limitsOf(context, answered, ask), expected);
  });
}

suite('The sizes of indices', () => {
  const row = (index: number | string): object => ({ indexName: `i${index}`, sizeInMb: 2 });

  for (const [what, action, outcome] of [
    ['an invalid row', value({ indexSizes: [null, row(1)] }), 1],
    ['no endpoint', answer(404), 'unsupported'],
    ['no such action', restliError(400, 'POST operation named getIndexSizes not supported'), 'unsupported'],
    ['null', value(null), 'unexpectedAnswer'],
    ['no list', value({ indexSizes: 7 }), 'unexpectedAnswer'],
  ] as const) {
    test(`are ${outcome === 1 ? 'listed' : outcome} with ${what}`, async (context) => {
      const { service } = await serving(context, action);
      const listing = service.indices.listIndexSizes();
      if (outcome === 1) {
        assert.deepEqual(
          (await listing).map(({ indexName }) => indexName.slice(0, 1)),
          ['i'],
        );
      } else {
        assert.equal((await failureOf(listing)).kind, outcome);
      }
    });
  }
});

suite('A dry run in the background', () => {
  /** A service whose first response never comes. */
  const hanging = async (
    context: TestContext,
  ): Promise<{ readonly indices: MetadataService['indices']; readonly server: WireServer }> => {
    const { service, server } = await serving(context, (_, response) => {
      if (server.requests.length > 1) {
        reply(response, 200, { value: REPORT });
      }
    });
    return { indices: service.indices, server };
  };
  const { signal } = new AbortController();

  test("returns the server's words, and throws its refusal", async (context) => {
    const { service } = await serving(context, value(REPORT));
    assert.equal((await service.indices.backgroundDryRun(PLAN, signal))?.text, REPORT);
    const refusing = await serving(context, (_, response) => reply(response, 403, ''));
    assert.equal((await failureOf(refusing.service.indices.backgroundDryRun(PLAN, signal))).kind, 'refused');
  });

  test("isn't sent while another one is under way", async (context) => {
    const { indices, server } = await hanging(context);
    const stop = new AbortController();
    for (const other of [indices.dryRun(PLAN, stop.signal), indices.backgroundDryRun(PLAN, stop.signal)]) {
      void other.catch(() => undefined);
      assert.equal(await indices.backgroundDryRun(PLAN, signal), undefined);
    }
    await until('a request', () => server.requests.length > 0);
    assert.equal(server.requests.length, 1);
    stop.abort();
  });

  test('is aborted by another one, which is sent', async (context) => {
    const { indices, server } = await hanging(context);
    const overtaken = indices.backgroundDryRun(PLAN, signal);
    await until('a request', () => server.requests.length === 1);
    assert.equal((await indices.dryRun(PLAN)).text, REPORT);
    assert.equal(await overtaken, undefined);
    assert.equal((await indices.backgroundDryRun(PLAN, signal))?.text, REPORT, 'none is under way');
  });

  test('throws if it is aborted itself', async (context) => {
    const { indices, server } = await hanging(context);
    const stop = new AbortController();
    const stopped = indices.backgroundDryRun(PLAN, stop.signal);
    await until('a request', () => server.requests.length === 1);
    stop.abort();
    await assert.rejects(stopped);
  });
});

suite('A dry run', () => {
  test('shows no credential that the server repeats, and no more than 2,000 characters', async (context) => {
    const { service } = await serving(
      context,
      value(`${CREDENTIAL}: Delete 20 out of 201 rows (9.95%). Bearer ${CREDENTIAL} ${'.'.repeat(2_000)}`),
    );
    const { text: report } = await service.indices.dryRun(PLAN);
    assert.match(report, /^<redacted>: Delete 20 out of 201 rows \(9\.95%\)\. Bearer <redacted> \.+$/);
    assert.ok(report.length < 2_000);
  });

  test('in an unknown shape is a failure', async (context) => {
    const { service } = await serving(context, value({ rows: 7 }));
    assert.equal((await failureOf(service.indices.dryRun(PLAN))).kind, 'unexpectedAnswer');
  });
});

suite('An execution', () => {
  for (const [what, answered, result] of [
    [
      'a task ID and white space has started that task',
      '3b241101-e2bb-4255-8caf-4136c566a962\n',
      { kind: 'started', taskId: '3b241101-e2bb-4255-8caf-4136c566a962' },
    ],
    [
      'a sentence that repeats the credential shows the sentence without it',
      `Not with ${CREDENTIAL}.\n\tat com.linkedin.X.y(X.java:1)`,
      { kind: 'declined', serverText: 'Not with <redacted>' },
    ],
    ['a sentence without words has started nothing', '<p> </p>', { kind: 'declined', serverText: '' }],
  ] as const) {
    test(`answered with ${what}`, async (context) => {
      const { service } = await serving(context, value(answered));
      assert.deepEqual(await service.indices.execute(PLAN, ALWAYS), result);
    });
  }

  for (const odd of [CREDENTIAL, '', ' \n', 'x'.repeat(201), 'ärger', null, { task: 'x' }, 7]) {
    test(`answered with neither a task nor a sentence may have started something: ${JSON.stringify(odd).slice(0, 20)}`, async (context) => {
      const { service } = await serving(context, value(odd));
      const failure = await failureOf(service.indices.execute(PLAN, ALWAYS));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
      assert.ok(!JSON.stringify(failure).includes(CREDENTIAL));
    });
  }
});

test('A task’s ID has the form that servers accept', () => {
  for (const id of ['aB1cdEf2GHIJKLMnoPQr3S:123456', TASK, 'qhxGdzytQSpQek8CwBCZg_:54654', 'node:01']) {
    assert.ok(isTaskId(id) && isStartedTask(id), id);
  }
  assert.ok(isTaskId(`${'x'.repeat(198)}:1`));
  for (const id of ['hello', '123456:aB1cdEf2GHIJKLMnoPQr3S', ':123', 'node:0', 'node:000', 'node:', 'node:1 ']) {
    assert.ok(!isTaskId(id), id);
  }
  for (const id of ['node:1\n', 'a b:1', '', `${'x'.repeat(200)}:1`, 'a\u00a0b', 'ärger']) {
    assert.ok(!isTaskId(id) && !isStartedTask(id), id);
  }
  // Such a task runs, but its status cannot be read.
  assert.ok(['3b241101-e2bb-4255-8caf-4136c566a962', 'hello'].every((id) => isStartedTask(id)));
});
