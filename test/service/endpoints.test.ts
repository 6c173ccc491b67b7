import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request } from 'node:https';
import { testAuthority, testCertificate } from './certificates.ts';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument } from './tokenDocuments.ts';

describe('GraphQL over HTTP', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: 'next', tokens: 0, rows: 16 });
    admin = new TestClient(service, 'admin');
  });
  after(() => service.close());

  test('a body that the engine cannot take gets 400 and no text, no token 401', async () => {
    for (const body of ['{"query":"{ me { corpUser { urn } } }","variables":{}}}', '{"variables":{}}', '[]']) {
      const answer = await admin.send('POST', '/api/graphql', body);
      assert.deepEqual([answer.status, answer.text], [400, ''], body);
    }
    assert.equal((await fetch(`${service.url}/api/graphql`, { method: 'POST', body: '{}' })).status, 401);
  });

  test("everything else gets 200, errors in the servers' words, and empty extensions", async () => {
    const wrong = await admin.send(
      'POST',
      '/api/graphql',
      '{"query":"{ createAccessToken(input: {type: PERSONAL}) { accessToken } }"}',
      {
        accept: 'application/graphql-response+json',
      },
    );
    assert.equal(wrong.status, 200);
    assert.equal(wrong.headers.get('content-type'), 'application/json;charset=utf-8');
    assert.equal(
      wrong.text,
      '{"errors":[{"message":"Validation error (FieldUndefined@[createAccessToken]) : ' +
        `Field 'createAccessToken' in type 'Query' is undefined",` +
        '"locations":[{"line":1,"column":3}],"extensions":{"classification":"ValidationError"}}],"data":null,"extensions":{}}',
    );
  });

  test('reports mistakes in a document and in its variables', async () => {
    const input = { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:admin', duration: 'ONE_DAY', name: 'x' };
    const message = async (query: string, variables: object = {}): Promise<unknown> =>
      dig((await admin.graphql(query, variables)).body, 'errors', 0, 'message');
    assert.equal(
      await message(createDocument.replace('CreateAccessTokenInput', 'GetAccessTokenInput'), { input }),
      "Validation error (VariableTypeMismatch@[createAccessToken]) : Variable 'input' of type 'GetAccessTokenInput!' " +
        "used in position expecting type 'CreateAccessTokenInput!'",
    );
    assert.equal(
      await message(createDocument, { input: { ...input, colour: 'red' } }),
      "The variables input contains a field name 'colour' that is not defined for input object type 'CreateAccessTokenInput' ",
    );
    assert.equal(
      await message(createDocument, { input: { ...input, duration: 'TWO_WEEKS' } }),
      "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'TWO_WEEKS'",
    );
    assert.equal(
      await message(createDocument),
      "Variable 'input' has an invalid value: Variable 'input' has coerced Null value for NonNull type 'CreateAccessTokenInput!'",
    );
    assert.equal(await message('{ me { }'), "Invalid syntax with offending token '}' at line 1 column 8");
    assert.equal(
      await message('mutation { revokeAccessToken }'),
      "Validation error (MissingFieldArgument@[revokeAccessToken]) : Missing field argument 'tokenId'",
    );
    assert.equal(
      await message('{ me { corpUser } }'),
      "Validation error (SubselectionRequired@[me/corpUser]) : Subselection required for type 'CorpUser!' of field 'corpUser'",
    );
  });

  test('returns the signed-in user and her privileges', async () => {
    const query = `query($who: GetGrantedPrivilegesInput!) {
      me { corpUser { urn username } platformPrivileges { generatePersonalAccessTokens manageTokens manageServiceAccounts } }
      getGrantedPrivileges(input: $who) { privileges }
    }`;
    const who = { actorUrn: service.users.truncator.urn };
    const own = (await new TestClient(service, 'truncator').graphql(query, { who })).body;
    assert.deepEqual(dig(own, 'data'), {
      me: {
        corpUser: { urn: 'urn:li:corpuser:truncator', username: 'truncator' },
        platformPrivileges: { generatePersonalAccessTokens: false, manageTokens: false, manageServiceAccounts: false },
      },
      getGrantedPrivileges: { privileges: ['TRUNCATE_TIMESERIES_INDEX_PRIVILEGE'] },
    });
    const steward = (await new TestClient(service, 'steward').graphql(query, { who })).body;
    assert.equal(
      dig(steward, 'data', 'me', 'platformPrivileges', 'generatePersonalAccessTokens'),
      true,
      'managing includes generating',
    );
  });

  const ten = `{ ${Array.from({ length: 10 }, (_, index) => `t${index}: __type(name: "Query") { name }`).join(' ')} }`;

  for (const [profile, query, classification] of [
    ['0.14', ten, undefined],
    ['1.6', ten, 'BadFaithIntrospection'],
    ['1.6', '{ a: __schema { types { name } } b: __schema { types { name } } }', 'BadFaithIntrospection'],
    ['1.6', '{ __schema { types { name a: fields { name } b: fields { name } } } }', 'BadFaithIntrospection'],
    ['1.6', '{ __schema { queryType { name } } __type(name: "Query") { fields { name } } }', undefined],
    ['1.6', 'query a { __type(name: "Query") { name } } query b { __type(name: "Query") { name } }', undefined],
    ['1.6', `{ nope ${ten.slice(1)}`, 'ValidationError'],
  ] as const) {
    test(`answers introspection, or refuses it as in bad faith: ${profile}, ${query.slice(0, 60)}`, async (t) => {
      const open = await serviceFor(t, { profile, authentication: true });
      const body = JSON.stringify({ query, operationName: query.startsWith('query a') ? 'a' : undefined });
      const { errors = [] } = (await new TestClient(open, 'admin').send('POST', '/api/graphql', body)).body as {
        errors?: { extensions: { classification: string } }[];
      };
      assert.deepEqual(
        errors.map(({ extensions }) => extensions.classification),
        classification === undefined ? [] : [classification],
      );
    });
  }

  for (const [profile, classification] of [
    ['spec', 'IntrospectionDisabled'],
    ['1.6', 'ValidationError'],
  ] as const) {
    test(`may refuse introspection: ${profile}`, async (t) => {
      const shut = await serviceFor(t, { profile, introspection: false });
      const { body } = await new TestClient(shut, 'admin').graphql('{ __type(name: "FacetFilterInput") { name } }');
      assert.equal(dig(body, 'errors', 0, 'extensions', 'classification'), classification);
    });
  }
});

