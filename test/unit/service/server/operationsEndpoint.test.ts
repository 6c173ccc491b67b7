import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { ServerOperation } from '../../../../src/service/failure/failure.ts';
import {
  isFromOperations,
  isMissingEndpoint,
  lacksAction,
  OperationsEndpoint,
  actionResultIn,
  type OperationReply,
} from '../../../../src/service/server/operationsEndpoint.ts';
import { READ_SIZES } from '../../../../src/service/failure/privileges.ts';
import type { KnownFacts, OperationsPath } from '../../../../src/service/server/facts.ts';
import { KnownServer } from '../../../../src/service/server/knownServer.ts';
import type { ServerEntrance } from '../../../../src/service/server/serverInfo.ts';
import { ALWAYS, failureOf, recordedPauses, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';
import type { TransportResponse } from '../../../../src/service/http/transport.ts';

const DRY_RUN: ServerOperation = { name: 'truncateTimeseriesAspect', actionPhrase: () => 'truncate' };
const RESTLI = {
  exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
  status: 403,
  message: 'User is unauthorized to get index sizes.',
};

interface Place {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
const NOWHERE: Place = { status: 404, body: '<html>Not Found</html>' };
const PAGE: Place = { body: '<!DOCTYPE html><html><div id="root"></div></html>' };
const VALUE: Place = { body: { value: 'here' } };

interface EndpointFixture {
  readonly operations: OperationsEndpoint;
  readonly server: WireServer;
  readonly path: () => string | undefined;
  /** Path and action of each request. */
  readonly asked: () => string[];
}

/** Operations of a server with these responses by path, or by path and action. */
async function operationsOf(
  context: TestContext,
  places: Readonly<Record<string, Place>>,
  entrance: ServerEntrance = 'unknown',
  known?: OperationsPath,
): Promise<EndpointFixture> {
  const server = await wireServer(context, (request, response) => {
    const { status = 200, body, headers } = places[request.path] ?? places[request.path.split('?')[0] ?? ''] ?? NOWHERE;
    reply(response, status, body, headers);
  });
  const transport = transportAt(server.url);
  const knownFacts: KnownFacts = {
    identity: { product: 'DataHub', version: undefined, entrance },
    operationsPath: known,
  };
  const options = { actorUrn: 'urn:li:corpuser:jdoe', product: 'Service', knownFacts };
  const knownServer = new KnownServer(transport, options, recordedPauses().pause);
  const operations = new OperationsEndpoint(transport, knownServer);
  return {
    operations,
    server,
    path: () => knownServer.known.operationsPath,
    asked: () => server.requests.map((one) => one.path.replace('?action=', ' ')),
  };
}

suite('The endpoint of operations', () => {
  for (const [entrance, where] of [
    ['front', '/api/gms/operations'],
    ['direct', '/operations'],
    ['direct', '/gms/operations'],
    ['unknown', '/api/gms/operations'],
    ['unknown', '/gms/operations'],
    ['unknown', '/operations'],
  ] as const) {
    test(`is found at ${where} (${entrance}) and remembered`, async (context) => {
      const { operations, path, asked } = await operationsOf(context, { [where]: VALUE }, entrance);
      assert.partialDeepStrictEqual(await operations.callReadAction(READ_SIZES, undefined), {
        kind: 'value',
        value: 'here',
      });
      assert.equal(path(), where);
      assert.deepEqual([...new Set(asked())], asked(), 'no place was asked twice');
      const before = asked().length;
      await operations.callReadAction(READ_SIZES, undefined);
      assert.deepEqual(asked().slice(before), [`${where} getIndexSizes`]);
    });
  }

  test('is searched for by reading sizes, never by a truncation', async (context) => {
    const { operations, asked } = await operationsOf(context, { '/operations': VALUE });
    await operations.callReadAction(DRY_RUN, { dryRun: true });
    assert.deepEqual(asked(), [
      '/api/gms/operations getIndexSizes',
      '/gms/operations getIndexSizes',
      '/operations getIndexSizes',
      '/operations truncateTimeseriesAspect',
    ]);
  });

  for (const [what, place] of Object.entries({
    'a refusal of Rest.li': { status: 403, body: RESTLI },
    'a refusal by its header alone': { status: 403, body: {}, headers: { 'x-restli-error-response': 'true' } },
    'a failure of Rest.li': { status: 500, body: { ...RESTLI, status: 500 } },
    'an action that it lacks': {
      status: 400,
      body: {
        ...RESTLI,
        status: 400,
        message: 'POST action getIndexSizes operation not supported for URI: /operations',
      },
    },
  })) {
    test(`is recognised by ${what}`, async (context) => {
      const { operations, path } = await operationsOf(context, {
        '/gms/operations': PAGE,
        '/operations?action=getIndexSizes': place,
        '/operations': VALUE,
      });
      assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, {}), { kind: 'value', value: 'here' });
      assert.equal(path(), '/operations');
    });
  }

  test("is not where release 0.14 answers in Rest.li's words that it has nothing", async (context) => {
    const { operations, path } = await operationsOf(
      context,
      {
        '/gms/operations': {
          status: 404,
          body: { ...RESTLI, status: 404, message: "No root resource defined for path '/gms'" },
          headers: { 'x-linkedin-error-response': 'true' },
        },
        '/operations': VALUE,
      },
      'unknown',
      '/gms/operations',
    );
    assert.partialDeepStrictEqual(await operations.callReadAction(READ_SIZES, undefined), {
      kind: 'value',
      value: 'here',
    });
    assert.equal(path(), '/operations');
  });

  test('is not a page of a web application, whatever its status', async (context) => {
    const { operations, path } = await operationsOf(context, {
      '/api/gms/operations': PAGE,
      '/gms/operations': { status: 405, body: '' },
      '/operations': VALUE,
    });
    await operations.callReadAction(READ_SIZES, undefined);
    assert.equal(path(), '/operations');
  });

  test('of a server that only has truncation is found by the dry run itself', async (context) => {
    const { operations, path, asked } = await operationsOf(context, {
      '/gms/operations?action=truncateTimeseriesAspect': VALUE,
    });
    assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, { dryRun: true }), {
      kind: 'value',
      value: 'here',
    });
    assert.equal(path(), '/gms/operations');
    assert.deepEqual(asked().slice(3), [
      '/api/gms/operations truncateTimeseriesAspect',
      '/gms/operations truncateTimeseriesAspect',
    ]);
  });

  for (const status of [400, 403, 500]) {
    test(`is found by the dry run itself if sizes are answered with ${status}, not as by Rest.li`, async (context) => {
      const { operations, path } = await operationsOf(
        context,
        {
          '/operations?action=getIndexSizes': { status, body: '<html>Not for you</html>' },
          '/operations': VALUE,
          '/gms/operations': PAGE,
        },
        'direct',
      );
      assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, { dryRun: true }), {
        kind: 'value',
        value: 'here',
      });
      assert.equal(path(), '/operations');
    });
  }

  test('is not assumed while the server is not ready', async (context) => {
    for (const [status, kind] of [
      [429, 'throttled'],
      [503, 'unavailable'],
    ] as const) {
      const { operations, server, path } = await operationsOf(context, { '/api/gms/operations': { status, body: '' } });
      assert.equal((await failureOf(operations.callReadAction(DRY_RUN, {}))).kind, kind);
      assert.equal(server.requests.length, 1);
      assert.equal(path(), undefined);
    }
  });

  test('is reported as signed out, not as missing, if it requires a sign-in', async (context) => {
    const { operations, path } = await operationsOf(context, { '/api/gms/operations': { status: 401, body: '' } });
    const failure = await failureOf(operations.callReadAction(READ_SIZES, undefined));
    assert.equal(failure.kind, 'signedOut');
    assert.match(failure.next ?? '', /the service's own address/);
    assert.equal(path(), undefined);
  });

  for (const [places, kind] of [
    [{}, 'notFound'],
    [{ '/api/gms/operations': PAGE, '/gms/operations': PAGE, '/operations': PAGE }, 'unexpectedAnswer'],
    [{ '/operations': { status: 403, body: 'Forbidden by the firewall' } }, 'refused'],
    [{ '/operations': { status: 500, body: '' } }, 'server'],
  ] as const) {
    test(`is reported as ${kind} if it is missing everywhere`, async (context) => {
      const { operations, path, asked } = await operationsOf(context, places);
      assert.equal((await failureOf(operations.callReadAction(READ_SIZES, undefined))).kind, kind);
      assert.deepEqual([...new Set(asked())], asked(), 'no place was asked twice');
      assert.equal((await failureOf(operations.callReadAction(DRY_RUN, {}))).kind, kind);
      assert.equal(path(), undefined);
    });
  }

  test('only receives the request for sizes if it requires a sign-in', async (context) => {
    const { operations, asked } = await operationsOf(context, { '/operations': { status: 401, body: '' } }, 'direct');
    assert.equal((await failureOf(operations.callReadAction(DRY_RUN, {}))).kind, 'signedOut');
    assert.ok(asked().every((one) => one.endsWith(' getIndexSizes')));
  });

  for (const [operation, known] of [
    [READ_SIZES, undefined],
    [DRY_RUN, '/operations'],
  ] as const) {
    test(`is quoted if it answers in another shape (${operation.name})`, async (context) => {
      const odd = { body: { odd: 1 } };
      const { operations } = await operationsOf(
        context,
        { '/operations': odd, '/gms/operations': odd },
        'direct',
        known,
      );
      const failure = await failureOf(operations.callReadAction(operation, {}));
      assert.deepEqual(
        [failure.kind, failure.serverText, failure.operation],
        ['unexpectedAnswer', '{"odd":1}', operation.name],
      );
    });
  }

  test('receives JSON, even without arguments', async (context) => {
    const { operations, server } = await operationsOf(context, { '/operations': VALUE }, 'direct', '/operations');
    await operations.callReadAction(READ_SIZES, undefined);
    await operations.callReadAction(DRY_RUN, { dryRun: true });
    assert.deepEqual(
      server.requests.map(({ method, body }) => `${method} ${body}`),
      ['POST {}', 'POST {"dryRun":true}'],
    );
  });

  test('refuses in words that name the action', async (context) => {
    const { operations } = await operationsOf(
      context,
      { '/operations': { status: 403, body: RESTLI } },
      'direct',
      '/operations',
    );
    assert.match(
      (await failureOf(operations.callReadAction(READ_SIZES, undefined))).message,
      /you aren't allowed to read index sizes/,
    );
  });

  test('is reported missing if one path says so, although a web application answers at others', async (context) => {
    const { operations } = await operationsOf(context, { '/api/gms/operations': PAGE });
    assert.equal((await failureOf(operations.callReadAction(READ_SIZES, undefined))).kind, 'notFound');
  });

  test('is searched for again if it has moved', async (context) => {
    const { operations, path, asked } = await operationsOf(
      context,
      { '/operations': VALUE },
      'unknown',
      '/api/gms/operations',
    );
    assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, {}), { kind: 'value', value: 'here' });
    assert.equal(path(), '/operations');
    assert.equal(asked().filter((one) => one === '/operations truncateTimeseriesAspect').length, 1);
  });

  test('stays the same if only the action is missing', async (context) => {
    const { operations, path, asked } = await operationsOf(
      context,
      { '/operations?action=getIndexSizes': VALUE },
      'direct',
      '/operations',
    );
    assert.partialDeepStrictEqual(await operations.callReadAction({ ...DRY_RUN, name: 'getEsTaskStatus' }, {}), {
      kind: 'noSuchAction',
    });
    assert.deepEqual(asked(), ['/operations getEsTaskStatus', '/operations getIndexSizes'], 'each once');
    assert.equal(path(), '/operations');
  });
});

