import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { isStartedTask, isTaskId, type TruncationPlan } from '../../../../src/service/indices/truncation.ts';
import { MOST_INDICES } from '../../../../src/service/indices/indices.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import { systemClock } from '../../../../src/time.ts';
import { systemNetwork } from '../../../../src/service/http/network.ts';
import { ALWAYS, CREDENTIAL, failureOf, recordedPauses, serviceAt } from '../clients.ts';
import { until } from '../../../service/testClient.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

const PLAN: TruncationPlan = {
  entityType: 'dataset',
  aspect: 'datasetusagestatistics',
  endTimeMillis: 1_687_970_192_000,
  batchSize: 100,
  timeoutSeconds: 3_600,
  strategy: 'server',
};
const REPORT =
  'Delete 134517 out of 135600 rows (99.20%). Reindexing the aspect without the deleted records. This was a dry run. Run with dryRun = false to execute.';
const ROW = {
  aspectName: 'datasetusagestatistics',
  entityName: 'dataset',
  indexName: 'dataset_datasetusagestatisticsaspect_v1',
  sizeInMb: 0.208,
};
const OPENAPI = '/openapi/operations/elasticSearch/getIndexSizes';

async function serving(
  context: TestContext,
  answer: Answerer,
): Promise<{ service: MetadataService; server: WireServer; bodies: () => unknown[] }> {
  const server = await wireServer(context, answer);
  return {
    service: serviceAt(server.url),
    server,
    bodies: () => server.requests.map(({ body }) => JSON.parse(body) as unknown),
  };
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

const value =
  (result: unknown): Answerer =>
  (_, response) =>
    reply(response, 200, { value: result });
const restliError =
  (status: number, message: string): Answerer =>
  (_, response) =>
    reply(
      response,
      status,
      { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', message, status },
      { 'x-restli-error-response': 'true' },
    );

suite('The sizes of indices', () => {
  for (const [what, result] of Object.entries({
    'a record': { indexSizes: [ROW] },
    'a record as text, as the docs once said': JSON.stringify({ indexSizes: [ROW] }),
  })) {
    test(`are read from ${what}`, async (context) => {
      const { service } = await serving(context, value(result));
      assert.deepEqual(await service.indices.listIndexSizes(), {
        indices: [
          {
            indexName: ROW.indexName,
            entityType: 'dataset',
            aspect: 'datasetusagestatistics',
            sizeBytes: 208_000,
            precision: 'exact',
            isTotal: false,
          },
        ],
        leftOut: 0,
      });
    });
  }

  test('may be hundreds, without invalid rows', async (context) => {
    const rows = Array.from({ length: MOST_INDICES }, (_, index) =>
      index % 5 === 0 ? null : { ...ROW, indexName: `dataset_x${index}aspect_v1` },
    );
    const { service } = await serving(context, value({ indexSizes: rows }));
    const { indices, leftOut } = await service.indices.listIndexSizes();
    assert.deepEqual([indices.length, leftOut], [800, 0]);
  });

  test('are read up to a limit, with the number of rows beyond it', async (context) => {
    const rows = (count: number): object[] =>
      Array.from({ length: count }, (_, index) => ({ indexName: `i${index}`, sizeMb: 1 }));
    const openApi: Answerer = (request, response) =>
      request.path === OPENAPI ? reply(response, 200, { sizes: rows(MOST_INDICES + 9) }) : reply(response, 404, '');
    for (const [answer, leftOut] of [
      [value({ indexSizes: rows(MOST_INDICES) }), 0],
      [value({ indexSizes: rows(MOST_INDICES + 1) }), 1],
      [openApi, 9],
    ] as const) {
      const { service } = await serving(context, answer);
      const listing = await service.indices.listIndexSizes();
      assert.deepEqual(
        [listing.indices.length, listing.indices.at(-1)?.indexName, listing.leftOut],
        [MOST_INDICES, `i${MOST_INDICES - 1}`, leftOut],
      );
    }
  });

  test('are read by OpenAPI if this action, or every action, is missing', async (context) => {
    const sizes = {
      sizes: [{ aspectName: 'operation', entityName: 'dataset', indexName: 'dataset_operationaspect_v1', sizeMb: 2 }],
    };
    for (const missing of [
      restliError(400, 'POST action getIndexSizes operation not supported for URI: /operations'),
      ((_, response) => reply(response, 404, '')) satisfies Answerer,
    ]) {
      const { service } = await serving(context, (request, response) =>
        request.path === OPENAPI ? reply(response, 200, sizes) : missing(request, response),
      );
      assert.equal((await service.indices.listIndexSizes()).indices[0]?.sizeBytes, 2_000_000);
    }
  });

  test('are reported missing if neither exists', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 404, ''));
    assert.equal((await failureOf(service.indices.listIndexSizes())).kind, 'unsupported');
  });

  test('are requested again after the pause that a busy service demands', async (context) => {
    let asked = 0;
    const server = await wireServer(context, (request, response) =>
      ++asked === 1 ? reply(response, 503, '') : value({ indexSizes: [ROW] })(request, response),
    );
    const { pauses, pause } = recordedPauses();
    assert.equal((await serviceAt(server.url, { pause }).indices.listIndexSizes()).indices.length, 1);
    assert.equal(pauses.length, 1);
  });

  test('are not reported missing because of a sign-in page', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 200, '<html>Sign in</html>'));
    assert.equal((await failureOf(service.indices.listIndexSizes())).kind, 'unexpectedAnswer');
  });

  test('are not read by OpenAPI after a refusal', async (context) => {
    const { service, server } = await serving(context, restliError(403, 'User is unauthorized to get index sizes.'));
    const failure = await failureOf(service.indices.listIndexSizes());
    assert.deepEqual(
      [failure.kind, failure.privilege, failure.serverText],
      ['refused', 'Get Timeseries index sizes API', 'User is unauthorized to get index sizes.'],
    );
    assert.equal(server.requests.length, 1);
  });

  for (const [status, kind] of [
    [401, 'signedOut'],
    [429, 'throttled'],
    [500, 'server'],
    [503, 'unavailable'],
    [404, 'unsupported'],
    [400, 'unsupported'],
  ] as const) {
    test(`are reported as ${kind} if OpenAPI answers with ${status}`, async (context) => {
      const { service } = await serving(context, (request, response) =>
        reply(response, request.path === OPENAPI ? status : 404, ''),
      );
      assert.equal((await failureOf(service.indices.listIndexSizes())).kind, kind);
    });
  }

  test('are read by OpenAPI if a page answers the actions', async (context) => {
    const { service } = await serving(context, (request, response) =>
      request.path === OPENAPI
        ? reply(response, 200, { sizes: [{ indexName: 'x', sizeMb: 2 }] })
        : reply(response, 200, '<html>Sign in</html>'),
    );
    assert.equal((await service.indices.listIndexSizes()).indices[0]?.sizeBytes, 2_000_000);
  });

  test('refused by OpenAPI are refused', async (context) => {
    const { service } = await serving(context, (request, response) =>
      request.path === OPENAPI
        ? reply(response, 403, 'urn:li:corpuser:x is not authorized to get timeseries index sizes')
        : reply(response, 404, ''),
    );
    assert.equal((await failureOf(service.indices.listIndexSizes())).kind, 'refused');
  });

  test('in an unknown shape are a failure', async (context) => {
    for (const result of [null, 7, 'text', [], { indexSizes: 7 }, {}]) {
      const { service } = await serving(context, value(result));
      assert.equal((await failureOf(service.indices.listIndexSizes())).kind, 'unexpectedAnswer');
    }
  });
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
    assert.equal(await indices.dryRun(PLAN), REPORT);
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
  test('sends every argument, says that it is one, and returns the server’s words', async (context) => {
    const { service, bodies } = await serving(context, value(REPORT));
    assert.equal(await service.indices.dryRun(PLAN), REPORT);
    assert.deepEqual(bodies(), [
      {
        entityType: 'dataset',
        aspect: 'datasetusagestatistics',
        endTimeMillis: 1_687_970_192_000,
        dryRun: true,
        batchSize: 100,
        timeoutSeconds: 3_600,
      },
    ]);
  });

  test('omits a timeout of zero, and sends only the chosen flag', async (context) => {
    const { service, bodies } = await serving(context, value(REPORT));
    const { timeoutSeconds: _, ...rest } = { ...PLAN };
    const body = {
      entityType: 'dataset',
      aspect: 'datasetusagestatistics',
      endTimeMillis: PLAN.endTimeMillis,
      dryRun: true,
      batchSize: 100,
    };
    await service.indices.dryRun({ ...rest, timeoutSeconds: undefined });
    await service.indices.dryRun({ ...rest, timeoutSeconds: undefined, strategy: 'deleteByQuery' });
    await service.indices.dryRun({ ...rest, timeoutSeconds: undefined, strategy: 'reindex' });
    assert.deepEqual(bodies(), [body, { ...body, forceDeleteByQuery: true }, { ...body, forceReindex: true }]);
  });

  test('is returned word for word, except for secrets', async (context) => {
    for (const text of [
      'Delete 0 out of 0 rows (NaN%). Issuing a delete by query request. ',
      'Delete 20 out of 201 rows (9,95%).',
      'Löscht 1 234 567 Zeilen',
      '',
    ]) {
      const { service } = await serving(context, value(text));
      assert.equal(await service.indices.dryRun(PLAN), text);
    }
  });

  test('shows no credential that the server repeats, and no more than 2,000 characters', async (context) => {
    const { service } = await serving(
      context,
      value(`${CREDENTIAL}: Delete 20 out of 201 rows (9.95%). Bearer ${CREDENTIAL} ${'.'.repeat(2_000)}`),
    );
    const report = await service.indices.dryRun(PLAN);
    assert.match(report, /^<redacted>: Delete 20 out of 201 rows \(9\.95%\)\. Bearer <redacted> \.+$/);
    assert.ok(report.length < 2_000);
  });

  test('has a limit of two minutes, because submitting a reindex takes long', async (context) => {
    assert.deepEqual(await limitsOf(context, value(REPORT), (service) => service.indices.dryRun(PLAN)), [120_000]);
  });

  test('in an unknown shape is a failure', async (context) => {
    const { service } = await serving(context, value({ rows: 7 }));
    assert.equal((await failureOf(service.indices.dryRun(PLAN))).kind, 'unexpectedAnswer');
  });

  test('names the missing privilege', async (context) => {
    const { service } = await serving(context, restliError(403, 'User is unauthorized to truncate timeseries index'));
    const failure = await failureOf(service.indices.dryRun(PLAN));
    assert.deepEqual([failure.kind, failure.privilege], ['refused', 'Truncate timeseries aspect index size API']);
    assert.match(failure.message, /you aren't allowed to truncate time series indices/);
  });

  test('is reported as unsupported if this server lacks it', async (context) => {
    const { service } = await serving(
      context,
      restliError(400, 'POST action truncateTimeseriesAspect operation not supported for URI: /operations'),
    );
    assert.equal((await failureOf(service.indices.dryRun(PLAN))).kind, 'unsupported');
  });

  test('keeps the server’s reason against a reindex', async (context) => {
    for (const status of [400, 500]) {
      const { service } = await serving(context, restliError(status, 'Async reindex failed'));
      assert.equal((await failureOf(service.indices.dryRun(PLAN))).serverText, 'Async reindex failed');
    }
  });
});

