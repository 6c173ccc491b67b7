import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import {
  askIngestionRelease,
  askServerIdentity,
  type ServerEntrance,
  type ServerIdentity,
  actorHeaderName,
  productProblem,
} from '../../../../src/service/server/serverInfo.ts';
import { failureOf, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const SERVICE_CONFIG = {
  noCode: 'true',
  retention: 'true',
  versions: { 'acryldata/datahub': { version: 'v0.14.0', commit: '0123456789' } },
  datahub: { serverType: 'quickstart' },
  models: {},
};
const FRONT_CONFIG = { status: 'ok', config: { application: 'datahub-frontend', appVersion: 'v0.14.0' } };
const PAGE = '<!DOCTYPE html><html></html>';
const UNKNOWN = { product: undefined, version: undefined, entrance: 'unknown' };

/** Facts about a server with these configuration documents by path, and 404 or another status elsewhere. */
async function asked(
  context: TestContext,
  documents: Readonly<Record<string, unknown>>,
  status?: number,
): Promise<{ facts: ServerIdentity; server: WireServer }> {
  const server = await wireServer(context, (request, response) => {
    const body = documents[request.path];
    reply(response, status ?? (body === undefined ? 404 : 200), body ?? '<html>Not here</html>', {
      location: '/login',
    });
  });
  return { facts: await askServerIdentity(transportAt(server.url)), server };
}

suite('The product of a server', () => {
  test('is reported by the front end alone if that passes no request on', async (context) => {
    const { facts } = await asked(context, { '/config': FRONT_CONFIG });
    assert.deepEqual(facts, { product: 'DataHub', version: undefined, entrance: 'front' });
  });

  const everywhere = (config: unknown): Readonly<Record<string, unknown>> => ({
    '/config': config,
    '/api/gms/config': config,
  });
  for (const [what, documents, status] of [
    ['nothing at all', {}],
    ['pages of a web application', everywhere(PAGE)],
    ['the document of another program', { '/config': { noCode: 'false', version: '1.2.3' } }],
    ['the document of another front end', { '/config': { ...FRONT_CONFIG, config: { application: 'another' } } }],
    ['a list', everywhere('[1,2,3]')],
    ['a text', everywhere('"DataHub"')],
    ['too much', everywhere({ ...SERVICE_CONFIG, filler: 'x'.repeat(1_100_000) })],
    ['a refusal, whatever it says', everywhere(SERVICE_CONFIG), 403],
    ['400', {}, 400],
    ['401', {}, 401],
    ['500', {}, 500],
    ['501', {}, 501],
    ['a redirect', {}, 302],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, unknown>>, number?])[]) {
    test(`is unknown if the server returns ${what}`, async (context) => {
      assert.deepEqual((await asked(context, documents, status)).facts, UNKNOWN);
    });
  }

  for (const [status, kind] of [
    [429, 'throttled'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
  ] as const) {
    test(`stays undecided while the server is not ready: ${status}`, async (context) => {
      assert.equal((await failureOf(asked(context, {}, status))).kind, kind);
    });
  }

  test('is requested without the credential, which unknown servers never receive', async (context) => {
    for (const documents of [{ '/config': SERVICE_CONFIG }, {}, { '/config': PAGE }]) {
      const { server } = await asked(context, documents);
      assert.deepEqual(
        server.requests.flatMap(({ path, headers }) => (headers.authorization === undefined ? [] : [path])),
        [],
      );
    }
  });

  for (const [what, status] of [
    ['401', 401],
    ['403', 403],
    ['a redirect to a sign-in page', 302],
  ] as const) {
    test(`is requested with the credential after a gateway answered ${what} without it`, async (context) => {
      const server = await wireServer(context, ({ headers }, response) =>
        headers.authorization === undefined
          ? reply(response, status, '', { location: '/login' })
          : reply(response, 200, SERVICE_CONFIG),
      );
      assert.equal((await askServerIdentity(transportAt(server.url))).product, 'DataHub');
      assert.deepEqual(
        server.requests.map(({ path, headers }) => [path, headers.authorization !== undefined]),
        [
          ['/config', false],
          ['/config', true],
        ],
      );
    });
  }

  test('comes with a presentable version among the first twenty entries, or none', async (context) => {
    const entries = (version: unknown, before: number): unknown[] => [
      ...Array.from({ length: before }, () => null),
      { version },
      { version: 'v2' },
    ];
    for (const [versions, version] of [
      ...['v1.7.0.1', '0.14.0', 'v0.0.0-dev+abc.1'].map((one) => [{ any: { version: one } }, one] as const),
      ...['<b>1</b>', 'v1\nv2', 'x'.repeat(60), 7, null, { version: 'v1' }, ''].map(
        (one) => [{ any: { version: one } }, undefined] as const,
      ),
      ...[undefined, null, 'v1', 7].map((one) => [one, undefined] as const),
      [{ ...entries('v1', 19) }, 'v1'],
      [{ ...entries('v1', 20) }, undefined],
    ]) {
      const { facts } = await asked(context, { '/config': { noCode: true, versions } });
      assert.deepEqual(facts, { product: 'DataHub', version, entrance: 'direct' });
    }
  });
});

test('A product’s name is letters, digits and hyphens; nothing else becomes a header', () => {
  assert.equal(actorHeaderName('Service'), 'X-Service-Actor');
  for (const name of ['DataHub', 'my-service-2', 'X', ' DataHub ']) {
    assert.equal(productProblem(name), undefined);
  }
  for (const name of ['', '2fast', '-x', 'a b', 'a:b', 'Evil\r\nX', 'Jörg', 'x'.repeat(41), 'a_b']) {
    assert.match(productProblem(name) ?? '', /\.$/);
    assert.throws(() => actorHeaderName(name), TypeError);
  }
  assert.throws(() => actorHeaderName(' DataHub '), /unchecked product name/);
});

suite('The release that runs recipes', () => {
  const configWith = (managedIngestion: unknown): object => ({ ...SERVICE_CONFIG, managedIngestion });
  const config = configWith({ enabled: true, defaultCliVersion: '1.7.0.17' });

  for (const [what, documents, entrance, expected] of [
    ['the service', { '/config': config }, 'direct', '1.7.0.17'],
    ['the service behind its front end', { '/api/gms/config': config }, 'front', '1.7.0.17'],
    ['an unknown server', { '/config': config, '/api/gms/config': config }, 'unknown', undefined],
    ['no such part', { '/config': configWith(undefined) }, 'direct', undefined],
    ['no release', { '/config': configWith({ enabled: true }) }, 'direct', undefined],
    ['a number', { '/config': configWith({ defaultCliVersion: 1.7 }) }, 'direct', undefined],
    ['no text of a release', { '/config': configWith({ defaultCliVersion: '1.7.0 [a](b)' }) }, 'direct', undefined],
    ['another shape', { '/config': configWith('1.7.0.17') }, 'direct', undefined],
  ] as const satisfies readonly (readonly [string, object, ServerEntrance, string | undefined])[]) {
    test(`is ${expected ?? 'unknown'} from ${what}`, async (context) => {
      const byPath: Readonly<Record<string, unknown>> = documents;
      const server = await wireServer(context, ({ path }, response) => reply(response, 200, byPath[path] ?? ''));
      assert.equal(await askIngestionRelease(transportAt(server.url), entrance), expected);
      assert.ok(server.requests.length <= 1);
    });
  }
});
