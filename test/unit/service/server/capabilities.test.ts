import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { ServerCapabilities, type KnownCapabilities } from '../../../../src/service/server/capabilities.ts';
import { KNOWN_CAPABILITIES, ME, SCHEMA_OF_TODAY, failureOf, serviceAt, transportAt } from '../clients.ts';
import { until } from '../../../service/testClient.ts';
import { reply, wireServer, type Answerer, type SeenRequest, type WireServer } from '../wireServer.ts';

const KNOWN_SERVER = { server: KNOWN_CAPABILITIES.server };
const CONFIG = { noCode: 'true', versions: { x: { version: 'v1.7.0.1' } } };
/** The answer to any question for a type: `values` is the only name that counts. */
const TYPE = {
  type: { fields: [{ name: 'urn' }], inputFields: [{ name: 'values' }], enumValues: [{ name: 'ONE_DAY' }] },
};

function asksFor(request: SeenRequest): string {
  return request.path === '/api/graphql'
    ? (JSON.parse(request.body) as { operationName: string }).operationName
    : request.path;
}

interface Book {
  readonly book: ServerCapabilities;
  readonly server: WireServer;
  readonly remembered: KnownCapabilities[];
}

async function bookOf(context: TestContext, known: unknown = {}, answer?: Answerer, product?: string): Promise<Book> {
  const server = await wireServer(
    context,
    answer ?? ((request, response) => reply(response, 200, request.path === '/config' ? CONFIG : { data: TYPE })),
  );
  const remembered: KnownCapabilities[] = [];
  const transport = transportAt(server.url);
  const book = new ServerCapabilities(transport, ME, product, known, (kept) => remembered.push(kept));
  return { book, server, remembered };
}

suite('A fact about a server', () => {
  test('is requested once, even by concurrent callers, and remembered', async (context) => {
    const { book, server, remembered } = await bookOf(context);
    await Promise.all([
      book.actorHeader(),
      book.serverFacts(),
      book.schemaFact('filter'),
      book.schemaFact('filter'),
      book.entrance(),
    ]);
    await book.schemaFact('filter');
    assert.deepEqual(server.requests.map(asksFor), ['/config', 'schema']);
    assert.deepEqual(remembered.at(-1), book.known);
    assert.equal(book.known.server?.version, 'v1.7.0.1');
    assert.equal(book.known.schema?.filter?.spelling, 'values');
  });

  test('is not requested again in the next session', async (context) => {
    const first = await bookOf(context);
    await first.book.listingSchema();
    const second = await bookOf(context, JSON.parse(JSON.stringify(first.remembered.at(-1))));
    assert.deepEqual(await second.book.listingSchema(), { ...first.book.known.schema, ownerField: undefined });
    assert.equal(await second.book.actorHeader(), 'X-DataHub-Actor');
    assert.equal(second.server.requests.length, 0);
  });

  test('is requested again in each session of an unidentified server', async (context) => {
    const { book, server } = await bookOf(context, { ...KNOWN_CAPABILITIES, server: { entrance: 'unknown' } });
    assert.equal(await book.actorHeader(), 'X-DataHub-Actor');
    assert.deepEqual(server.requests.map(asksFor), ['/config']);
  });

  test('may be set by the user, which has priority', async (context) => {
    const { book, server } = await bookOf(context, {}, undefined, 'Metadata');
    assert.equal(await book.actorHeader(), 'X-Metadata-Actor');
    assert.equal(server.requests.length, 0);
  });

  test('is requested again once forgotten, and a response to the earlier request is not stored', async (context) => {
    const first = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let configs = 0;
    const { book } = await bookOf(context, {}, async (_, response) => {
      const version = `v${++configs}`;
      if (configs === 1) {
        asked.resolve();
        await first.promise;
      }
      reply(response, 200, { noCode: 'true', versions: { x: { version } } });
    });
    const stale = book.serverFacts();
    await asked.promise;
    book.forget();
    assert.equal((await book.serverFacts()).version, 'v2');
    first.resolve();
    assert.equal((await stale).version, 'v1');
    assert.equal(book.known.server?.version, 'v2');
  });

  test('stays known if a later request for it finds the server down', async (context) => {
    const { book } = await bookOf(context, KNOWN_CAPABILITIES, (_, response) => reply(response, 503, ''));
    assert.equal((await failureOf(book.renew())).kind, 'unavailable');
    assert.equal(book.known.operationsPath, '/operations');
  });

  test('is replaced when the server answers again', async (context) => {
    const { book, remembered } = await bookOf(context, {
      ...KNOWN_CAPABILITIES,
      refusedDurations: ['NO_EXPIRY'],
      forceFlags: true,
    });
    assert.equal((await book.renew()).version, 'v1.7.0.1');
    assert.deepEqual(Object.keys(book.known), ['server']);
    assert.deepEqual(remembered.at(-1), book.known);
  });
});

