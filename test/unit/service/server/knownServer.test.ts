import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { AskedFacts, KnownFacts } from '../../../../src/service/server/facts.ts';
import type { KnownServer } from '../../../../src/service/server/knownServer.ts';
import { KNOWN_FACTS, SCHEMA_OF_1_6, failureOf, serviceAt } from '../clients.ts';
import { reply, wireServer, type Answerer, type SeenRequest, type WireServer } from '../wireServer.ts';

const KNOWN_IDENTITY = { identity: KNOWN_FACTS.identity };
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

const listingFacts = async (knownServer: KnownServer): Promise<Pick<AskedFacts, 'filter' | 'tokenFields'>> => {
  const [filter, tokenFields] = await Promise.all([knownServer.fact('filter'), knownServer.fact('tokenFields')]);
  return { filter, tokenFields };
};
const headerName = async (knownServer: KnownServer): Promise<string | undefined> =>
  Object.keys(await knownServer.callerHeader())[0];

interface Fixture {
  readonly knownServer: KnownServer;
  readonly server: WireServer;
  readonly remembered: KnownFacts[];
}

async function knownServerOf(
  context: TestContext,
  known: unknown = {},
  answer?: Answerer,
  product?: string,
): Promise<Fixture> {
  const server = await wireServer(
    context,
    answer ?? ((request, response) => reply(response, 200, request.path === '/config' ? CONFIG : { data: TYPE })),
  );
  const remembered: KnownFacts[] = [];
  const { server: knownServer } = serviceAt(server.url, {
    product,
    knownFacts: known as KnownFacts,
    rememberFacts: (kept) => remembered.push(kept),
  });
  return { knownServer, server, remembered };
}

suite('A fact about a server', () => {
  test('is requested once, even by concurrent callers, and remembered', async (context) => {
    const { knownServer, server, remembered } = await knownServerOf(context);
    await Promise.all([
      headerName(knownServer),
      knownServer.fact('identity'),
      knownServer.fact('filter'),
      knownServer.fact('filter'),
      knownServer.fact('identity'),
    ]);
    await knownServer.fact('filter');
    assert.deepEqual(server.requests.map(asksFor), ['/config', 'schema']);
    assert.deepEqual(remembered.at(-1), knownServer.known);
    assert.equal(knownServer.known.identity?.version, 'v1.7.0.1');
    assert.equal(knownServer.known.filter?.spelling, 'values');
  });

  test('is requested again in each session of an unidentified server', async (context) => {
    const { knownServer, server } = await knownServerOf(context, { ...KNOWN_FACTS, identity: { entrance: 'unknown' } });
    assert.equal(await headerName(knownServer), 'X-DataHub-Actor');
    assert.deepEqual(server.requests.map(asksFor), ['/config']);
  });

  test('stays known if a later request for it finds the server down', async (context) => {
    const { knownServer } = await knownServerOf(context, KNOWN_FACTS, (_, response) => reply(response, 503, ''));
    assert.equal((await failureOf(knownServer.refresh())).kind, 'unavailable');
    assert.equal(knownServer.known.operationsPath, '/operations');
  });

  test('is forgotten once the server answers again, in the storage too, and requested again', async (context) => {
    const type = { enumValues: [{ name: 'ONE_HOUR' }] };
    const { knownServer, server, remembered } = await knownServerOf(context, {}, (request, response) =>
      reply(response, 200, request.path === '/config' ? CONFIG : { data: { type } }),
    );
    await knownServer.fact('durations');
    assert.equal(knownServer.doubt('durations'), false, 'what was asked just now is not doubted');
    await knownServer.refresh();
    const { identity } = knownServer.known;
    assert.deepEqual([knownServer.known, remembered.at(-1)], [{ identity }, { identity }]);
    assert.deepEqual(await knownServer.fact('durations'), ['ONE_HOUR']);
    assert.deepEqual(server.requests.map(asksFor), ['/config', 'schema', '/config', 'schema']);
  });

  test('is not restored by a response to an earlier request, whose fact is not stored', async (context) => {
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let times = 0;
    const { knownServer, remembered } = await knownServerOf(context, {}, async (request, response) => {
      if (asksFor(request) === 'schema' && ++times === 1) {
        arrived.resolve();
        await release.promise;
      }
      reply(response, 200, request.path === '/config' ? CONFIG : { data: TYPE });
    });
    const stale = knownServer.fact('filter');
    await arrived.promise;
    await knownServer.refresh();
    await knownServer.fact('filter');
    assert.equal(times, 2, 'who asks from now on gets an answer of its own');
    await knownServer.refresh();
    const before = remembered.length;
    release.resolve();
    await stale;
    assert.deepEqual([Object.keys(knownServer.known), remembered.length], [['identity'], before]);
  });
});

suite('The choice of a deletion strategy', () => {
  for (const [known, forceFlags] of [
    [{}, undefined],
    [{ identity: { product: 'DataHub', entrance: 'direct' } }, true],
  ] as const) {
    test(`is ${String(forceFlags)} for ${JSON.stringify(known)}`, async (context) => {
      assert.equal((await knownServerOf(context, known)).knownServer.forceFlags, forceFlags);
    });
  }

  const rights = { generatePersonalAccessTokens: true, manageTokens: true };
  const appConfig = { appVersion: 'v1', authConfig: { tokenAuthEnabled: true } };
  const caller = { me: { corpUser: { urn: 'urn:li:corpuser:a' }, platformPrivileges: rights }, appConfig };
  for (const [what, status, body, isOffered] of [
    ['its version', 200, { data: caller }, true],
    ['no GraphQL', 404, {}, false],
  ] as const) {
    test(`follows from ${what} where a gateway hides who the server is`, async (context) => {
      const { knownServer } = await knownServerOf(context, {}, ({ path }, response) =>
        path === '/config' ? reply(response, 404, {}) : reply(response, status, body),
      );
      assert.deepEqual([await knownServer.takesForceFlags(), knownServer.forceFlags], [isOffered, isOffered]);
    });
  }
});

