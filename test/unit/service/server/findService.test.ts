import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findService } from '../../../../src/service/server/findService.ts';
import { failureOf, transportAt } from '../clients.ts';
import { reply, wireServer, type Answerer, type SeenRequest } from '../wireServer.ts';

const SERVICE = { noCode: 'true', versions: { 'acryldata/datahub': { version: 'v0.14.0' } } };
const FRONT = { status: 'ok', config: { application: 'datahub-frontend', appVersion: 'v0.14.0' } };
const PAGE = '<!DOCTYPE html><html></html>';
const GRAPHQL = { data: { __typename: 'Query' } };

const isGraphQL = ({ method, path }: SeenRequest): boolean => method === 'POST' && path.endsWith('/api/graphql');

/** Answers these paths with a document or a status, and others with 404. */
const places =
  (documents: Readonly<Record<string, object | string | number | undefined>>): Answerer =>
  ({ path }, response) => {
    const found = documents[path] ?? 404;
    return typeof found === 'number' ? reply(response, found, '') : reply(response, 200, found);
  };

suite('A service', () => {
  for (const [what, status, body] of [
    ['an answer', 200, GRAPHQL],
    ['a complaint', 200, { errors: [{ message: 'Introspection is off' }] }],
    ['a complaint about the request', 400, { errors: [{ message: 'no' }] }],
    ['a demand to sign in', 401, ''],
    ['a refusal', 403, { errors: [{ message: 'no', extensions: { code: 403 } }] }],
  ] as const) {
    test(`without a configuration is found by its GraphQL: ${what}`, async (context) => {
      const server = await wireServer(context, (request, response) =>
        isGraphQL(request) ? reply(response, status, body) : reply(response, 404, ''),
      );
      await findService([transportAt(server.url)]);
      assert.ok(server.requests.some(isGraphQL));
    });
  }

  const NOT_ONE = /^Unexpected response to "graphql"\. This may not be/;
  const NOT_FOUND = /^No metadata service found at \S+ \(HTTP 40[45]\)\.$/;
  for (const [what, status, body, reason] of [
    ['a web page', 200, PAGE, NOT_ONE],
    ['other JSON', 200, { status: 'ok' }, NOT_ONE],
    ['an empty body', 204, '', NOT_ONE],
    ['404', 404, '<html>Not here</html>', NOT_FOUND],
    [
      '403 of a gateway',
      403,
      'RBAC: access denied',
      /something in front of .* \(HTTP 403\)\. Server response: RBAC: access denied\.$/,
    ],
    ['405', 405, '', NOT_FOUND],
    ['a redirect', 302, '', /redirected the request/],
    ['500', 500, '', /HTTP 500/],
  ] as const) {
    test(`is not found where GraphQL answers with ${what}`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, status, body, { location: '/login' }));
      const failure = await failureOf(findService([transportAt(server.url)]));
      assert.match(failure.message, reason);
      assert.ok(failure.next !== undefined);
      assert.doesNotMatch(failure.advice, /Not here|"me"|actor header/i);
      assert.ok(server.requests.filter(isGraphQL).every(({ headers }) => headers.authorization === undefined));
    });
  }

  for (const [what, own, origin, found] of [
    ['an ingress that strips the path, 404 elsewhere', SERVICE, undefined, '/gms'],
    ['an ingress that strips the path, a front end elsewhere', SERVICE, FRONT, '/gms'],
    ['an ingress that strips the path, pages elsewhere', SERVICE, PAGE, '/gms'],
    ['an ingress that strips the path, and is not ready elsewhere', SERVICE, 503, '/gms'],
    ['the service at the origin', undefined, SERVICE, ''],
    ['a front end alone', undefined, FRONT, ''],
  ] as const) {
    test(`is found behind ${what}`, async (context) => {
      const server = await wireServer(context, places({ '/gms/config': own, '/config': origin }));
      for (const order of [
        ['', '/gms'],
        ['/gms', ''],
      ]) {
        const service = await findService(order.map((path) => transportAt(server.url + path)));
        assert.equal(service.baseUrl, server.url + found);
      }
      assert.ok(!server.requests.some(isGraphQL));
    });
  }

  const signIn: Answerer = (request, response) =>
    request.path.startsWith('/gms/')
      ? places({ '/gms/api/graphql': GRAPHQL })(request, response)
      : reply(response, 401, '');
  const pages: Answerer = (request, response) =>
    request.method === 'GET' ? reply(response, 200, PAGE) : places({ '/api/graphql': GRAPHQL })(request, response);
  for (const [what, answer, [first, second], found] of [
    [
      'behind a front end, although another service answers at the origin,',
      places({ '/team/config': FRONT, '/config': SERVICE }),
      ['/team', ''],
      '/team',
    ],
    ['behind a gateway that asks for a sign-in at any other path', signIn, ['', '/gms'], '/gms'],
    ["behind a page's address, whose pages answer any path,", pages, ['/home', ''], ''],
  ] as const) {
    test(`${what} is found at "${found}"`, async (context) => {
      const { url } = await wireServer(context, answer);
      assert.equal((await findService([transportAt(url + first), transportAt(url + second)])).baseUrl, url + found);
    });
  }

  test('is not looked for at a second address of a host that does not answer', async (context) => {
    const server = await wireServer(context, (_, response) => response.destroy());
    await failureOf(findService([transportAt(`${server.url}/home`), transportAt(server.url)]));
    assert.ok(server.requests.every(({ path }) => path === '/home/config'));
  });

  test('is not asked any longer once the user stops', async (context) => {
    const arrived = Promise.withResolvers<void>();
    const server = await wireServer(context, () => arrived.resolve());
    const stop = new AbortController();
    const found = failureOf(findService([transportAt(server.url)], stop.signal));
    await arrived.promise;
    stop.abort();
    assert.equal((await found).kind, 'cancelled');
    assert.equal(server.requests.length, 1);
  });
});