suite('The response of an action', () => {
  const answerOf = async (context: TestContext, place: Place): Promise<OperationReply> =>
    (
      await operationsOf(context, { '/operations': place, '/gms/operations': place }, 'direct', '/operations')
    ).operations.callReadAction(DRY_RUN, {});

  for (const [what, body, value] of [
    ['an envelope', { value: { indexSizes: [] } }, { indexSizes: [] }],
    ['an envelope with other fields', { value: 'x', extra: 1 }, 'x'],
    ['an empty envelope', { value: null }, null],
    ['JSON text', '"abc:123"', 'abc:123'],
    ['a bare task id', 'qhxGdzytQS-pQek8CwBCZg:533446\n', 'qhxGdzytQS-pQek8CwBCZg:533446'],
  ] as const) {
    test(`is the content of ${what}`, async (context) => {
      assert.partialDeepStrictEqual(await answerOf(context, { body }), { kind: 'value', value });
    });
  }

  test('says that there is no such action', async (context) => {
    const message = 'POST action truncateTimeseriesAspect operation not supported for URI: /operations';
    for (const place of [
      { status: 400, body: { ...RESTLI, message } },
      { status: 404, body: { ...RESTLI, message: 'truncateTimeseriesAspect is not here' } },
    ]) {
      assert.deepEqual(await answerOf(context, place), { kind: 'noSuchAction' });
    }
  });

  for (const [what, place, kind] of [
    ['a refusal', { status: 403, body: RESTLI }, 'refused'],
    [
      'bad parameters',
      {
        status: 400,
        body: { ...RESTLI, status: 400, message: "Parameters of method 'truncateTimeseriesAspect' failed validation" },
      },
      'badRequest',
    ],
    [
      'an unsupported strategy',
      { status: 400, body: { ...RESTLI, status: 400, message: 'forceReindex is not supported on PostgreSQL' } },
      'badRequest',
    ],
    [
      'a stopped search cluster',
      { status: 500, body: { ...RESTLI, message: 'com.datahub.util.exception.ESQueryException: Count query failed:' } },
      'server',
    ],
    ['too many requests', { status: 429, body: RESTLI, headers: { 'retry-after': '3' } }, 'throttled'],
    ['a page, although the endpoint was known', PAGE, 'unexpectedAnswer'],
  ] as const) {
    test(`is ${kind} for ${what}`, async (context) => {
      assert.equal((await failureOf(answerOf(context, place))).kind, kind);
    });
  }
});