suite('An execution', () => {
  test('says that it is not a dry run, and returns the task', async (context) => {
    const { service, bodies } = await serving(context, value('qhxGdzytQS-pQek8CwBCZg:533446'));
    assert.deepEqual(await service.indices.execute(PLAN, ALWAYS), {
      kind: 'started',
      taskId: 'qhxGdzytQS-pQek8CwBCZg:533446',
    });
    assert.deepEqual(bodies(), [
      {
        entityType: 'dataset',
        aspect: 'datasetusagestatistics',
        endTimeMillis: 1_687_970_192_000,
        dryRun: false,
        batchSize: 100,
        timeoutSeconds: 3_600,
      },
    ]);
  });

  test('answered with a sentence started nothing, and the sentence says why', async (context) => {
    const { service } = await serving(context, value('please only set forceReindex OR forceDeleteByQuery flags'));
    assert.deepEqual(await service.indices.execute(PLAN, ALWAYS), {
      kind: 'declined',
      serverText: 'please only set forceReindex OR forceDeleteByQuery flags',
    });
  });

  test('answered with the credential may have started a task, but has no ID', async (context) => {
    const { service } = await serving(context, value(CREDENTIAL));
    const failure = await failureOf(service.indices.execute(PLAN, ALWAYS));
    assert.equal(failure.mayHaveActed, true);
    assert.ok(!JSON.stringify(failure).includes(CREDENTIAL));
  });

  test('answered with a task ID and white space has started that task', async (context) => {
    const { service } = await serving(context, value('3b241101-e2bb-4255-8caf-4136c566a962\n'));
    assert.deepEqual(await service.indices.execute(PLAN, ALWAYS), {
      kind: 'started',
      taskId: '3b241101-e2bb-4255-8caf-4136c566a962',
    });
  });

  for (const odd of ['', ' \n', 'x'.repeat(201), 'ärger']) {
    test(`answered with neither a task nor a sentence may have started something: ${JSON.stringify(odd).slice(0, 20)}`, async (context) => {
      const { service } = await serving(context, value(odd));
      await assert.rejects(
        service.indices.execute(PLAN, ALWAYS),
        (thrown) => thrown instanceof ServiceFailure && thrown.mayHaveActed,
      );
    });
  }

  test('answered with a sentence that repeats the credential shows the sentence without it', async (context) => {
    const { service } = await serving(context, value(`Not with ${CREDENTIAL}.\n\tat com.linkedin.X.y(X.java:1)`));
    assert.deepEqual(await service.indices.execute(PLAN, ALWAYS), {
      kind: 'declined',
      serverText: 'Not with <redacted>',
    });
    const { service: silent } = await serving(context, value('<p> </p>'));
    assert.deepEqual(await silent.indices.execute(PLAN, ALWAYS), { kind: 'declined', serverText: '' });
  });

  test('has a limit of two minutes, because submitting a reindex takes long', async (context) => {
    const answer = value('qhxGdzytQS-pQek8CwBCZg:533446');
    assert.deepEqual(
      await limitsOf(context, answer, (service) => service.indices.execute(PLAN, ALWAYS)),
      [120_000, 120_000],
      'anew once it is sent',
    );
    assert.deepEqual(
      await limitsOf(context, value({ indexSizes: [] }), (service) => service.indices.listIndexSizes()),
      [30_000],
      'a reading has its usual time',
    );
  });

  test('answered with a bare task ID, as in the interface description, has started', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 200, 'qhxGdzytQS-pQek8CwBCZg:533446'));
    assert.equal((await service.indices.execute(PLAN, ALWAYS)).kind, 'started');
  });

  test('answered in an unknown shape may have started something', async (context) => {
    for (const result of [null, { task: 'x' }, 7]) {
      const { service } = await serving(context, value(result));
      const failure = await failureOf(service.indices.execute(PLAN, ALWAYS));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
    }
  });
});