suite('A forgotten fact', () => {
  /** A server that answers everything, including its duration policy. */
  const everything: Answerer = (request, response) => {
    if (request.path === '/config') {
      return reply(response, 200, CONFIG);
    }
    const policy = { appConfig: { authConfig: { allowNoExpiry: false, allowedAccessTokenDurations: ['P1D'] } } };
    const type = { fields: [{ name: 'allowNoExpiry' }, { name: 'allowedAccessTokenDurations' }] };
    return reply(response, 200, { data: asksFor(request) === 'schema' ? { type } : policy });
  };

  test('is removed from the storage too, and all facts are requested again', async (context) => {
    const { book, server, remembered } = await bookOf(context, {}, everything);
    await book.durationPolicy();
    assert.equal(book.doubtSchema('tellsDurationPolicy'), false, 'what was asked just now is not doubted');
    book.forget();
    assert.deepEqual([book.known, remembered.at(-1)], [{}, {}]);
    assert.deepEqual(await book.durationPolicy(), { allowsNoExpiry: false, lengths: [86_400_000] });
    assert.deepEqual(server.requests.map(asksFor), [
      '/config',
      'schema',
      'appConfig',
      '/config',
      'schema',
      'appConfig',
    ]);
  });

  test('is no longer known if the server omits it now', async (context) => {
    let isReporting = true;
    const { book } = await bookOf(context, {}, (request, response) =>
      isReporting || request.path === '/config' ? everything(request, response) : reply(response, 200, { data: TYPE }),
    );
    assert.deepEqual(await book.durationPolicy(), { allowsNoExpiry: false, lengths: [86_400_000] });
    isReporting = false;
    book.forget();
    assert.equal(await book.durationPolicy(), undefined);
  });

  test('may be doubted again once it is learned in another way', async (context) => {
    const { book } = await bookOf(context, {}, everything);
    await book.schemaFact('tellsDurationPolicy');
    book.forget();
    book.learnSchema({ tellsDurationPolicy: true });
    assert.equal(book.doubtSchema('tellsDurationPolicy'), true);
    assert.deepEqual(book.known.schema, {});
  });

  for (const question of ['schema', 'appConfig'] as const) {
    test(`is not restored by a pending response: ${question}`, async (context) => {
      const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let times = 0;
      const { book, remembered } = await bookOf(context, {}, async (request, response) => {
        if (asksFor(request) === question && ++times === 1) {
          arrived.resolve();
          await release.promise;
        }
        return everything(request, response);
      });
      const stale = question === 'schema' ? book.schemaFact('tellsDurationPolicy') : book.durationPolicy();
      await arrived.promise;
      book.forget();
      const asked = question === 'schema' ? book.schemaFact('tellsDurationPolicy') : book.durationPolicy();
      await asked;
      assert.equal(times, 2, 'who asks from now on gets an answer of its own');
      book.forget();
      const before = remembered.length;
      release.resolve();
      await stale;
      assert.deepEqual([book.known, remembered.length], [{}, before]);
      assert.ok(question === 'schema' || (await book.durationPolicy()) !== undefined);
      assert.equal(times, question === 'schema' ? 2 : 3, 'the policy counts as not asked');
    });
  }
});

