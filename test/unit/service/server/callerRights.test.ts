import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { GraphQLEndpoint } from '../../../../src/service/http/graphql.ts';
import {
  askCallerRights,
  askTokenOwner,
  requestCallerInfo,
  type CallerRights,
} from '../../../../src/service/server/callerRights.ts';
import { CREDENTIAL, failureOf, ME, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const PRIVILEGES = { generatePersonalAccessTokens: false, manageTokens: false };
const UNKNOWN = { errors: [{ message: 'x', extensions: { classification: 'ValidationError' } }], data: null };
const failing = (extensions: object): object => ({ errors: [{ message: 'x', path: ['x'], extensions }], data: null });

interface Asked {
  readonly graphql: GraphQLEndpoint;
  readonly server: WireServer;
}

/** A server with a response for each question, recognized by its text. The first match counts. */
async function answering(context: TestContext, answers: Readonly<Record<string, object | number>>): Promise<Asked> {
  const server = await wireServer(context, ({ body }, response) => {
    const { query } = JSON.parse(body) as { query: string };
    const answer = Object.entries(answers).find(([word]) => query.includes(word))?.[1] ?? UNKNOWN;
    return typeof answer === 'number'
      ? reply(response, answer, answer === 403 ? { message: 'no', status: 403 } : '')
      : reply(response, 200, answer);
  });
  return { graphql: new GraphQLEndpoint(transportAt(server.url), () => Promise.resolve({})), server };
}

function meOf(urn: string, platformPrivileges: object): object {
  return { data: { me: { corpUser: { urn }, platformPrivileges } } };
}

function granted(...privileges: readonly string[]): object {
  return { data: { getGrantedPrivileges: { privileges } } };
}

suite('The owner of a token', () => {
  const owner = async (context: TestContext, answers: Readonly<Record<string, object | number>>) => {
    const { server } = await answering(context, answers);
    const asked = await askTokenOwner(transportAt(server.url));
    // The header would be believed where tokens aren't checked.
    assert.ok(server.requests.every(({ headers }) => !Object.keys(headers).some((name) => name.endsWith('-actor'))));
    return asked;
  };
  const app = (tokenAuthEnabled: boolean): object => ({ appVersion: 'v1', authConfig: { tokenAuthEnabled } });
  const both = (urn: string, tokenAuthEnabled: boolean): object => ({
    data: { me: { corpUser: { urn }, platformPrivileges: PRIVILEGES }, appConfig: app(tokenAuthEnabled) },
  });

  test('is known from a server that checks tokens', async (context) => {
    assert.equal(await owner(context, { 'me {': both(ME, true) }), ME);
  });

  test('is known from a server that doesn’t say whether it checks tokens', async (context) => {
    assert.equal(await owner(context, { appConfig: UNKNOWN, 'me {': meOf(ME, PRIVILEGES) }), ME);
  });

  test('is unknown if the server takes any caller for the system', async (context) => {
    assert.equal(await owner(context, { 'me {': both('urn:li:corpuser:__datahub_system', false) }), undefined);
  });

  test('is unknown if the server doesn’t say, or names no user', async (context) => {
    assert.equal(await owner(context, {}), undefined);
    assert.equal(await owner(context, { 'me {': both('urn:li:corpGroup:admins', true) }), undefined);
  });

  test('is not asked for any longer if the token is rejected', async (context) => {
    const { server } = await answering(context, { 'me {': 401 });
    const failure = await failureOf(askTokenOwner(transportAt(server.url)));
    assert.deepEqual([failure.kind, server.requests.length], ['signedOut', 1]);
  });
});

suite('The caller’s identity', () => {
  for (const [what, urn, known] of [
    ['a user', ME, true],
    ['no URN at all', 'jdoe', false],
    ['one with something before it', `x${ME}`, false],
    ['one with a space', 'urn:li:corpuser:j doe', true],
    ['one with a line break', 'urn:li:corpuser:j\ndoe', false],
    // It would be stored together with the sent requests.
    ['one with the credential', `urn:li:corpuser:${CREDENTIAL}`, false],
    ['one without end', `urn:li:corpuser:${'x'.repeat(100_000)}`, false],
  ] as const) {
    test(`is ${known ? 'accepted' : 'not accepted'} from ${what}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': meOf(urn, PRIVILEGES) });
      assert.equal((await requestCallerInfo(graphql)).identity?.actorUrn, known ? urn : undefined);
    });
  }

  for (const [privileges, generate, manage] of [
    [PRIVILEGES, false, false],
    [{ ...PRIVILEGES, generatePersonalAccessTokens: true }, true, false],
    [{ ...PRIVILEGES, manageTokens: true }, true, true],
  ] as const) {
    test(`comes with the caller's rights: ${JSON.stringify(privileges)}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': meOf(ME, privileges) });
      const { identity } = await requestCallerInfo(graphql);
      assert.deepEqual([identity?.mayGenerateTokens, identity?.mayManageAllTokens], [generate, manage]);
    });
  }

  test('is requested separately from the version if the server lacks the combined query', async (context) => {
    const { graphql, server } = await answering(context, {
      'me { corpUser { urn } platformPrivileges { generatePersonalAccessTokens manageTokens } } appConfig': UNKNOWN,
      'me {': meOf(ME, PRIVILEGES),
      appConfig: { data: { appConfig: { appVersion: 'v9', authConfig: { tokenAuthEnabled: false } } } },
    });
    const { identity, version, tokensEnabled } = await requestCallerInfo(graphql);
    assert.deepEqual([identity?.actorUrn, version, tokensEnabled, server.requests.length], [ME, 'v9', false, 3]);
  });

  for (const appVersion of ['', null, ' \n ']) {
    test(`has no version for ${JSON.stringify(appVersion)}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': { data: { me: null, appConfig: { appVersion } } } });
      const { version, tokensEnabled } = await requestCallerInfo(graphql);
      assert.deepEqual([version, tokensEnabled], [undefined, undefined]);
    });
  }

  for (const [what, answer] of [
    ['refuses', failing({ code: 403 })],
    ['fails', failing({ code: 500 })],
  ] as const) {
    test(`is unknown if the server ${what}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': answer });
      assert.deepEqual(await requestCallerInfo(graphql), {
        identity: undefined,
        version: undefined,
        tokensEnabled: undefined,
      });
    });
  }

  for (const [answer, kind] of [
    [failing({ code: 401 }), 'signedOut'],
    [failing({ code: 503 }), 'unavailable'],
    [failing({ code: 429 }), 'throttled'],
    [401, 'signedOut'],
    [403, 'refused'],
    [500, 'server'],
  ] as const) {
    test(`fails if every request would fail the same way: ${kind}, ${JSON.stringify(answer).slice(0, 60)}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': answer });
      const failure = await failureOf(requestCallerInfo(graphql));
      assert.deepEqual([failure.kind, failure.operation], [kind, 'me']);
    });
  }

  test('names the failed action if every caller is refused', async (context) => {
    const { graphql } = await answering(context, { 'me {': 403, getGrantedPrivileges: 403 });
    assert.match((await failureOf(requestCallerInfo(graphql))).message, /you aren't allowed to read your identity/);
    const failure = await failureOf(askCallerRights(graphql, ME, false));
    assert.deepEqual([failure.operation, failure.kind], ['getGrantedPrivileges', 'refused']);
    assert.match(failure.message, /you aren't allowed to read your privileges/);
  });

  test('does not hide a bug of the extension', async () => {
    const broken = new GraphQLEndpoint(transportAt('https://datahub.example.com'), () =>
      Promise.reject(new TypeError('x')),
    );
    await assert.rejects(requestCallerInfo(broken), TypeError);
  });
});

suite('The caller’s access', () => {
  const NOTHING: CallerRights = {
    manageServiceAccounts: undefined,
    truncate: false,
    readSizes: false,
    watchTasks: false,
  };

  for (const [privileges, rights] of [
    [[], NOTHING],
    [['SOMETHING_ELSE'], NOTHING],
    [['TRUNCATE_TIMESERIES_INDEX_PRIVILEGE'], { ...NOTHING, truncate: true }],
    [['GET_TIMESERIES_INDEX_SIZES_PRIVILEGE'], { ...NOTHING, readSizes: true }],
    [['GET_ES_TASK_STATUS_PRIVILEGE'], { ...NOTHING, watchTasks: true }],
    [['MANAGE_SYSTEM_OPERATIONS'], { ...NOTHING, readSizes: true, watchTasks: true }],
  ] as const) {
    test(`follows from ${privileges.join(', ') || 'no privilege'}`, async (context) => {
      const { graphql, server } = await answering(context, { getGrantedPrivileges: granted(...privileges) });
      assert.deepEqual(await askCallerRights(graphql, ME, false), rights);
      assert.deepEqual((JSON.parse(server.requests[0]?.body ?? '') as { variables: object }).variables, {
        actorUrn: ME,
      });
      assert.equal(server.requests.length, 1);
    });
  }

  test('is unknown if the server does not report it', async (context) => {
    const { graphql } = await answering(context, {});
    assert.deepEqual(await askCallerRights(graphql, ME, true), {
      manageServiceAccounts: undefined,
      truncate: undefined,
      readSizes: undefined,
      watchTasks: undefined,
    });
  });

  for (const manageServiceAccounts of [true, false]) {
    test(`with service accounts is requested if the server has them: ${manageServiceAccounts}`, async (context) => {
      const { graphql } = await answering(context, {
        'me {': { data: { me: { platformPrivileges: { manageServiceAccounts } } } },
      });
      assert.equal((await askCallerRights(graphql, ME, true)).manageServiceAccounts, manageServiceAccounts);
    });
  }
});