suite('The flags that force a strategy', () => {
  for (const [what, answer, known] of [
    ['a server that refuses both at once', value('please only set forceReindex OR forceDeleteByQuery flags'), true],
    ['a server that ignores them', value(REPORT), false],
    [
      'a server that refuses unknown fields',
      restliError(
        400,
        "failed validation with error 'ERROR :: /forceReindex :: unrecognized field found but not allowed'",
      ),
      false,
    ],
    ['a server that fails on them', restliError(500, 'boom'), false],
    [
      'a server without the action',
      restliError(400, 'POST action truncateTimeseriesAspect operation not supported for URI: /operations'),
      false,
    ],
    ['a server with an unknown response', value(['forceDeleteByQuery']), false],
  ] as const) {
    test(`are ${known ? 'known' : 'not known'} to ${what}`, async (context) => {
      const { service, bodies } = await serving(context, answer);
      assert.equal(await service.indices.knowsForceFlags(PLAN), known);
      assert.deepEqual(bodies()[0], {
        entityType: 'dataset',
        aspect: 'datasetusagestatistics',
        endTimeMillis: PLAN.endTimeMillis,
        dryRun: true,
        batchSize: 100,
        timeoutSeconds: 3_600,
        forceDeleteByQuery: true,
        forceReindex: true,
      });
    });
  }

  test('are checked once more after a server error, which may be temporary', async (context) => {
    let asked = 0;
    const { service } = await serving(context, (request, response) => {
      const isFault = request.body.includes('forceReindex') && asked++ === 0;
      const answer = isFault
        ? restliError(500, 'boom')
        : value('please only set forceReindex OR forceDeleteByQuery flags');
      return answer(request, response);
    });
    assert.deepEqual([await service.indices.knowsForceFlags(PLAN), asked], [true, 2]);
  });

  test('stay unknown if a gateway stopped waiting', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 499, ''));
    assert.equal((await failureOf(service.indices.knowsForceFlags(PLAN))).status, 499);
  });

  test('are checked with a limit of two minutes', async (context) => {
    assert.deepEqual(
      await limitsOf(context, value(REPORT), (service) => service.indices.knowsForceFlags(PLAN)),
      [120_000],
    );
  });

  test('stay unknown if the server could not be asked', async (context) => {
    const { service } = await serving(context, (_, response) => reply(response, 401, ''));
    assert.equal((await failureOf(service.indices.knowsForceFlags(PLAN))).kind, 'signedOut');
  });
});

