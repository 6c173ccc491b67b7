import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { MetadataService } from '../../../src/service/service.ts';
import { KNOWN_FACTS, ME, failureOf, serviceAt, typeAnswer } from './clients.ts';
import { invalid, refusal } from './tokenServer.ts';
import { reply, wireServer, type WireServer } from './wireServer.ts';

const PRIVILEGES = { generatePersonalAccessTokens: true, manageTokens: false };
const APP = { appVersion: 'v1.7.0.1', authConfig: { tokenAuthEnabled: true } };
const CONFIG = { noCode: 'true', versions: { x: { version: 'v1.7.0.1' } } };
const OTHER = 'urn:li:corpuser:other';
const callerIs = (urn: string | undefined): object => ({
  data: { me: { corpUser: { urn }, platformPrivileges: PRIVILEGES }, appConfig: APP },
});
const UNKNOWN_ME = invalid("Validation error (FieldUndefined@[me]) : Field 'me' in type 'Query' is undefined");
const REFUSED = refusal(403);
const NO_TOKENS = { data: { listAccessTokens: { start: 0, count: 1, total: 0, tokens: [] } } };

/** Known GraphQL questions, each recognized by a unique text. The first match counts. */
const QUESTIONS = {
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

/** A service that answers only these questions, others with a status. Its configuration is that of a real one by default. */
async function serving(
  context: TestContext,
  answers: Partial<Record<Question, object | number>>,
  config: object | null = CONFIG,
): Promise<Serving> {
  const server = await wireServer(context, (request, response) => {
    if (request.path !== '/api/graphql') {
      return request.path === '/config' && config !== null ? reply(response, 200, config) : reply(response, 404, '');
    }
    const question = questionIn(request.body);
    const answer = (question === undefined ? undefined : answers[question]) ?? UNKNOWN_ME;
    return typeof answer === 'number' ? reply(response, answer, '') : reply(response, 200, answer);
  });
  const asked = (): (string | undefined)[] =>
    server.requests.map(({ path, body }) => (path === '/api/graphql' ? questionIn(body) : path));
  return { service: serviceAt(server.url, { knownFacts: {} }), server, asked };
}

suite('A test of the connection', () => {
  test('finds product, version, caller and what the caller may do, in two requests', async (context) => {
    const { service, asked } = await serving(context, { callerInfo: callerIs(ME) });
    assert.deepEqual(await service.check(), {
      identity: { actorUrn: ME, mayGenerateTokens: true },
      version: 'v1.7.0.1',
      tokensEnabled: true,
      server: { product: 'DataHub', version: 'v1.7.0.1', entrance: 'direct' },
    });
    assert.deepEqual(asked(), ['/config', 'callerInfo']);
  });

  test("has the configuration's version, otherwise the one with the caller", async (context) => {
    for (const [configured, version] of [
      ['v2', 'v2'],
      [undefined, 'v1.7.0.1'],
    ] as const) {
      const config = { noCode: 'true', versions: { x: { version: configured } } };
      const { service } = await serving(context, { callerInfo: callerIs(ME) }, config);
      assert.equal((await service.check()).version, version);
    }
  });

  test('uses the smallest listing if the server does not identify the caller', async (context) => {
    const { service, server, asked } = await serving(context, { tokens: NO_TOKENS }, null);
    assert.deepEqual(await service.check(), {
      identity: undefined,
      version: undefined,
      tokensEnabled: undefined,
      server: { product: undefined, version: undefined, entrance: 'unknown' },
    });
    assert.deepEqual(asked(), ['/config', '/api/gms/config', 'callerInfo', 'schema', 'schema', 'tokens']);
    assert.equal(server.requests.at(-1)?.headers['x-service-actor'], ME);
    assert.match(server.requests.at(-1)?.body ?? '', /"count":1/);
  });

  test('of such a server succeeds although GraphQL refuses to list tokens', async (context) => {
    const { service } = await serving(context, { tokens: REFUSED }, null);
    const check = await service.check();
    assert.deepEqual([check.tokensRefused?.kind, check.identity], ['refused', undefined]);
  });

  for (const [what, answers, config, kind] of [
    ['a refusal before GraphQL', { tokens: 403 }, null, 'refused'],
    ['a server without tokens', {}, CONFIG, 'invalidDocument'],
    ['a rejected credential', { callerInfo: 401 }, CONFIG, 'signedOut'],
  ] as const) {
    test(`fails with the reason: ${what}`, async (context) => {
      const { service } = await serving(context, answers, config);
      assert.equal((await failureOf(service.check())).kind, kind);
    });
  }

  test('fails where another server answers, not because of the question that had no answer', async (context) => {
    for (const [status, said] of [
      [200, /^Unexpected response/],
      [404, /^No metadata service found at \S+ \(HTTP 404\)\.$/],
    ] as const) {
      const other = await wireServer(context, (_, response) => reply(response, status, '<html>Welcome!</html>'));
      const failure = await failureOf(serviceAt(other.url, { knownFacts: {} }).check());
      assert.match(failure.message, said);
      assert.doesNotMatch(failure.advice, /"me"/);
    }
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
  const FIRST_PAGE = { filters: [], start: 0, count: 10 };
  const ownersIn = (body: string): string[] => body.match(/urn:li:corpuser:\w+/g) ?? [];

  /** Whose tokens were asked for, of a server that says who calls and refuses to list anybody else's. */
  async function listing(context: TestContext, actorUrn: string | undefined): Promise<string[]> {
    const server = await wireServer(context, ({ body }, response) => {
      const isListing = questionIn(body) === 'tokens';
      reply(response, 200, isListing ? (ownersIn(body).includes(ME) ? NO_TOKENS : REFUSED) : callerIs(ME));
    });
    const service = serviceAt(server.url, { actorUrn });
    assert.equal((await service.tokens.listOwn(FIRST_PAGE, new AbortController().signal)).total, 0);
    const listings = server.requests.filter(({ body }) => questionIn(body) === 'tokens');
    assert.equal(server.requests.length, listings.length + 1, 'who that is was asked once');
    return listings.flatMap(({ body }) => ownersIn(body));
  }

  for (const [what, known, owners] of [
    ['known, together with who that is', ME, [ME]],
    ['unknown', undefined, [ME]],
    ['another', OTHER, [OTHER, ME]],
  ] as const) {
    test(`are those of the user that the server names, where that was ${what}`, async (context) => {
      assert.deepEqual(await listing(context, known), owners);
    });
  }

  test('are asked for in the way of the new version after an upgrade', async (context) => {
    const knownFacts = { ...KNOWN_FACTS, appVersion: 'v1.4.0', tokenFields: ['urn', 'id'] as const };
    const schema = typeAnswer('fields', ['urn', 'id', 'actorUrn', 'ownerUrn', 'name']);
    const { server } = await serving(context, { callerInfo: callerIs(ME), schema, tokens: NO_TOKENS });
    const service = serviceAt(server.url, { knownFacts });
    await service.tokens.listOwn(FIRST_PAGE, new AbortController().signal);
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
          reply(response, answer.status, callerIs(answer.caller));
        } else if (ownersIn(body).includes(ME)) {
          response.on('close', closed.resolve);
        } else {
          reply(response, 200, NO_TOKENS);
        }
      });
      const listed = serviceAt(server.url).tokens.listOwn(FIRST_PAGE, new AbortController().signal);
      await (answer.caller === undefined ? assert.rejects(listed) : listed);
      await closed.promise;
    }
  });
});