suite('An action that changes something', () => {
  test('is sent once, to the endpoint that answered before', async (context) => {
    const { operations, asked } = await operationsOf(
      context,
      { '/operations': { body: { value: 'node:1' } } },
      'unknown',
      '/operations',
    );
    assert.equal(await operations.callMutatingAction(DRY_RUN, { dryRun: false }, 1_000, ALWAYS), 'node:1');
    assert.deepEqual(asked(), ['/operations truncateTimeseriesAspect']);
  });

  test('is not sent if no endpoint is known, because it is never used to find one', async (context) => {
    const { operations, server } = await operationsOf(context, { '/operations': VALUE });
    const failure = await failureOf(operations.callMutatingAction(DRY_RUN, {}, 1_000, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed, server.requests.length], ['badRequest', false, 0]);
    assert.equal(failure.operation, 'truncateTimeseriesAspect');
  });

  test('may have been carried out if the response has an unknown shape, which is quoted', async (context) => {
    const { operations } = await operationsOf(
      context,
      { '/operations': { body: { odd: 1 } } },
      'direct',
      '/operations',
    );
    const failure = await failureOf(operations.callMutatingAction(DRY_RUN, {}, 1_000, ALWAYS));
    assert.deepEqual([failure.kind, failure.serverText, failure.mayHaveActed], ['unexpectedAnswer', '{"odd":1}', true]);
  });

  test('is not sent again if the endpoint has moved', async (context) => {
    const { operations, server } = await operationsOf(context, { '/operations': VALUE }, 'unknown', '/gms/operations');
    const failure = await failureOf(operations.callMutatingAction(DRY_RUN, {}, 1_000, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed, server.requests.length], ['unsupported', false, 1]);
    assert.equal(failure.operation, 'truncateTimeseriesAspect');
  });
});