suite('The choice of a deletion strategy', () => {
  for (const [known, forceFlags] of [
    [{}, undefined],
    [{ forceFlags: true }, true],
    [{ forceFlags: false }, false],
    [{ server: { product: 'DataHub', entrance: 'direct' } }, true],
    [{ server: { product: 'DataHub', entrance: 'direct' }, forceFlags: false }, true],
    [{ server: { entrance: 'direct' }, forceFlags: false }, false],
  ] as const) {
    test(`is ${String(forceFlags)} for ${JSON.stringify(known)}`, async (context) => {
      assert.equal((await bookOf(context, known)).book.forceFlags, forceFlags);
    });
  }

  test('is learned, and remembered', async (context) => {
    const { book, remembered } = await bookOf(context, { operationsPath: '/operations' });
    book.learnedForceFlags(true);
    assert.deepEqual([book.forceFlags, remembered.at(-1)], [true, { operationsPath: '/operations', forceFlags: true }]);
  });
});

suite('A remembered fact', () => {
  for (const entrance of ['direct', 'front', 'unknown'] as const) {
    test(`may name each entrance: ${entrance}`, async (context) => {
      const { book } = await bookOf(context, { server: { product: 'DataHub', entrance } });
      assert.equal(await book.entrance(), entrance);
    });
  }

  for (const ownerField of ['ownerUrn', 'actorUrn'] as const) {
    test(`may name each field of an owner: ${ownerField}`, async (context) => {
      assert.equal((await bookOf(context, { ownerField })).book.known.ownerField, ownerField);
    });
  }

  test('about lengths from a refusal is valid until the policy is requested', async (context) => {
    const { book } = await bookOf(context, { schema: { ...SCHEMA_OF_TODAY, tellsDurationPolicy: false } });
    book.durationRefused({ refused: ['ONE_DAY'], lengths: undefined });
    assert.equal(await book.durationPolicy(), undefined);
    book.durationRefused({ refused: ['ONE_WEEK'], lengths: [3_600_000] });
    assert.deepEqual(await book.durationPolicy(), { allowsNoExpiry: undefined, lengths: [3_600_000] });
    assert.deepEqual(book.refusedDurations, ['ONE_DAY', 'ONE_WEEK']);
  });

  for (const [what, status, refused, policy] of [
    ['answers', 200, undefined, { allowsNoExpiry: true, lengths: undefined }],
    ['says nothing', 403, ['ONE_DAY'], { allowsNoExpiry: undefined, lengths: [3_600_000] }],
  ] as const) {
    test(`about refusals is replaced by a policy only if the server ${what}`, async (context) => {
      const { book } = await bookOf(
        context,
        { schema: { ...SCHEMA_OF_TODAY, tellsDurationPolicy: true } },
        (request, response) =>
          request.path === '/config'
            ? reply(response, 200, CONFIG)
            : reply(
                response,
                status,
                status === 200 ? { data: { appConfig: { authConfig: { allowNoExpiry: true } } } } : '',
              ),
      );
      book.durationRefused({ refused: ['ONE_DAY'], lengths: [3_600_000] });
      assert.deepEqual(await book.durationPolicy(), policy);
      assert.deepEqual(book.known.refusedDurations, refused);
    });
  }
});