test('An upgrade makes the client request every fact again; the first version is none', async (context) => {
  const { knownServer } = await knownServerOf(context, KNOWN_FACTS);
  knownServer.learn({ appVersion: 'v0.14.0' });
  knownServer.learn({ appVersion: 'v0.14.0' });
  assert.deepEqual(knownServer.known, { ...KNOWN_FACTS, appVersion: 'v0.14.0' });
  knownServer.learn({ appVersion: 'v1.7.0.1' });
  assert.deepEqual(knownServer.known, { appVersion: 'v1.7.0.1' });
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
    const { knownServer, server, remembered } = await knownServerOf(context, {}, refuses);
    const { filter, tokenFields } = SCHEMA_OF_1_6;
    assert.deepEqual(await listingFacts(knownServer), { filter, tokenFields });
    assert.deepEqual(await listingFacts(knownServer), { filter, tokenFields });
    assert.deepEqual(server.requests.map(asksFor), ['/config', 'schema', 'schema']);
    assert.ok(remembered.every((kept) => !('filter' in kept) && !('tokenFields' in kept)));
    const next = await knownServerOf(context, remembered.at(-1));
    assert.equal((await next.knownServer.fact('filter')).hasCondition, false, 'the next session asks again');
  });

  test('is asked again after a failure', async (context) => {
    let isDown = true;
    const { knownServer } = await knownServerOf(context, KNOWN_IDENTITY, (_, response) =>
      isDown ? reply(response, 500, '') : reply(response, 200, { data: TYPE }),
    );
    assert.equal((await failureOf(knownServer.fact('filter'))).kind, 'server');
    isDown = false;
    assert.equal((await knownServer.fact('filter')).spelling, 'values');
  });

  test('is not replaced by the answer if it was learned meanwhile', async (context) => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const { knownServer } = await knownServerOf(context, KNOWN_IDENTITY, async (_, response) => {
      arrived.resolve();
      await release.promise;
      reply(response, 200, { data: TYPE });
    });
    const asked = knownServer.fact('filter');
    await arrived.promise;
    knownServer.learn({ filter: SCHEMA_OF_1_6.filter });
    release.resolve();
    await asked;
    assert.deepEqual(knownServer.known.filter, SCHEMA_OF_1_6.filter);
  });
});

suite('A doubt about the schema', () => {
  test('requests remembered facts again, once', async (context) => {
    const { knownServer, server } = await knownServerOf(context, KNOWN_FACTS);
    assert.equal(knownServer.doubt('filter', 'tokenFields'), true);
    assert.equal((await listingFacts(knownServer)).filter.spelling, 'values');
    assert.deepEqual(server.requests.map(asksFor), ['schema', 'schema']);
    assert.equal(knownServer.doubt('filter', 'tokenFields'), false, 'they were asked in this session');
  });

  test('keeps what was asked in this session, and what is not doubted', async (context) => {
    const { filter: _, ...known } = KNOWN_FACTS;
    const { knownServer, server, remembered } = await knownServerOf(context, known);
    assert.equal(knownServer.doubt('filter'), false, 'nothing is known yet');
    await knownServer.fact('filter');
    assert.equal(knownServer.doubt('filter', 'tokenFields'), true);
    const { tokenFields: __, ...kept } = KNOWN_FACTS;
    assert.deepEqual(Object.keys(remembered.at(-1) ?? {}).toSorted(), Object.keys(kept).toSorted());
    await knownServer.fact('filter');
    assert.equal(server.requests.length, 1);
  });
});

suite('A stored fact', () => {
  test('is read as it was written', async (context) => {
    for (const entrance of ['direct', 'front', 'unknown'] as const) {
      const identity = { product: 'DataHub', version: 'v1.7.0.1', entrance } as const;
      const whole: KnownFacts = { ...KNOWN_FACTS, identity, appVersion: 'v1' };
      assert.deepEqual((await knownServerOf(context, JSON.parse(JSON.stringify(whole)))).knownServer.known, whole);
    }
  });

  for (const [what, known] of Object.entries({
    'an unknown path': { operationsPath: '/../evil' },
    'a field that would become part of a document': {
      tokenFields: ['id', 'secret } evil'],
    },
    'an unknown input type': { creation: { ...SCHEMA_OF_1_6.creation, inputType: 'Evil' } },
    'a product that would become a header': { identity: { product: 'Evil\r\nX', entrance: 'direct' } },
    'invalid durations': { durations: ['ALWAYS'] },
  })) {
    test(`is dropped if it has ${what}`, async (context) => {
      const { knownServer } = await knownServerOf(context, { ...known, appVersion: 'v1' });
      assert.deepEqual(knownServer.known, { appVersion: 'v1' }, 'the rest stays');
    });
  }

  test('may be anything, even from another release of the extension', () => {
    fc.assert(
      fc.property(fc.anything(), (known) => {
        const { known: kept } = serviceAt('http://127.0.0.1:1', { knownFacts: known as KnownFacts }).server;
        assert.equal(typeof kept, 'object');
      }),
    );
  });
});