const ACTION = { name: 'getIndexSizes', actionPhrase: () => 'read' };
const TASK = 'qhxGdzytQS-pQek8CwBCZg:533446';
const ERROR = { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException' };

function answer(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): TransportResponse {
  return {
    status,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    headers: new Headers(headers),
    withCredential: true,
  };
}

suite('The value of an action', () => {
  for (const [status, body, value] of [
    [200, { value: 7 }, { value: 7 }],
    [200, { value: null, more: 1 }, { value: null }],
    [204, { value: 7 }, { value: 7 }],
    [299, { value: 7 }, { value: 7 }],
    [199, { value: 7 }, undefined],
    [300, { value: 7 }, undefined],
    [404, { value: 7 }, undefined],
    [500, { value: 7 }, undefined],
    [200, '"text"', { value: 'text' }],
    [200, ` ${TASK}\n`, { value: TASK }],
    [200, 'hello', undefined],
    [200, { indexSizes: [] }, undefined],
    [200, '[7]', undefined],
    [200, '', undefined],
  ] as const) {
    test(`in ${status} ${JSON.stringify(body)} is ${JSON.stringify(value)}`, () =>
      assert.deepEqual(actionResultIn(answer(status, body)), value));
  }
});

suite('An endpoint of operations', () => {
  for (const [what, one, isOne] of [
    ['a value', answer(200, { value: 7 }), true],
    ['an error of Rest.li', answer(500, ERROR), true],
    ['an error marked by a header', answer(400, '', { 'x-restli-error-response': 'true' }), true],
    ['an error with another mark', answer(400, '', { 'x-restli-error-response': 'false' }), false],
    ['an error without a class', answer(500, { message: 'boom' }), false],
    ['an error with another class', answer(500, { exceptionClass: 7 }), false],
    ['a page', answer(200, '<html>'), false],
    ['an error of Rest.li that claims success', answer(200, ERROR), false],
    ['a marked redirect', answer(399, ERROR, { 'x-restli-error-response': 'true' }), false],
  ] as const) {
    test(`${isOne ? 'sends' : 'does not send'} ${what}`, () => assert.equal(isFromOperations(one), isOne));
  }

  for (const [one, isOne] of [
    [answer(404), true],
    [answer(405), true],
    [answer(410), true],
    [answer(200, '<html>'), true],
    [answer(299, '<html>'), true],
    [answer(199), false],
    [answer(300), false],
    [answer(400), false],
    [answer(401), false],
    [answer(500), false],
    [answer(404, ERROR), false],
    [answer(200, { value: 7 }), false],
  ] as const) {
    test(`is ${isOne ? '' : 'not '}missing if the response is ${one.status} "${one.text}"`, () =>
      assert.equal(isMissingEndpoint(one), isOne));
  }
});

suite('An action', () => {
  for (const [status, body, isMissing] of [
    [404, '', true],
    [405, '<html>', true],
    [400, '', false],
    [403, '', false],
    [500, { ...ERROR, message: 'getIndexSizes is not supported' }, false],
    [400, { ...ERROR, message: 'POST action getIndexSizes operation NOT SUPPORTED for URI: /operations' }, true],
    [405, { ...ERROR, message: 'getIndexSizes not supported' }, true],
    [400, { ...ERROR, message: 'this strategy is not supported' }, false],
    [400, { ...ERROR, message: 'UNKNOWN ACTION' }, true],
    [400, { ...ERROR, message: 'No such action' }, true],
    [400, { ...ERROR, message: 'no such operation' }, true],
    [400, { ...ERROR, message: 'getIndexSizes failed' }, false],
    [404, { ...ERROR, message: 'getIndexSizes is not here' }, true],
    [404, { ...ERROR, message: 'Index not found' }, false],
    [404, ERROR, false],
    [404, { ...ERROR, message: 7 }, false],
  ] as const) {
    test(`is ${isMissing ? '' : 'not '}missing if the response is ${status} ${JSON.stringify(body)}`, () => {
      assert.equal(lacksAction(answer(status, body), ACTION), isMissing);
    });
  }
});
