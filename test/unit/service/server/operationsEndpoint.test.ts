import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure, type FailureKind, type ServerOperation } from '../../../../src/service/failure/failure.ts';
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
  const transport = transportAt(server.url);
  const knownFacts: KnownFacts = {
    identity: { product: 'DataHub', version: undefined, entrance },
    operationsPath: known,
  };
  const options = { actorUrn: 'urn:li:corpuser:jdoe', product: 'Service', knownFacts };
  const knownServer = new KnownServer(transport, options, recordedPauses().pause);
  return {
    operations: new OperationsEndpoint(transport, knownServer),
    server,
    path: () => knownServer.known.operationsPath,
    asked: () => server.requests.map((one) => one.path.replace('?action=', ' ')),
  };
}

suite('The endpoint of operations', () => {
  for (const [entrance, paths] of [
    ['front', ['/api/gms/operations']],
    ['direct', ['/operations', '/gms/operations']],
    ['unknown', ['/api/gms/operations', '/gms/operations', '/operations']],
  ] as const) {
    test(`is searched for by reading sizes, never by a truncation, and remembered (${entrance})`, async (context) => {
      const where = paths.at(-1) ?? '';
      const { operations, path, asked } = await operationsOf(context, { [where]: VALUE }, entrance);
      await operations.callReadAction(DRY_RUN, { dryRun: true });
      const search = paths.map((one) => `${one} getIndexSizes`);
      assert.deepEqual(asked(), [...search, `${where} truncateTimeseriesAspect`]);
      assert.equal(path(), where);
      await operations.callReadAction(DRY_RUN, { dryRun: true });
      assert.equal(asked().length, paths.length + 2);
    });
  }

  test('is not asked again for the sizes that found it', async (context) => {
    const { operations, asked } = await operationsOf(context, { '/operations': VALUE });
    assert.partialDeepStrictEqual(await operations.callReadAction(READ_SIZES, undefined), { value: 'here' });
    assert.equal(asked().length, 3);
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
      const places = { '/operations?action=getIndexSizes': place, '/operations': VALUE, '/gms/operations': VALUE };
      const { operations, path } = await operationsOf(context, places, 'direct');
      assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, {}), { value: 'here' });
      assert.equal(path(), isEndpoint ? '/operations' : '/gms/operations');
    });
  }

  for (const code of [400, 403, 404, 500]) {
    test(`is found by the dry run itself if sizes are answered with ${code}, not as by Rest.li`, async (context) => {
      const places = {
        '/operations?action=getIndexSizes': status(code, '<html>Not for you</html>'),
        '/operations': VALUE,
        '/gms/operations': PAGE,
      };
      const { operations, path, asked } = await operationsOf(context, places, 'direct');
      assert.partialDeepStrictEqual(await operations.callReadAction(DRY_RUN, { dryRun: true }), { value: 'here' });
      assert.equal(path(), '/operations');
      assert.deepEqual(asked().slice(2), ['/operations truncateTimeseriesAspect']);
    });
  }

  for (const [what, places, kind, requests] of [
    ['throttles', { '/api/gms/operations': status(429) }, 'throttled', 1],
    ['is not ready', { '/api/gms/operations': status(503) }, 'unavailable', 1],
    ['requires a sign-in, which hides the right path', { '/operations': status(401) }, 'signedOut', 3],
    ['has no such path', {}, 'notFound', 6],
    ['has a page there', { '/api/gms/operations': PAGE, '/gms/operations': PAGE, '/operations': PAGE }, undefined, 6],
    ['has a page at one path and nothing at others', { '/api/gms/operations': PAGE }, 'notFound', 6],
    ['is behind a firewall', { '/operations': status(403, 'Forbidden by the firewall') }, 'refused', 6],
    ['fails', { '/operations': status(500) }, 'server', 6],
  ] as const) {
    test(`is not assumed if the server ${what}`, async (context) => {
      const { operations, path, asked } = await operationsOf(context, places);
      const failure = await failureOf(operations.callReadAction(DRY_RUN, {}));
      assert.equal(failure.kind, kind ?? 'unexpectedAnswer');
      assert.equal(path(), undefined);
      assert.equal(new Set(asked()).size, requests);
      assert.equal(asked().length, requests, 'no place is asked twice');
    });
  }

  for (const [what, place, isMissing] of [
    ['404', status(404), true],
    ['405', status(405), true],
    ['410', status(410), true],
    ['a page', PAGE, true],
    ['400', status(400), false],
    ['401', status(401), false],
    ['500', status(500), false],
    ['404 of Rest.li', restli(404), false],
  ] as const) {
    test(`is ${isMissing ? '' : 'not '}searched for again if it answers ${what} now`, async (context) => {
      const places = { '/api/gms/operations': place, '/operations': VALUE };
      const { operations, path, asked } = await operationsOf(context, places, 'direct', '/api/gms/operations');
      const outcome = await operations.callReadAction(DRY_RUN, {}).catch((thrown: unknown) => thrown);
      assert.equal(outcome instanceof ServiceFailure, !isMissing);
      assert.equal(path(), isMissing ? '/operations' : '/api/gms/operations');
      assert.equal(asked().length, isMissing ? 3 : 1);
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
    ['a bare 404', status(404), 'unsupported'],
    ['a bare 405', status(405, '<html>'), 'unsupported'],
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
      const places = { '/operations?action=getIndexSizes': VALUE, '/operations': place };
      const { operations, path } = await operationsOf(context, places, 'direct', '/operations');
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
    const { operations } = await operationsOf(context, places, 'direct', '/operations');
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