suite('The caller', () => {
  for (const [what, privileges, cannotCreate] of [
    ['holds neither privilege', [], true],
    ['may manage service accounts alone', ['MANAGE_SERVICE_ACCOUNTS'], false],
    ['may hold the other privilege', undefined, false],
  ] as const) {
    test(`who ${what} ${cannotCreate ? "can't create tokens" : 'can create tokens, but none of their own'}`, async (context) => {
      const platformPrivileges = { generatePersonalAccessTokens: false, manageTokens: false };
      const { service } = await serving(context, {
        callerInfo: { data: { me: { corpUser: { urn: ME }, platformPrivileges }, appConfig: APP } },
        grantedPrivileges: { data: { getGrantedPrivileges: { privileges } } },
        tokens: REFUSED,
      });
      const page = { filters: [], start: 0, count: 10 };
      assert.equal((await failureOf(service.tokens.listOwn(page, new AbortController().signal))).kind, 'refused');
      assert.deepEqual([service.tokens.cannotCreate('any'), service.tokens.cannotCreate('own')], [cannotCreate, true]);
      const asked = service.tokens.requireCreation('any');
      await (cannotCreate ? assert.rejects(asked) : asked);
      const { message, privilege, status } = await failureOf(service.tokens.requireCreation('own'));
      // Nothing was refused: the creation was never sent.
      assert.equal(message, "You aren't allowed to create access tokens.");
      assert.deepEqual([privilege, status], ['Generate Personal Access Tokens', undefined]);
    });
  }

  test('is that of the connection if the server returns none', async (context) => {
    for (const answers of [{}, { callerInfo: { data: { me: null, appConfig: APP } } }]) {
      const { service } = await serving(context, answers);
      assert.equal(service.server.callerUrn, undefined);
      assert.equal(await service.server.callerActorUrn(), ME);
    }
  });

  test('is asked for where neither the server nor the connection says who it is', async (context) => {
    const { server } = await serving(context, {});
    const failure = await failureOf(serviceAt(server.url, { actorUrn: undefined }).server.callerActorUrn());
    assert.match(failure.advice, /^The server doesn't say which user this connection acts as\. Sign in, or edit/);
  });

  test('stays known if an earlier request for it fails late', async (context) => {
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let questions = 0;
    const server = await wireServer(context, async (request, response) => {
      if (request.path === '/config') {
        return reply(response, 200, CONFIG);
      }
      if (++questions > 1) {
        return reply(response, 200, callerIs(OTHER));
      }
      arrived.resolve();
      await release.promise;
      return reply(response, 401, '');
    });
    const service = serviceAt(server.url);
    const late = service.server.callerActorUrn();
    await arrived.promise;
    await service.check();
    release.resolve();
    assert.equal((await failureOf(late)).kind, 'signedOut');
    assert.equal(await service.server.callerActorUrn(), OTHER);
    assert.equal(questions, 2);
  });

  test('is still requested for others if one of them cancels', async (context) => {
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = await wireServer(context, async (_, response) => {
      asked.resolve();
      await go.promise;
      reply(response, 200, callerIs(OTHER));
    });
    const service = serviceAt(server.url);
    const control = new AbortController();
    const impatient = service.server.callerActorUrn(control.signal);
    const patient = service.server.callerActorUrn();
    await asked.promise;
    control.abort();
    assert.equal((await failureOf(impatient)).kind, 'cancelled');
    go.resolve();
    assert.equal(await patient, OTHER);
    assert.equal(server.requests.length, 1);
  });
});
