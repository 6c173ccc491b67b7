import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { GraphQLEndpoint } from '../../../../src/service/http/graphql.ts';
import { askCallerRights, askTokenOwner, requestCallerInfo } from '../../../../src/service/server/callerRights.ts';
import { CREDENTIAL, failureOf, ME, transportAt } from '../clients.ts';
import { invalid, refusal } from '../tokenServer.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const PRIVILEGES = { generatePersonalAccessTokens: false, manageTokens: false };

type Answers = Readonly<Record<string, object | number>>;

interface Asked {
  readonly graphql: GraphQLEndpoint;
  readonly server: WireServer;
}

/** A server with a response for each question, recognized by its text. The first match counts. */
async function answering(context: TestContext, answers: Answers): Promise<Asked> {
  const server = await wireServer(context, ({ body }, response) => {
    const { query } = JSON.parse(body) as { query: string };
    const answer = Object.entries(answers).find(([word]) => query.includes(word))?.[1] ?? invalid('x');
    return typeof answer === 'number'
      ? reply(response, answer, answer === 403 ? { message: 'no', status: 403 } : '')
      : reply(response, 200, answer);
  });
  return { graphql: new GraphQLEndpoint(transportAt(server.url), () => Promise.resolve({})), server };
}

function meOf(urn: string, platformPrivileges: object = PRIVILEGES): object {
  return { data: { me: { corpUser: { urn }, platformPrivileges } } };
}

suite('The owner of a token', () => {
  const both = (urn: string, tokenAuthEnabled: boolean): object => ({
    data: {
      me: { corpUser: { urn }, platformPrivileges: PRIVILEGES },
      appConfig: { appVersion: 'v1', authConfig: { tokenAuthEnabled } },
    },
  });

  for (const [what, answers, owner] of [
    ['that checks tokens', { 'me {': both(ME, true) }, ME],
    ['that doesn’t say whether it checks tokens', { 'me {': meOf(ME) }, ME],
    ['that takes any caller for the system', { 'me {': both('urn:li:corpuser:__datahub_system', false) }, undefined],
    ['that doesn’t say', {}, undefined],
    ['that names no user', { 'me {': both('urn:li:corpGroup:admins', true) }, undefined],
  ] as const satisfies readonly (readonly [string, Answers, string | undefined])[]) {
    test(`is ${owner === undefined ? 'unknown' : 'known'} from a server ${what}`, async (context) => {
      const { server } = await answering(context, answers);
      assert.equal(await askTokenOwner(transportAt(server.url)), owner);
      // The header would be believed where tokens aren't checked.
      assert.ok(server.requests.every(({ headers }) => !Object.keys(headers).some((name) => name.endsWith('-actor'))));
    });
  }
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
      const { graphql } = await answering(context, { 'me {': meOf(urn) });
      assert.equal((await requestCallerInfo(graphql)).identity?.actorUrn, known ? urn : undefined);
    });
  }

  for (const [privileges, generate] of [
    [PRIVILEGES, false],
    [{ ...PRIVILEGES, generatePersonalAccessTokens: true }, true],
    [{ ...PRIVILEGES, manageTokens: true }, true],
  ] as const) {
    test(`comes with the caller's rights: ${JSON.stringify(privileges)}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': meOf(ME, privileges) });
      const { identity } = await requestCallerInfo(graphql);
      assert.equal(identity?.mayGenerateTokens, generate);
    });
  }

  for (const [what, answer] of [
    ['an empty version', { data: { me: null, appConfig: { appVersion: '' } } }],
    ['a version of white space', { data: { me: null, appConfig: { appVersion: ' \n ' } } }],
    ['null', { data: { me: null, appConfig: { appVersion: null } } }],
    ['a refusal', refusal(403)],
    ['a failure', refusal(500)],
  ] as const) {
    test(`is unknown if the server answers with ${what}`, async (context) => {
      const { graphql } = await answering(context, { 'me {': answer });
      const unknown = { identity: undefined, version: undefined, tokensEnabled: undefined };
      assert.deepEqual(await requestCallerInfo(graphql), unknown);
    });
  }

  for (const [answer, kind] of [
    [refusal(401), 'signedOut'],
    [refusal(503), 'unavailable'],
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
});

suite('The caller’s access', () => {
  const NOTHING = { truncate: false, readSizes: false, watchTasks: false, manageServiceAccounts: false };

  for (const [privilege, rights] of [
    ['SOMETHING_ELSE', NOTHING],
    ['TRUNCATE_TIMESERIES_INDEX_PRIVILEGE', { ...NOTHING, truncate: true }],
    ['GET_TIMESERIES_INDEX_SIZES_PRIVILEGE', { ...NOTHING, readSizes: true }],
    ['GET_ES_TASK_STATUS_PRIVILEGE', { ...NOTHING, watchTasks: true }],
    ['MANAGE_SERVICE_ACCOUNTS', { ...NOTHING, manageServiceAccounts: true }],
    ['MANAGE_SYSTEM_OPERATIONS', { ...NOTHING, readSizes: true, watchTasks: true }],
  ] as const) {
    test(`follows from ${privilege}`, async (context) => {
      const granted = { data: { getGrantedPrivileges: { privileges: [privilege] } } };
      const { graphql, server } = await answering(context, { getGrantedPrivileges: granted });
      assert.deepEqual(await askCallerRights(graphql, ME), rights);
      const { variables } = JSON.parse(server.requests[0]?.body ?? '') as { variables: object };
      assert.deepEqual([variables, server.requests.length], [{ actorUrn: ME }, 1]);
    });
  }

  test('is unknown if the server does not report it', async (context) => {
    const { graphql } = await answering(context, {});
    assert.deepEqual(Object.values(await askCallerRights(graphql, ME)), [undefined, undefined, undefined, undefined]);
  });
});
