import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { FailureKind, ServerOperation } from '../../../../src/service/failure/failure.ts';
import { READ_SIZES } from '../../../../src/service/failure/privileges.ts';
import type { KnownFacts, OperationsPath } from '../../../../src/service/server/facts.ts';
import { KnownServer } from '../../../../src/service/server/knownServer.ts';
import { OperationsEndpoint } from '../../../../src/service/server/operationsEndpoint.ts';
import type { ServerEntrance } from '../../../../src/service/server/serverInfo.ts';
import { ALWAYS, failureOf, recordedPauses, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const DRY_RUN: ServerOperation = { name: 'truncateTimeseriesAspect', actionPhrase: () => 'truncate' };
const TASK_STATUS: ServerOperation = { name: 'getEsTaskStatus', actionPhrase: () => 'read' };

interface Place {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
const NOWHERE: Place = { status: 404, body: '<html>Not Found</html>' };
const PAGE: Place = { body: '<!DOCTYPE html><html><div id="root"></div></html>' };
const VALUE: Place = { body: { value: 'here' } };
const status = (code: number, body: unknown = ''): Place => ({ status: code, body });
const restli = (code: number, message?: unknown): Place => ({
  status: code,
  body: { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', status: code, message },
});

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
    const place = places[request.path] ?? places[request.path.split('?')[0] ?? ''] ?? NOWHERE;
    reply(response, place.status ?? 200, place.body, place.headers);
  });
  const transport = transportAt(server.url, { pause: recordedPauses().pause });
  const knownFacts: KnownFacts = {
    identity: { product: 'DataHub', version: undefined, entrance },
    operationsPath: known,
  };
  const options = { actorUrn: 'urn:li:corpuser:jdoe', product: 'Service', knownFacts };
  const knownServer = new KnownServer(transport, options);
  return {
    operations: new OperationsEndpoint(knownServer),
    server,
    path: () => knownServer.operationsPath,
    asked: () => server.requests.map((one) => one.path.replace('?action=', ' ')),
  };
}

suite('The endpoint of operations', () => {
  for (const [entrance, path] of [
    ['front', '/api/gms/operations'],
    ['direct', '/operations'],
  ] as const) {
    test(`is at ${path} on a server that says what it is (${entrance}), and nowhere else`, async (context) => {
      const { operations, asked } = await operationsOf(context, {}, entrance, '/gms/operations');
      const failure = await failureOf(operations.callReadAction(DRY_RUN, { dryRun: true }));
      assert.deepEqual([failure.kind, asked()], ['notFound', [`${path} truncateTimeseriesAspect`]]);
    });
  }

  test('is found by the first read on any other, and kept', async (context) => {
    const { operations, path, asked } = await operationsOf(context, {
      '/api/gms/operations': PAGE,
      '/operations': VALUE,
    });
    assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, { dryRun: true }), { value: 'here' });
    await operations.callReadAction(READ_SIZES, {});
    assert.equal(path(), '/operations');
    assert.deepEqual(asked(), [
      '/api/gms/operations truncateTimeseriesAspect',
      '/gms/operations truncateTimeseriesAspect',
      '/operations truncateTimeseriesAspect',
      '/operations getIndexSizes',
    ]);
  });

  const mark = (isError: string): Readonly<Record<string, string>> => ({ 'x-restli-error-response': isError });
  for (const [what, place, isEndpoint] of [
    ['a refusal of Rest.li', restli(403, 'User is unauthorized to get index sizes.'), true],
    ['a refusal by its header alone', { ...status(403, {}), headers: mark('true') }, true],
    ['a failure of Rest.li', restli(500), true],
    ['an action that it lacks', restli(400, 'POST action getIndexSizes operation not supported for URI: /x'), true],
    ['a page of a web application', PAGE, false],
    ['an empty 405', status(405), false],
    ['an error with another mark', { ...status(400), headers: mark('false') }, false],
    ['an error without a class', status(500, { message: 'boom' }), false],
    ['an error with another class', status(500, { exceptionClass: 7 }), false],
    ['an error of Rest.li that claims success', { ...restli(200), headers: mark('true') }, false],
    // Release 0.14 answers so for the whole path.
    ["0.14's words that it has nothing", restli(404, "No root resource defined for path '/gms'"), false],
  ] as const) {
    test(`is ${isEndpoint ? '' : 'not '}recognised by ${what}`, async (context) => {
      const { operations, path } = await operationsOf(context, { '/gms/operations': place, '/operations': VALUE });
      await operations.callReadAction(READ_SIZES, {}).catch(() => undefined);
      assert.equal(path(), isEndpoint ? '/gms/operations' : '/operations');
    });
  }

  for (const [what, places, kind] of [
    ['throttles', { '/api/gms/operations': status(429) }, 'throttled'],
    ['requires a sign-in, which hides the right path', { '/operations': status(401) }, 'signedOut'],
    ['has no such path', {}, 'notFound'],
    ['has a page at one path', { '/gms/operations': PAGE }, 'unexpectedAnswer'],
    ['has a page there, too', { '/gms/operations': PAGE, '/operations': status(401) }, 'signedOut'],
    ['is behind a firewall', { '/operations': status(403, 'Forbidden by the firewall') }, 'refused'],
    ['fails', { '/operations': status(500) }, 'server'],
  ] as const) {
    test(`is not assumed if the server ${what}`, async (context) => {
      const { operations, path, asked } = await operationsOf(context, places);
      assert.equal((await failureOf(operations.callReadAction(DRY_RUN, {}, { isRepeated: false }))).kind, kind);
      assert.deepEqual([path(), asked().length], [undefined, 3]);
    });
  }
});

