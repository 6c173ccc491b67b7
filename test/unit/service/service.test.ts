import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { systemClock } from '../../../src/time.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { MetadataService } from '../../../src/service/service.ts';
import { CREDENTIAL, KNOWN_FACTS, ME, failureOf, serviceAt, typeAnswer } from './clients.ts';
import { reply, wireServer, type WireServer } from './wireServer.ts';

const PRIVILEGES = { generatePersonalAccessTokens: true, manageTokens: false };
const APP = { appVersion: 'v1.7.0.1', authConfig: { tokenAuthEnabled: true } };
const CONFIG = { noCode: 'true', versions: { x: { version: 'v1.7.0.1' } } };
const UNKNOWN_ME = {
  errors: [
    {
      message: "Validation error (FieldUndefined@[me]) : Field 'me' in type 'Query' is undefined",
      extensions: { classification: 'ValidationError' },
    },
  ],
  data: null,
};
const REFUSED = { errors: [{ message: 'no', path: ['x'], extensions: { code: 403 } }], data: null };
const NO_TOKENS = { data: { listAccessTokens: { start: 0, count: 1, total: 0, tokens: [] } } };

/** Known GraphQL questions, each recognized by a unique text. The first match counts. */
const QUESTIONS = {
  rightsToAccounts: /manageServiceAccounts/,
  callerInfo: /\bme \{.*appConfig/,
  me: /\bme \{ corpUser/,
  appConfig: /appConfig/,
  schema: /__type\(/,
  grantedPrivileges: /getGrantedPrivileges\(/,
  tokens: /listAccessTokens\(input/,
} as const;
type Question = keyof typeof QUESTIONS;

function questionIn(body: string): Question | undefined {
  const { query } = JSON.parse(body) as { query: string };
  return (Object.keys(QUESTIONS) as Question[]).find((question) => QUESTIONS[question].test(query));
}

interface Serving {
  readonly service: MetadataService;
  readonly server: WireServer;
  /** Known questions, and the paths of other requests. */
  readonly asked: () => (string | undefined)[];
}

/** A service that answers only these questions. Its configuration is that of a real one by default. */
async function serving(
  context: TestContext,
  answers: Partial<Record<Question, object>>,
  config: object | null = CONFIG,
): Promise<Serving> {
  const server = await wireServer(context, (request, response) => {
    if (request.path !== '/api/graphql') {
      return request.path === '/config' && config !== null ? reply(response, 200, config) : reply(response, 404, '');
    }
    const question = questionIn(request.body);
    return reply(response, 200, (question === undefined ? undefined : answers[question]) ?? UNKNOWN_ME);
  });
  const asked = (): (string | undefined)[] =>
    server.requests.map(({ path, body }) => (path === '/api/graphql' ? questionIn(body) : path));
  return { service: serviceAt(server.url, { knownFacts: {} }), server, asked };
}

suite('A test of the connection', () => {
  test('finds product, version, caller and what the caller may do, in two requests', async (context) => {
    const { service, asked } = await serving(context, {
      callerInfo: { data: { me: { corpUser: { urn: ME }, platformPrivileges: PRIVILEGES }, appConfig: APP } },
    });
    assert.deepEqual(await service.check(), {
      identity: { actorUrn: ME, mayGenerateTokens: true, mayManageAllTokens: false },
      version: 'v1.7.0.1',
      tokensEnabled: true,
      server: { product: 'DataHub', version: 'v1.7.0.1', entrance: 'direct' },
    });
    assert.deepEqual(asked(), ['/config', 'callerInfo']);
  });

  test('requests caller and application separately if a server only knows one of them', async (context) => {
    const { service } = await serving(context, {
      me: {
        data: {
          me: {
            corpUser: { urn: ME },
            platformPrivileges: { generatePersonalAccessTokens: false, manageTokens: true },
          },
        },
      },
    });
    const check = await service.check();
    // A manager of all tokens may create some, whatever the other privilege says.
    assert.deepEqual(check.identity, { actorUrn: ME, mayGenerateTokens: true, mayManageAllTokens: true });
    assert.equal(check.tokensEnabled, undefined);
  });

  test('uses the smallest listing if the server does not identify the caller', async (context) => {
    const { service, server, asked } = await serving(context, { tokens: NO_TOKENS }, null);
    assert.deepEqual(await service.check(), {
      identity: undefined,
      version: undefined,
      tokensEnabled: undefined,
      server: { product: undefined, version: undefined, entrance: 'unknown' },
    });
    assert.deepEqual(asked(), ['/config', '/api/gms/config', 'callerInfo', 'me', 'schema', 'schema', 'tokens']);
    assert.equal(server.requests.at(-1)?.headers['x-service-actor'], ME);
    assert.match(server.requests.at(-1)?.body ?? '', /"count":1/);
  });

  test('of such a server may succeed although listing tokens is refused', async (context) => {
    const { service } = await serving(context, { tokens: REFUSED }, null);
    const check = await service.check();
    assert.equal(check.tokensRefused?.kind, 'refused');
    assert.equal(check.identity, undefined);
  });

  test('of such a server fails if it is refused before GraphQL', async (context) => {
    const server = await wireServer(context, ({ path, body }, response) => {
      if (path !== '/api/graphql') {
        return reply(response, 404, '');
      }
      return questionIn(body) === 'tokens' ? reply(response, 403, '') : reply(response, 200, UNKNOWN_ME);
    });
    const failure = await failureOf(serviceAt(server.url, { knownFacts: {} }).check());
    assert.deepEqual([failure.kind, failure.status], ['refused', 403]);
  });

  test('requests the caller and the version again', async (context) => {
    let urn = 'urn:li:corpuser:before';
    const { service } = await serving(context, {
      get callerInfo() {
        return { data: { me: { corpUser: { urn }, platformPrivileges: PRIVILEGES }, appConfig: APP } };
      },
    });
    assert.equal(await service.callerActorUrn(), urn);
    urn = 'urn:li:corpuser:after';
    assert.equal((await service.check()).identity?.actorUrn, urn);
    assert.equal(await service.callerActorUrn(), urn);
  });

  for (const [configVersion, version] of [
    ['v2', 'v2'],
    [undefined, 'v1.7.0.1'],
  ] as const) {
    test(`uses the configuration's version, otherwise the one with the caller: ${version}`, async (context) => {
      const answers = {
        callerInfo: { data: { me: { corpUser: { urn: ME }, platformPrivileges: PRIVILEGES }, appConfig: APP } },
      };
      const { service } = await serving(context, answers, {
        noCode: 'true',
        versions: { x: { version: configVersion } },
      });
      assert.equal((await service.check()).version, version);
    });
  }

  test('reports the reason: nothing listens, no sign-in, another server', async (context) => {
    const { service } = await serving(context, {});
    assert.equal((await failureOf(service.check())).kind, 'invalidDocument', 'a server without tokens');
    const signedOut = await wireServer(context, (request, response) =>
      reply(response, request.path === '/config' ? 200 : 401, CONFIG),
    );
    assert.equal((await failureOf(serviceAt(signedOut.url, { knownFacts: {} }).check())).kind, 'signedOut');
    const other = await wireServer(context, (_, response) => reply(response, 200, '<html>Welcome to nginx!</html>'));
    assert.equal((await failureOf(serviceAt(other.url, { knownFacts: {} }).check())).kind, 'unexpectedAnswer');
  });

  test('reports that nothing was found there, not which question had no answer', async (context) => {
    const other = await wireServer(context, (_, response) => reply(response, 404, '<html>Not here</html>'));
    const failure = await failureOf(serviceAt(other.url, { knownFacts: {} }).check());
    assert.match(failure.message, /^No metadata service found at \S+ \(HTTP 404\)\.$/);
    assert.doesNotMatch(failure.advice, /"me"/);
  });

  test('can be cancelled', async (context) => {
    const server = await wireServer(context, () => undefined);
    const control = new AbortController();
    const work = serviceAt(server.url, { knownFacts: {} }).check(control.signal);
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
  });
});

suite("The caller's own tokens", () => {
  const OTHER = 'urn:li:corpuser:other';
  const FIRST_PAGE = { filters: [], start: 0, count: 10 };
  const ownersIn = (body: string): string[] => body.match(/urn:li:corpuser:\w+/g) ?? [];

  interface Listing {
    readonly service: MetadataService;
    readonly owners: () => string[];
    readonly asked: () => (Question | undefined)[];
  }

  /** A server that says who calls, and refuses to list anybody else's tokens. */
  async function listing(context: TestContext, caller: string, actorUrn: string | undefined): Promise<Listing> {
    const server = await wireServer(context, ({ body }, response) => {
      const answers: Partial<Record<Question, object>> = {
        callerInfo: { data: { me: { corpUser: { urn: caller }, platformPrivileges: PRIVILEGES }, appConfig: APP } },
        tokens: ownersIn(body).includes(caller) ? NO_TOKENS : REFUSED,
      };
      const question = questionIn(body);
      reply(response, 200, (question && answers[question]) ?? UNKNOWN_ME);
    });
    return {
      service: serviceAt(server.url, { actorUrn }),
      owners: () => server.requests.flatMap(({ body }) => ownersIn(body)),
      asked: () => server.requests.map(({ body }) => questionIn(body)),
    };
  }

  test('are asked for together with who that is, if that was known', async (context) => {
    const { service, owners, asked } = await listing(context, ME, ME);
    assert.equal((await service.listOwnTokens(FIRST_PAGE, new AbortController().signal)).total, 0);
    assert.deepEqual(asked().toSorted(), ['callerInfo', 'tokens']);
    assert.deepEqual(owners(), [ME]);
  });

  test('are asked for in the way of the new version after an upgrade', async (context) => {
    const knownFacts = { ...KNOWN_FACTS, appVersion: 'v1.4.0', tokenFields: ['urn', 'id'] as const };
    const fields = typeAnswer('fields', ['urn', 'id', 'actorUrn', 'ownerUrn', 'name']);
    const server = await wireServer(context, ({ path, body }, response) => {
      const answers: Partial<Record<Question, object>> = {
        callerInfo: { data: { me: { corpUser: { urn: ME }, platformPrivileges: PRIVILEGES }, appConfig: APP } },
        schema: fields,
        tokens: NO_TOKENS,
      };
      const question = path === '/api/graphql' ? questionIn(body) : undefined;
      reply(response, 200, path === '/config' ? CONFIG : ((question && answers[question]) ?? UNKNOWN_ME));
    });
    const service = serviceAt(server.url, { knownFacts });
    await service.listOwnTokens(FIRST_PAGE, new AbortController().signal);
    const listings = server.requests.map(({ body }) => body).filter((body) => QUESTIONS.tokens.test(body));
    assert.deepEqual(
      listings.map((body) => /\bname\b/.test(body)),
      [false, true],
    );
  });

  test('are no longer waited for once the caller is another, or unknown', async (context) => {
    for (const answer of [{ status: 200, caller: OTHER }, { status: 401 }]) {
      const closed = Promise.withResolvers<void>();
      const server = await wireServer(context, ({ body }, response) => {
        if (questionIn(body) !== 'tokens') {
          const corpUser = { urn: answer.caller };
          reply(response, answer.status, {
            data: { me: { corpUser, platformPrivileges: PRIVILEGES }, appConfig: APP },
          });
        } else if (ownersIn(body).includes(ME)) {
          response.on('close', closed.resolve);
        } else {
          reply(response, 200, NO_TOKENS);
        }
      });
      const listed = serviceAt(server.url).listOwnTokens(FIRST_PAGE, new AbortController().signal);
      await (answer.caller === undefined ? assert.rejects(listed) : listed);
      await closed.promise;
    }
  });

  test('are those of the user that the server names, whatever was known', async (context) => {
    for (const before of [undefined, OTHER]) {
      const { service, owners } = await listing(context, ME, before);
      assert.equal((await service.listOwnTokens(FIRST_PAGE, new AbortController().signal)).total, 0);
      assert.deepEqual(owners(), before === undefined ? [ME] : [before, ME]);
    }
  });
});

suite('The caller', () => {
  const known = {
    data: { me: { corpUser: { urn: 'urn:li:corpuser:known' }, platformPrivileges: PRIVILEGES }, appConfig: APP },
  };

  test('is unknown at first, and reading it sends no request', async (context) => {
    const { service, asked } = await serving(context, { callerInfo: known });
    assert.equal(service.server.callerUrn, undefined);
    assert.deepEqual(asked(), []);
  });

  test('is reported by the server, in one request for all callers', async (context) => {
    const { service, asked } = await serving(context, { callerInfo: known });
    assert.deepEqual(
      await Promise.all([
        service.callerActorUrn(),
        service.callerActorUrn(),
        service.server.fact('caller').then(({ identity }) => identity?.actorUrn),
      ]),
      Array(3).fill('urn:li:corpuser:known'),
    );
    assert.equal(service.server.callerUrn, 'urn:li:corpuser:known');
    assert.deepEqual(asked(), ['/config', 'callerInfo']);
  });

  test('is that of the connection if the server returns none or an invalid one', async (context) => {
    const silent = await serving(context, {});
    assert.equal(await silent.service.callerActorUrn(), ME);
    for (const me of [
      null,
      { corpUser: null },
      { corpUser: { urn: 7 }, platformPrivileges: PRIVILEGES },
      { corpUser: { urn: 'urn:li:corpuser:a\nb' }, platformPrivileges: PRIVILEGES },
    ]) {
      const { service } = await serving(context, { callerInfo: { data: { me, appConfig: APP } } });
      assert.equal(await service.callerActorUrn(), ME);
      assert.equal((await service.server.fact('caller')).version, 'v1.7.0.1', 'partial data is used as far as it goes');
    }
  });

  test('is requested again after a failure', async (context) => {
    let fails = true;
    const server = await wireServer(context, (request, response) => {
      if (request.path === '/config') {
        return reply(response, 200, CONFIG);
      }
      return fails ? reply(response, 401, '') : reply(response, 200, known);
    });
    const service = serviceAt(server.url);
    assert.equal((await failureOf(service.callerActorUrn())).kind, 'signedOut');
    fails = false;
    assert.equal(await service.callerActorUrn(), 'urn:li:corpuser:known');
  });

  test('stays known if an earlier request for it fails late', async (context) => {
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let questions = 0;
    const server = await wireServer(context, async (request, response) => {
      if (request.path === '/config') {
        return reply(response, 200, CONFIG);
      }
      if (++questions > 1) {
        return reply(response, 200, known);
      }
      arrived.resolve();
      await release.promise;
      return reply(response, 401, '');
    });
    const service = serviceAt(server.url);
    const late = service.callerActorUrn();
    await arrived.promise;
    await service.check();
    release.resolve();
    assert.equal((await failureOf(late)).kind, 'signedOut');
    assert.equal(await service.callerActorUrn(), 'urn:li:corpuser:known');
    assert.equal(questions, 2);
  });

  test('is still requested for others if one of them cancels', async (context) => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const server = await wireServer(context, async (_, response) => {
      asked.resolve();
      await go.promise;
      reply(response, 200, known);
    });
    const service = serviceAt(server.url);
    const control = new AbortController();
    const impatient = service.callerActorUrn(control.signal);
    const patient = service.callerActorUrn();
    await asked.promise;
    control.abort();
    assert.equal((await failureOf(impatient)).kind, 'cancelled');
    go.resolve();
    assert.equal(await patient, 'urn:li:corpuser:known');
    assert.equal(server.requests.length, 1);
  });
});

suite('Further rights', () => {
  const me = {
    callerInfo: { data: { me: { corpUser: { urn: ME }, platformPrivileges: PRIVILEGES }, appConfig: APP } },
  };
  const types = typeAnswer('fields', ['urn', 'displayName']);
  const accounts = { data: { me: { platformPrivileges: { manageServiceAccounts: true } } } };
  const granted = (...privileges: string[]): object => ({ data: { getGrantedPrivileges: { privileges } } });

  test('are reported by current servers', async (context) => {
    const { service } = await serving(context, {
      ...me,
      schema: types,
      rightsToAccounts: accounts,
      grantedPrivileges: granted('TRUNCATE_TIMESERIES_INDEX_PRIVILEGE', 'GET_ES_TASK_STATUS_PRIVILEGE'),
    });
    assert.deepEqual(await service.callerRights(), {
      manageServiceAccounts: true,
      truncate: true,
      readSizes: false,
      watchTasks: true,
    });
  });

  test('to service accounts can be requested alone, if the server has them', async (context) => {
    const { service, asked } = await serving(context, { ...me, schema: types, rightsToAccounts: accounts });
    assert.equal(await service.mayManageServiceAccounts(), true);
    assert.ok(!asked().includes('grantedPrivileges'));
    const older = await serving(context, me);
    assert.equal(await older.service.mayManageServiceAccounts(), undefined);
    assert.ok(!older.asked().includes('rightsToAccounts'), 'an older server would fail on the question');
  });

  test('include sizes and tasks, but no truncation, with the privilege for system operations', async (context) => {
    const { service } = await serving(context, {
      ...me,
      schema: types,
      rightsToAccounts: accounts,
      grantedPrivileges: granted('MANAGE_SYSTEM_OPERATIONS'),
    });
    assert.deepEqual(await service.callerRights(), {
      manageServiceAccounts: true,
      truncate: false,
      readSizes: true,
      watchTasks: true,
    });
  });

  test('are unknown if the server does not report them, and its refusal is no failure', async (context) => {
    const { service, asked } = await serving(context, { ...me, grantedPrivileges: REFUSED });
    assert.deepEqual(await service.callerRights(), {
      manageServiceAccounts: undefined,
      truncate: undefined,
      readSizes: undefined,
      watchTasks: undefined,
    });
    assert.ok(!asked().includes('rightsToAccounts'), 'an older server would fail on the question');
  });
});

suite('A service without a way to pause', () => {
  /** A server that is busy once, and a service that pauses by itself. */
  async function busyOnce(context: TestContext, network?: NetworkAccess): Promise<MetadataService> {
    let requests = 0;
    const server = await wireServer(context, (_, response) =>
      ++requests === 1 ? reply(response, 503, '') : reply(response, 200, { value: { indexSizes: [] } }),
    );
    const options = {
      baseUrl: server.url,
      actorUrn: ME,
      product: undefined,
      readSecrets: () => Promise.resolve({ token: CREDENTIAL }),
      timeoutMillis: () => 20_000,
    };
    return new MetadataService({ ...options, knownFacts: KNOWN_FACTS, network });
  }

  test('waits before another attempt by the clock of its network', async (context) => {
    const waited: number[] = [];
    const after: typeof systemClock.after = (millis, run) => {
      waited.push(millis);
      return systemClock.after(millis < 20_000 ? 0 : millis, run);
    };
    const service = await busyOnce(context, { ...systemNetwork, clock: { ...systemClock, after } });
    assert.deepEqual((await service.indices.listIndexSizes()).indices, []);
    assert.ok(
      waited.some((millis) => millis >= 250 && millis < 500),
      waited.join(),
    );
  });

  test('waits by the system clock without a network', async (context) => {
    const service = await busyOnce(context);
    const started = performance.now();
    assert.deepEqual((await service.indices.listIndexSizes()).indices, []);
    assert.ok(performance.now() - started > 240);
  });
});

suite('A closed service', () => {
  test('sends nothing more', async (context) => {
    const { service, server } = await serving(context, {});
    service.close();
    assert.equal((await failureOf(service.check())).kind, 'cancelled');
    assert.equal((await failureOf(service.indices.listIndexSizes())).kind, 'cancelled');
    assert.equal(server.requests.length, 0);
  });
});