suite('A task’s ID', () => {
  test('has the form that servers accept', () => {
    for (const id of [
      'aB1cdEf2GHIJKLMnoPQr3S:123456',
      'qhxGdzytQS-pQek8CwBCZg:54654',
      'qhxGdzytQSpQek8CwBCZg_:54654',
      'node:01',
      `${'x'.repeat(198)}:1`,
    ]) {
      assert.ok(isTaskId(id), id);
    }
    for (const id of [
      'hello',
      '123456:aB1cdEf2GHIJKLMnoPQr3S',
      ':123',
      'node:0',
      'node:000',
      'node:',
      'node:1 ',
      'node:1\n',
      'a b:1',
      '',
      `${'x'.repeat(200)}:1`,
    ]) {
      assert.ok(!isTaskId(id), id);
    }
  });

  test('may also be another word: such a task runs, but its status cannot be read', () => {
    for (const id of ['3b241101-e2bb-4255-8caf-4136c566a962', 'hello', 'aB1cdEf2GHIJKLMnoPQr3S:123456']) {
      assert.ok(isStartedTask(id), id);
    }
    for (const text of [
      '',
      'please only set forceReindex OR forceDeleteByQuery flags',
      'node:1\n',
      'a\u00a0b',
      'ärger',
      'x'.repeat(201),
    ]) {
      assert.ok(!isStartedTask(text), text);
    }
  });
});