suite('The response of an action', () => {
  const TASK = 'qhxGdzytQS-pQek8CwBCZg:533446';
  const value = (content: unknown): object => ({ value: content });

  for (const [what, place, expected] of [
    ['an envelope', { body: { value: { indexSizes: [] } } }, value({ indexSizes: [] })],
    ['an envelope with other fields', { body: { value: 'x', extra: 1 } }, value('x')],
    ['an empty envelope', { body: { value: null } }, value(null)],
    ['an envelope with another success', status(299, { value: 7 }), value(7)],
    ['JSON text', { body: '"abc:123"' }, value('abc:123')],
    ['a bare task ID', { body: ` ${TASK}\n` }, value(TASK)],
    ['a bare word', { body: 'hello' }, 'unexpectedAnswer'],
    ['a list', { body: '[7]' }, 'unexpectedAnswer'],
    ['another shape', { body: { indexSizes: [] } }, 'unexpectedAnswer'],
    ['nothing', { body: '' }, 'unexpectedAnswer'],
    ['a page', PAGE, 'unexpectedAnswer'],
    ['an envelope with a failure', status(500, { value: 7 }), 'server'],
    ['too many requests', { ...restli(429), headers: { 'retry-after': '3' } }, 'throttled'],
    ['a bare 404', status(404), 'notFound'],
    ['a bare 405', status(405, '<html>'), 'notFound'],
    ['a bare 400', status(400), 'badRequest'],
    ['a refusal of Rest.li', restli(403, 'getEsTaskStatus is not supported'), 'refused'],
    [
      'its name as not supported',
      restli(400, 'POST action getEsTaskStatus operation NOT SUPPORTED for /x'),
      'unsupported',
    ],
    ['its name as not supported in 405', restli(405, 'getEsTaskStatus not supported'), 'unsupported'],
    ['its name as not supported in 500', restli(500, 'getEsTaskStatus is not supported'), 'server'],
    ['a strategy as not supported', restli(400, 'this strategy is not supported'), 'badRequest'],
    ['its name as failed', restli(400, 'Parameters of getEsTaskStatus failed validation'), 'badRequest'],
    ['its name in 404', restli(404, 'getEsTaskStatus is not here'), 'unsupported'],
    ['another name in 404', restli(404, 'Index not found'), 'notFound'],
    ['404 without a message', restli(404), 'notFound'],
    ['404 with another message', restli(404, 7), 'notFound'],
  ] as const satisfies readonly (readonly [string, Place, object | FailureKind])[]) {
    test(`is ${JSON.stringify(expected)} for ${what}`, async (context) => {
      const { operations, path } = await operationsOf(context, { '/operations': place }, 'direct');
      const answered = operations.callReadAction(TASK_STATUS, {});
      if (typeof expected === 'string') {
        assert.equal((await failureOf(answered)).kind, expected);
      } else {
        assert.partialDeepStrictEqual(await answered, expected);
      }
      assert.equal(path(), '/operations', 'the endpoint is still there');
    });
  }
});

suite('An action that changes something', () => {
  test('is not sent if no endpoint is known, because it is never used to find one', async (context) => {
    const { operations, server } = await operationsOf(context, { '/operations': VALUE });
    const failure = await failureOf(operations.callMutatingAction(DRY_RUN, {}, 1_000, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed, server.requests.length], ['badRequest', false, 0]);
    assert.equal(failure.operation, 'truncateTimeseriesAspect');
  });

  test('may have been carried out if the response has an unknown shape, which is quoted', async (context) => {
    const places = { '/operations': { body: { odd: 1 } } };
    const { operations } = await operationsOf(context, places, 'direct');
    const failure = await failureOf(operations.callMutatingAction(DRY_RUN, {}, 1_000, ALWAYS));
    assert.deepEqual([failure.kind, failure.serverText, failure.mayHaveActed], ['unexpectedAnswer', '{"odd":1}', true]);
  });
});