suite('An upgrade', () => {
  test('of the server makes the client request every fact again', async (context) => {
    const { book } = await bookOf(context, {
      ...KNOWN_CAPABILITIES,
      appVersion: 'v0.14.0',
      refusedDurations: ['NO_EXPIRY'],
    });
    book.noteVersion('v0.14.0');
    assert.equal(book.known.operationsPath, '/operations');
    book.noteVersion(undefined);
    assert.equal(book.known.operationsPath, '/operations', 'not to say is no other version');
    book.noteVersion('v1.7.0.1');
    assert.deepEqual(book.known, { appVersion: 'v1.7.0.1' });
  });

  test('requires an earlier version: the first one is none', async (context) => {
    const { book } = await bookOf(context, KNOWN_CAPABILITIES);
    book.noteVersion('v1.7.0.1');
    assert.deepEqual(book.known.schema, SCHEMA_OF_TODAY);
  });

  test('is noticed when the caller is identified', async (context) => {
    const server = await wireServer(context, (request, response) =>
      reply(
        response,
        200,
        request.path === '/config' ? CONFIG : { data: { me: null, appConfig: { appVersion: 'v2' } } },
      ),
    );
    const service = serviceAt(server.url, { knownCapabilities: { ...KNOWN_CAPABILITIES, appVersion: 'v1' } });
    await service.callerInfo();
    assert.equal(service.capabilities.known.appVersion, 'v2');
    assert.equal(service.capabilities.known.schema, undefined);
  });
});

suite('A fact about the schema', () => {
  const refuses: Answerer = (request, response) =>
    request.path === '/config'
      ? reply(response, 200, CONFIG)
      : reply(response, 200, {
          errors: [{ message: 'not in good faith', extensions: { classification: 'BadFaithIntrospection' } }],
          data: null,
        });

  test('is assumed for this session if the server does not say, asked for once, and never remembered', async (context) => {
    const { book, server, remembered } = await bookOf(context, {}, refuses);
    assert.deepEqual((await book.listingSchema()).filter, SCHEMA_OF_TODAY.filter);
    assert.deepEqual((await book.listingSchema()).tokenFields, SCHEMA_OF_TODAY.tokenFields);
    assert.deepEqual(server.requests.map(asksFor), ['/config', 'schema', 'schema']);
    assert.ok(remembered.every(({ schema }) => schema === undefined));
    const next = await bookOf(context, remembered.at(-1));
    assert.equal((await next.book.schemaFact('filter')).hasCondition, false, 'the next session asks again');
  });

  test('is asked when it is needed, at most two at a time', async (context) => {
    let running = 0;
    let most = 0;
    const released: (() => void)[] = [];
    const { book, server } = await bookOf(context, KNOWN_SERVER, async (_, response) => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => released.push(resolve));
      running--;
      reply(response, 200, { data: TYPE });
    });
    const names = ['filter', 'tokenFields', 'creation', 'durations', 'serviceAccountFields'] as const;
    const asked = Promise.all(names.map((name) => book.schemaFact(name)));
    for (let answered = 0; answered < names.length; answered++) {
      await until('a request', () => released.length > answered);
      released[answered]?.();
    }
    await asked;
    assert.deepEqual([server.requests.length, most], [names.length, 2]);
  });

  test('is asked again after a failure', async (context) => {
    let isDown = true;
    const { book } = await bookOf(context, KNOWN_SERVER, (_, response) =>
      isDown ? reply(response, 500, '') : reply(response, 200, { data: TYPE }),
    );
    assert.equal((await failureOf(book.schemaFact('filter'))).kind, 'server');
    isDown = false;
    assert.equal((await book.schemaFact('filter')).spelling, 'values');
  });

  test('is not replaced by the answer if it was learned meanwhile', async (context) => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const { book } = await bookOf(context, KNOWN_SERVER, async (_, response) => {
      arrived.resolve();
      await release.promise;
      reply(response, 200, { data: TYPE });
    });
    const asked = book.schemaFact('filter');
    await arrived.promise;
    book.learnSchema({ filter: SCHEMA_OF_TODAY.filter });
    release.resolve();
    await asked;
    assert.deepEqual(book.known.schema?.filter, SCHEMA_OF_TODAY.filter);
  });
});

