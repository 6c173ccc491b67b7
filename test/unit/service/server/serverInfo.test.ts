import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { findService } from '../../../../src/service/server/findService.ts';
import {
  actorHeaderName,
  askIngestionRelease,
  askServerIdentity,
  productProblem,
  type ServerEntrance,
  type ServerIdentity,
} from '../../../../src/service/server/serverInfo.ts';
import { failureOf, transportAt } from '../clients.ts';
import { reply, wireServer, type SeenRequest, type WireServer } from '../wireServer.ts';

const SERVICE_CONFIG = {
  noCode: 'true',
  retention: 'true',
  versions: { 'acryldata/datahub': { version: 'v0.14.0', commit: '0123456789' } },
  datahub: { serverType: 'quickstart' },
  models: {},
};
const FRONT_CONFIG = { status: 'ok', config: { application: 'datahub-frontend', appVersion: 'v0.14.0' } };

/** Facts about a server with these configuration documents by path, and 404 elsewhere. */
async function asked(
  context: TestContext,
  documents: Readonly<Record<string, unknown>>,
): Promise<{ facts: ServerIdentity; server: WireServer }> {
  const server = await wireServer(context, (request, response) => {
    const body = documents[request.path];
    reply(response, body === undefined ? 404 : 200, body ?? '<html>Not here</html>');
  });
  return { facts: await askServerIdentity(transportAt(server.url)), server };
}

