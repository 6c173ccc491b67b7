import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { GraphQLEndpoint, type GraphQLData } from '../../../../src/service/http/graphql.ts';
import { complaintsOf } from '../../../../src/service/failure/graphqlFailure.ts';
import { ALWAYS, CREDENTIAL, failureOf, READING, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const DOCUMENT = 'query reading($id: String!) { thing(id: $id) { name } }';

interface Answering {
  readonly run: () => Promise<GraphQLData>;
  readonly make: () => Promise<GraphQLData>;
  readonly server: WireServer;
}

async function answering(context: TestContext, status: number, body: unknown): Promise<Answering> {
  const server = await wireServer(context, (_, response) => reply(response, status, body));
  const actor = { 'X-Service-Actor': 'urn:li:corpuser:jdoe' };
  const graphql = new GraphQLEndpoint(transportAt(server.url), () => Promise.resolve(actor));
  return {
    run: () => graphql.runQuery(READING, DOCUMENT, { id: '7' }),
    make: () => graphql.runMutation(READING, 'mutation make { make }', {}, ALWAYS),
    server,
  };
}

function error(message: string, extensions?: object, rest: object = { path: ['thing'] }): object {
  return { message, locations: [{ line: 1, column: 1 }], ...rest, ...(extensions === undefined ? {} : { extensions }) };
}

suite('A GraphQL request', () => {
  for (const status of [201, 203, 206]) {
    test(`accepts status ${status}, as from a proxy, because a new token is returned only once`, async (context) => {
      const { run } = await answering(context, status, { data: { thing: { name: 'a' } } });
      assert.deepEqual(await run(), { thing: { name: 'a' } });
    });
  }

  test('can be cancelled while it waits for the header’s name', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const graphql = new GraphQLEndpoint(transportAt(server.url), () => new Promise(() => undefined));
    const control = new AbortController();
    const work = graphql.runQuery(READING, DOCUMENT, {}, control.signal);
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.equal(server.requests.length, 0);
  });
});

suite('An error of GraphQL', () => {
  test('about a missing sign-in says whether a credential was sent', async (context) => {
    const { server, run } = await answering(context, 200, { errors: [error('no', { code: 401 })], data: null });
    assert.match((await failureOf(run())).message, /Access token rejected/);
    const signedOut = transportAt(server.url, { readSecrets: () => Promise.resolve({}) });
    const anonymous = new GraphQLEndpoint(signedOut, () => Promise.resolve({})).runQuery(READING, DOCUMENT, {});
    assert.match((await failureOf(anonymous)).message, /requires an access token/);
  });

  for (const [what, answer] of [
    ['some data, which counts as far as it goes', { data: { thing: null, other: 7 }, errors: [error('no')] }],
    ['no other error, even without a value', { data: { thing: null } }],
  ] as const) {
    test(`does not matter beside ${what}`, async (context) => {
      assert.deepEqual(await (await answering(context, 200, answer)).run(), answer.data);
    });
  }

  test('is read among the first few only', async (context) => {
    const errors = Array.from({ length: 30_000 }, () => ({ message: 'boom' }));
    const { make } = await answering(context, 200, { data: null, errors });
    assert.equal(complaintsOf(await failureOf(make())).length, 20);
  });
});

suite('An error about the document', () => {
  const wrong = error("Field 'thing' in type 'Query' is undefined", { classification: 'ValidationError' }, {});

  for (const status of [200, 400]) {
    test(`is recognized with status ${status}: nothing was executed`, async (context) => {
      const { run } = await answering(context, status, { errors: [wrong], data: null, extensions: {} });
      const failure = await failureOf(run());
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['invalidDocument', false]);
      assert.equal(complaintsOf(failure).length, 1);
      assert.match(failure.next ?? '', /^Test the connection/);
    });
  }

  test('is passed on verbatim for learning, up to 2,000 characters', async (context) => {
    const errors = [error(`Unknown type ${'x'.repeat(3_000)}`, {}, {}), error('Unknown type y', {}, {})];
    const { make } = await answering(context, 200, { errors, data: null });
    const failure = await failureOf(make());
    assert.equal(failure.kind, 'invalidDocument');
    assert.deepEqual(complaintsOf(failure), [`Unknown type ${'x'.repeat(1_987)}`, 'Unknown type y']);
  });

  test('is in no text, although what is learned from is unmasked', async (context) => {
    const errors = [error(`Unknown type "${CREDENTIAL}"`, {}, {})];
    const { run } = await answering(context, 200, { errors, data: null });
    const failure = await failureOf(run());
    assert.ok(complaintsOf(failure)[0]?.includes(CREDENTIAL));
    const texts = [JSON.stringify(failure), String(failure.stack), Object.values(failure).join()];
    assert.doesNotMatch(texts.join(), /eyJ/);
  });
});

suite('A response that is not GraphQL', () => {
  const NOT_AT_ALL = ['', '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>', '{"data":{"thing":'];
  const OTHER_SHAPES = ['{"value":7}', '[{"data":{}}]', '{"data":7}', '{"data":null}'];
  const WRONG_ERRORS = ['{"data":null,"errors":[null,7]}', '{"data":{"a":1},"errors":{"message":"no"}}'];
  const ERROR = '{"errors":[{"message":"boom"}],"data":null}';

  for (const [status, kind, bodies] of [
    [200, 'unexpectedAnswer', [...NOT_AT_ALL, ...OTHER_SHAPES, ...WRONG_ERRORS]],
    [400, 'badRequest', ['', 'null', '7', '{"value":7}', '{"errors":"no"}']],
    // What the status says counts, whatever the body is.
    [401, 'signedOut', ['', ERROR]],
    // A result that could not be written.
    [503, 'unavailable', ['']],
  ] as const) {
    for (const body of bodies) {
      test(`is ${kind} with status ${status}: ${body}`, async (context) => {
        const failure = await failureOf((await answering(context, status, body)).run());
        assert.deepEqual([failure.kind, failure.operation], [kind, 'reading']);
      });
    }
  }

  test('is quoted, and passed on up to 2,000 characters', async (context) => {
    const text = `{"value":"${'x'.repeat(3_000)}"}`;
    const { make } = await answering(context, 200, text);
    const failure = await failureOf(make());
    assert.ok(failure.serverText?.startsWith('{"value":"xxx'));
    assert.deepEqual(complaintsOf(failure), [text.slice(0, 2_000)]);
  });

  for (const body of [
    { data: { createAccessToken: { accessToken: 'opaque-new-token-0815' } }, errors: 'broken' },
    { data: 'opaque-new-token-0815' },
    { data: null, errors: 'opaque-new-token-0815' },
    { data: [7], errors: [] },
  ]) {
    test(`never reveals a new token in it: ${JSON.stringify(body)}`, async (context) => {
      const failure = await failureOf((await answering(context, 200, body)).run());
      assert.deepEqual([failure.kind, failure.serverText, failure.mayHaveActed], ['unexpectedAnswer', undefined, true]);
      assert.doesNotMatch(JSON.stringify(failure) + String(failure.stack), /opaque-new-token/);
      assert.equal(failure.cause, undefined);
    });
  }
});