suite('A doubt about the schema', () => {
  test('requests remembered facts again, once', async (context) => {
    const { book, server } = await bookOf(context, KNOWN_CAPABILITIES);
    assert.equal(book.doubtSchema('filter', 'tokenFields'), true);
    assert.deepEqual((await book.listingSchema()).filter.spelling, 'values');
    assert.deepEqual(server.requests.map(asksFor), ['schema', 'schema']);
    assert.equal(book.doubtSchema('filter', 'tokenFields'), false, 'they were asked in this session');
  });

  test('keeps what was asked in this session, and what is not doubted', async (context) => {
    const { filter: _, ...known } = SCHEMA_OF_TODAY;
    const { book, server } = await bookOf(context, { ...KNOWN_CAPABILITIES, schema: known });
    await book.schemaFact('filter');
    assert.equal(book.doubtSchema('filter', 'tokenFields'), true);
    const { tokenFields: __, ...kept } = SCHEMA_OF_TODAY;
    assert.deepEqual(Object.keys(book.known.schema ?? {}).toSorted(), Object.keys(kept).toSorted());
    await book.schemaFact('filter');
    assert.equal(server.requests.length, 1);
  });

  test('changes nothing if nothing is known yet', async (context) => {
    assert.equal((await bookOf(context)).book.doubtSchema('filter'), false);
  });
});

suite('A stored fact', () => {
  test('is read as it was written', async (context) => {
    const whole: KnownCapabilities = {
      ...KNOWN_CAPABILITIES,
      forceFlags: false,
      refusedDurations: ['NO_EXPIRY'],
      appVersion: 'v1',
      ownerField: 'actorUrn',
    };
    assert.deepEqual((await bookOf(context, JSON.parse(JSON.stringify(whole)))).book.known, whole);
  });

  test('about a schema, which release 0.3.0 guessed where it was refused, is asked again', async (context) => {
    const stored =
      '{"server":{"product":"DataHub","version":"v1.7.0.1","entrance":"direct"},"appVersion":"v1.7.0.1","operationsPath":"/operations",' +
      '"schema":{"filterSpelling":"values","filterHasCondition":true,"createInputType":"CreateAccessTokenInput","createTakesDescription":true,' +
      '"createTakesDurationIso":false,"tokenFields":["urn","id","actorUrn"],"durations":["ONE_DAY"],"serviceAccounts":false,' +
      '"filterHasAbsence":false,"serviceAccountFields":[],"tellsDurationPolicy":false,"ownerField":"ownerUrn"}}';
    const { book } = await bookOf(context, JSON.parse(stored));
    assert.deepEqual(JSON.parse(JSON.stringify(book.known)), {
      server: { product: 'DataHub', version: 'v1.7.0.1', entrance: 'direct' },
      appVersion: 'v1.7.0.1',
      operationsPath: '/operations',
    });
  });

  for (const [what, known] of Object.entries({
    'an unknown path': { operationsPath: '/../evil' },
    'a field that would become part of a document': {
      schema: { tokenFields: ['id', 'secret } evil'] },
    },
    'an unknown input type': { schema: { creation: { ...SCHEMA_OF_TODAY.creation, inputType: 'Evil' } } },
    'a product that would become a header': { server: { product: 'Evil\r\nX', entrance: 'direct' } },
    'invalid durations': { refusedDurations: ['ALWAYS'] },
  })) {
    test(`is dropped if it has ${what}`, async (context) => {
      const { book } = await bookOf(context, { ...known, appVersion: 'v1' });
      const { appVersion, ...rest } = book.known;
      assert.equal(appVersion, 'v1', 'the rest stays');
      assert.deepEqual(JSON.parse(JSON.stringify({ schema: {}, ...rest })), { schema: {} });
    });
  }

  test('may be anything, even from another release of the extension', () => {
    const transport = transportAt('http://127.0.0.1:1');
    fc.assert(
      fc.property(fc.anything(), (known) => {
        const { known: kept } = new ServerCapabilities(transport, ME, undefined, known, () => undefined);
        assert.equal(typeof kept, 'object');
      }),
    );
  });
});