describe('the other documents', () => {
  for (const [profile, version] of [
    ['0.14', 'v0.14.0'],
    ['1.6', 'v1.6.0.16rc6'],
    ['1.7', 'v1.7.0.1'],
    ['next', 'v1.7.1-SNAPSHOT'],
  ] as const) {
    test(`/config and /health of ${profile} need no token`, async (t) => {
      const service = await serviceFor(t, { profile, authentication: true });
      const config: unknown = await (await fetch(`${service.url}/config`)).json();
      assert.equal(dig(config, 'noCode'), 'true');
      assert.equal(dig(config, 'versions', 'acryldata/datahub', 'version'), version);
      const health = await fetch(`${service.url}/health`);
      assert.deepEqual([health.status, await health.text()], [200, '']);
    });
  }
});

describe('the front proxy', () => {
  test('renames paths, drops the actor header and passes a token on', async (t) => {
    const service = await serviceFor(t, { profile: '0.14', frontAuthentication: true });
    const front = new TestClient(service, 'analyst', 'front');
    const query = JSON.stringify({ query: '{ me { corpUser { urn } } }' });
    const header = { 'X-DataHub-Actor': service.users.analyst.urn };
    for (const path of ['/api/graphql', '/api/v2/graphql', '/api/gms/api/graphql']) {
      const { body } = await front.send('POST', path, query, header);
      assert.equal(dig(body, 'data', 'me', 'corpUser', 'urn'), 'urn:li:corpuser:__datahub_system', path);
    }
    assert.equal((await front.operation('getIndexSizes')).status, 200);
    assert.equal(dig((await front.send('GET', '/api/gms/config')).body, 'noCode'), 'true');
    assert.equal(dig((await front.send('GET', '/config')).body, 'config', 'application'), 'datahub-frontend');
    assert.equal((await front.send('GET', '/admin')).text, 'GOOD');
    assert.equal((await front.send('GET', '/openapi/operations/elasticSearch/getIndexSizes')).status, 200);
    assert.equal((await front.send('POST', '/operations?action=getIndexSizes')).status, 404);
  });

  test('without a token, or with its own authentication off, it answers 401 without a body', async (t) => {
    const service = await serviceFor(t, { profile: 'next', frontAuthentication: false });
    const refused = await new TestClient(service, 'admin', 'front').graphql('{ __typename }');
    assert.deepEqual([refused.status, refused.text], [401, '']);
    const open = await serviceFor(t, { profile: 'next' });
    assert.equal((await fetch(`${open.frontUrl}/api/gms/operations`, { method: 'POST' })).status, 401);
    assert.equal((await new TestClient(open, 'admin', 'front').graphql('{ __typename }')).status, 200);
  });
});

describe('HTTPS', () => {
  /**
   * Error code of a GET, or its status. Uses the plain client because `fetch` can't be given a certificate authority.
   */
  function get(url: string, ca: string | undefined): Promise<string | number | undefined> {
    return new Promise((resolve) => {
      const call = request(`${url}/health`, ca === undefined ? {} : { ca }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      call.end();
    });
  }

  for (const [kind, expected] of [
    ['loopback', 200],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['other-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    test(`judges a certificate of the kind "${kind}"`, async (t) => {
      const service = await serviceFor(t, { profile: 'next', tls: testCertificate(kind) });
      assert.match(service.url, /^https:/);
      assert.equal(await get(service.url, testAuthority()), expected);
    });
  }

  test('fails with an unknown authority', async (t) => {
    const service = await serviceFor(t, { profile: 'next', tls: testCertificate('loopback') });
    assert.equal(await get(service.url, undefined), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});