suite('A service', () => {
  const isGraphQL = ({ method, path }: SeenRequest): boolean => method === 'POST' && path === '/api/graphql';

  for (const [what, documents] of Object.entries({
    'its configuration': { '/config': SERVICE_CONFIG },
    'the front end': { '/config': FRONT_CONFIG },
  })) {
    test(`is found by ${what}`, async (context) => {
      const server = await wireServer(context, ({ path }, response) =>
        reply(response, path in documents ? 200 : 404, documents[path as keyof typeof documents] ?? ''),
      );
      await findService([transportAt(server.url)]);
      assert.ok(!server.requests.some(isGraphQL));
    });
  }

  for (const [what, status, body] of [
    ['an answer', 200, { data: { __typename: 'Query' } }],
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

  for (const [what, status, body, reason] of [
    ['a web page', 200, '<!DOCTYPE html><html></html>', /^Unexpected response from \S+\. This may not be/],
    ['other JSON', 200, { status: 'ok' }, /^Unexpected response from \S+\. This may not be/],
    ['an empty body', 204, '', /^Unexpected response from \S+\. This may not be/],
    ['404', 404, '<html>Not here</html>', /^No metadata service found at \S+ \(HTTP 404\)\.$/],
    ['403 of a gateway', 403, 'RBAC: access denied', /^Something in front of .* \(HTTP 403\): RBAC: access denied\.$/],
    ['405', 405, '', /^No metadata service found at \S+ \(HTTP 405\)\.$/],
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
    ['an ingress that strips the path, 404 elsewhere', SERVICE_CONFIG, undefined, '/gms'],
    ['an ingress that strips the path, a front end elsewhere', SERVICE_CONFIG, FRONT_CONFIG, '/gms'],
    ['an ingress that strips the path, pages elsewhere', SERVICE_CONFIG, '<!DOCTYPE html><html></html>', '/gms'],
    ['the service at the origin', undefined, SERVICE_CONFIG, ''],
    ['an ingress that strips the path, and is not ready elsewhere', SERVICE_CONFIG, 503, '/gms'],
    ['a front end alone', undefined, FRONT_CONFIG, ''],
  ] as const) {
    test(`is found behind ${what}`, async (context) => {
      const server = await wireServer(context, ({ path }, response) => {
        const document = { '/gms/config': own, '/config': origin }[path];
        if (typeof document === 'number') {
          return reply(response, document, '');
        }
        return document === undefined ? reply(response, 404, '') : reply(response, 200, document);
      });
      for (const order of [
        ['', '/gms'],
        ['/gms', ''],
      ]) {
        const service = await findService(order.map((path) => transportAt(server.url + path)));
        assert.equal(service.baseUrl, server.url + found);
      }
    });
  }

  test('behind a front end is kept although another service answers at the origin', async (context) => {
    const server = await wireServer(context, ({ path }, response) => {
      const document = { '/team/config': FRONT_CONFIG, '/config': SERVICE_CONFIG }[path];
      return document === undefined ? reply(response, 404, '') : reply(response, 200, document);
    });
    const service = await findService([transportAt(`${server.url}/team`), transportAt(server.url)]);
    assert.equal(service.baseUrl, `${server.url}/team`);
  });

  test('is found by its GraphQL although a gateway asks for a sign-in at any other path', async (context) => {
    const server = await wireServer(context, ({ path }, response) =>
      path === '/gms/api/graphql'
        ? reply(response, 200, { data: { __typename: 'Query' } })
        : reply(response, path.startsWith('/gms/') ? 404 : 401, ''),
    );
    const service = await findService([transportAt(server.url), transportAt(`${server.url}/gms`)]);
    assert.equal(service.baseUrl, `${server.url}/gms`);
  });

  test("behind a page's address, whose pages answer any path, is found at the origin", async (context) => {
    const server = await wireServer(context, ({ method, path }, response) =>
      path === '/api/graphql'
        ? reply(response, 200, { data: { __typename: 'Query' } })
        : method === 'GET'
          ? reply(response, 200, '<!DOCTYPE html><html></html>')
          : reply(response, 404, ''),
    );
    const service = await findService([transportAt(`${server.url}/home`), transportAt(server.url)]);
    assert.equal(service.baseUrl, server.url);
  });

  test('is not looked for at a second address of a host that does not answer', async (context) => {
    const server = await wireServer(context, (_, response) => response.destroy());
    await failureOf(findService([transportAt(`${server.url}/home`), transportAt(server.url)]));
    assert.ok(server.requests.every(({ path }) => path === '/home/config'));
  });

  test('is not asked any longer once the user stops: the request is aborted on the wire', async (context) => {
    const arrived = Promise.withResolvers<undefined>();
    const aborted = Promise.withResolvers<undefined>();
    const server = await wireServer(context, (_, response) => {
      response.once('close', () => aborted.resolve(undefined));
      arrived.resolve(undefined);
    });
    const stop = new AbortController();
    const found = failureOf(findService([transportAt(server.url)], stop.signal));
    await arrived.promise;
    stop.abort();
    assert.equal((await found).kind, 'cancelled');
    await aborted.promise;
    assert.equal(server.requests.length, 1);
  });
});

suite('The product of a server', () => {
  test('is reported by the service itself', async (context) => {
    const { facts, server } = await asked(context, { '/config': SERVICE_CONFIG });
    assert.deepEqual(facts, { product: 'DataHub', version: 'v0.14.0', entrance: 'direct' });
    assert.equal(server.requests.length, 1);
  });

  test('is reported by the service behind its front end', async (context) => {
    const { facts } = await asked(context, { '/config': FRONT_CONFIG, '/api/gms/config': SERVICE_CONFIG });
    assert.deepEqual(facts, { product: 'DataHub', version: 'v0.14.0', entrance: 'front' });
  });

  test('is reported by the front end alone if that passes no request on', async (context) => {
    const { facts } = await asked(context, { '/config': FRONT_CONFIG });
    assert.deepEqual(facts, { product: 'DataHub', version: undefined, entrance: 'front' });
  });

  for (const [what, documents] of Object.entries({
    'nothing at all': {},
    'a page of a web application': {
      '/config': '<!DOCTYPE html><html></html>',
      '/api/gms/config': '<!DOCTYPE html><html></html>',
    },
    'the document of another program': { '/config': { noCode: 'false', version: '1.2.3' } },
    'JSON without a document': { '/config': '[1,2,3]', '/api/gms/config': '"DataHub"' },
  })) {
    test(`is unknown if the server returns ${what}`, async (context) => {
      const { facts } = await asked(context, documents);
      assert.deepEqual(facts, { product: undefined, version: undefined, entrance: 'unknown' });
    });
  }

  for (const status of [400, 401, 403, 404, 405, 500, 501]) {
    test(`is unknown if the server answers ${status}`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, status, ''));
      assert.equal((await askServerIdentity(transportAt(server.url))).entrance, 'unknown');
    });
  }

  test('is unknown if a gateway redirects unknown paths', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 302, '', { location: '/login' }));
    assert.equal((await askServerIdentity(transportAt(server.url))).product, undefined);
  });

  test('stays undecided while the server is not ready', async (context) => {
    for (const [status, kind] of [
      [429, 'throttled'],
      [502, 'unavailable'],
      [503, 'unavailable'],
      [504, 'unavailable'],
    ] as const) {
      const server = await wireServer(context, (_, response) => reply(response, status, ''));
      assert.equal((await failureOf(askServerIdentity(transportAt(server.url)))).kind, kind);
    }
  });

  test('is requested without the credential, which unknown servers never receive', async (context) => {
    for (const documents of [{ '/config': SERVICE_CONFIG }, {}, { '/config': '<!DOCTYPE html><html></html>' }]) {
      const { server } = await asked(context, documents);
      assert.deepEqual(
        server.requests.flatMap(({ path, headers }) => (headers.authorization === undefined ? [] : [path])),
        [],
      );
    }
  });

  test('is requested with the credential behind a front end, once that is identified', async (context) => {
    const server = await wireServer(context, ({ path, headers }, response) =>
      path === '/config'
        ? reply(response, 200, FRONT_CONFIG)
        : reply(response, headers.authorization === undefined ? 401 : 200, SERVICE_CONFIG),
    );
    assert.equal((await askServerIdentity(transportAt(server.url))).entrance, 'front');
    assert.deepEqual(
      server.requests.map(({ path, headers }) => [path, headers.authorization !== undefined]),
      [
        ['/config', false],
        ['/api/gms/config', true],
      ],
    );
  });

  for (const [what, refuse] of Object.entries({
    401: (response: ServerResponse) => reply(response, 401, ''),
    403: (response: ServerResponse) => reply(response, 403, ''),
    'a redirect to a sign-in page': (response: ServerResponse) => reply(response, 302, '', { location: '/login' }),
  })) {
    test(`is requested with the credential after a gateway answered ${what} without it`, async (context) => {
      const server = await wireServer(context, ({ headers }, response) =>
        headers.authorization === undefined ? refuse(response) : reply(response, 200, SERVICE_CONFIG),
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

  test('comes with a presentable version, or none', async (context) => {
    for (const version of ['v1.7.0.1', '0.14.0', 'v0.0.0-dev+abc.1']) {
      const { facts } = await asked(context, { '/config': { ...SERVICE_CONFIG, versions: { any: { version } } } });
      assert.equal(facts.version, version);
    }
    for (const version of ['<b>1</b>', 'v1\nv2', 'x'.repeat(60), 7, null, { version: 'v1' }, '']) {
      const { facts } = await asked(context, { '/config': { ...SERVICE_CONFIG, versions: { any: { version } } } });
      assert.deepEqual(facts, { product: 'DataHub', version: undefined, entrance: 'direct' });
    }
    for (const rest of [{}, { versions: null }, { versions: 'v1' }, { versions: 7 }]) {
      const { facts } = await asked(context, { '/config': { noCode: true, ...rest } });
      assert.deepEqual(facts, { product: 'DataHub', version: undefined, entrance: 'direct' });
    }
  });

  test('comes with the first version among the first twenty entries', async (context) => {
    for (const [before, version] of [
      [19, 'v1'],
      [20, undefined],
    ] as const) {
      const versions = [...Array.from({ length: before }, () => null), { version: 'v1' }, { version: 'v2' }];
      const { facts } = await asked(context, { '/config': { ...SERVICE_CONFIG, versions: { ...versions } } });
      assert.equal(facts.version, version);
    }
  });
});

suite('A product’s name', () => {
  test('makes the header that names the caller', () => {
    assert.equal(actorHeaderName('Service'), 'X-Service-Actor');
    assert.equal(actorHeaderName('DataHub'), 'X-DataHub-Actor');
  });

  test('is letters, digits and hyphens; nothing else becomes a header', () => {
    for (const name of ['DataHub', 'my-service-2', 'X']) {
      assert.equal(productProblem(name), undefined);
    }
    for (const name of ['', '2fast', '-x', 'a b', 'a:b', 'Evil\r\nX', 'Jörg', 'x'.repeat(41), 'a_b']) {
      assert.match(productProblem(name) ?? '', /\.$/);
      assert.throws(() => actorHeaderName(name), TypeError);
    }
  });
});

suite('The release that runs recipes', () => {
  const configWith = (managedIngestion: unknown): object => ({ ...SERVICE_CONFIG, managedIngestion });

  async function releaseOf(
    context: TestContext,
    documents: Readonly<Record<string, unknown>>,
    entrance: ServerEntrance = 'direct',
  ): Promise<string | undefined> {
    const server = await wireServer(context, ({ path }, response) => reply(response, 200, documents[path] ?? ''));
    const release = await askIngestionRelease(transportAt(server.url), entrance);
    assert.ok(server.requests.length <= 1);
    return release;
  }

  test('is reported by the service, even behind its front end', async (context) => {
    const config = configWith({ enabled: true, defaultCliVersion: '1.7.0.17' });
    assert.equal(await releaseOf(context, { '/config': config }), '1.7.0.17');
    assert.equal(await releaseOf(context, { '/config': FRONT_CONFIG, '/api/gms/config': config }, 'front'), '1.7.0.17');
    assert.equal(await releaseOf(context, { '/config': config, '/api/gms/config': config }, 'unknown'), undefined);
  });

  for (const [what, managedIngestion] of Object.entries({
    nothing: undefined,
    'no release': { enabled: true },
    'a number': { defaultCliVersion: 1.7 },
    'the text of no release': { defaultCliVersion: '1.7.0 [a](b)' },
    'another shape': '1.7.0.17',
  })) {
    test(`is unknown if the service returns ${what}`, async (context) => {
      assert.equal(await releaseOf(context, { '/config': configWith(managedIngestion) }), undefined);
    });
  }
});

suite('Among the responses about the product', () => {
  for (const [what, status, documents] of [
    ['another program in front of it', 200, { '/config': { ...FRONT_CONFIG, config: { application: 'another' } } }],
    ['a refusal, whatever it says', 403, { '/config': SERVICE_CONFIG, '/api/gms/config': SERVICE_CONFIG }],
    ['a failure without a name', 505, {}],
    [
      'a response that is too large',
      200,
      { '/config': { ...SERVICE_CONFIG, filler: 'x'.repeat(2_000) }, '/api/gms/config': 'x'.repeat(2_000) },
    ],
  ] as const) {
    test(`${what} means nothing`, async (context) => {
      const server = await wireServer(context, ({ path }, response) =>
        reply(response, status, (documents as Readonly<Record<string, unknown>>)[path] ?? ''),
      );
      const facts = await askServerIdentity(transportAt(server.url, { largestAnswerBytes: 1_000 }));
      assert.deepEqual(facts, { product: undefined, version: undefined, entrance: 'unknown' });
    });
  }

  test('a response that is not HTTP means nothing', async (context) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    context.after(() => server.close());
    assert.equal(
      (await askServerIdentity(transportAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))).entrance,
      'unknown',
    );
  });

  test('a failure names the request', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 503, ''));
    assert.equal((await failureOf(askServerIdentity(transportAt(server.url)))).operation, 'config');
  });

  test('a typed name may have white space around it, and only a validated one becomes a header', () => {
    assert.equal(productProblem(' DataHub '), undefined);
    assert.throws(() => actorHeaderName(' DataHub '), /unchecked product name/);
  });
});
