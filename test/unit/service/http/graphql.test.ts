import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { GraphQLEndpoint, type GraphQLData } from '../../../../src/service/http/graphql.ts';
import { InvalidDocumentFailure } from '../../../../src/service/failure/graphqlFailure.ts';
import { ALWAYS, CREDENTIAL, failureOf, READING, transportAt } from '../clients.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

const DOCUMENT = 'query reading($id: String!) { thing(id: $id) { name } }';
const UNAUTHORIZED = 'Unauthorized to perform this action. Please contact your DataHub administrator.';

async function answering(
  context: TestContext,
  status: number,
  body: unknown,
  signedIn = true,
): Promise<{
  run: (signal?: AbortSignal) => Promise<GraphQLData>;
  make: () => Promise<GraphQLData>;
  server: WireServer;
  heard: readonly string[];
}> {
  const server = await wireServer(context, (_, response) => reply(response, status, body));
  const transport = transportAt(server.url, {
    readSecrets: () => Promise.resolve({ token: signedIn ? CREDENTIAL : undefined }),
  });
  const graphql = new GraphQLEndpoint(transport, () => Promise.resolve({ 'X-Service-Actor': 'urn:li:corpuser:jdoe' }));
  const heard: string[] = [];
  const hear = (complaints: readonly string[]): unknown => heard.push(...complaints);
  return {
    run: (signal) => graphql.runQuery({ ...READING, privilege: 'Some Privilege' }, DOCUMENT, { id: '7' }, signal),
    make: () => graphql.runMutation(READING, 'mutation make { make }', {}, ALWAYS, hear),
    server,
    heard,
  };
}

function error(message: string, extensions?: object, rest: object = { path: ['thing'] }): object {
  return { message, locations: [{ line: 1, column: 1 }], ...rest, ...(extensions === undefined ? {} : { extensions }) };
}

suite('A GraphQL request', () => {
  test('is one POST of document and variables, with the caller and the credential', async (context) => {
    const { run, server } = await answering(context, 200, { data: { thing: { name: 'a' } }, extensions: {} });
    assert.deepEqual(await run(), { thing: { name: 'a' } });
    assert.equal(server.requests.length, 1);
    const [seen] = server.requests;
    assert.deepEqual([seen?.method, seen?.path], ['POST', '/api/graphql']);
    assert.deepEqual(JSON.parse(seen?.body ?? ''), {
      query: DOCUMENT,
      variables: { id: '7' },
      operationName: 'reading',
    });
    assert.equal(seen?.headers['x-service-actor'], 'urn:li:corpuser:jdoe');
    assert.equal(seen.headers.authorization, `Bearer ${CREDENTIAL}`);
  });

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
  for (const [what, message, extensions, kind, mayHaveActed, transient] of [
    [
      'a missing privilege',
      UNAUTHORIZED,
      { code: 403, type: 'UNAUTHORIZED', classification: 'DataFetchingException' },
      'refused',
      false,
      false,
    ],
    ['a missing privilege, by type alone', UNAUTHORIZED, { type: 'UNAUTHORIZED' }, 'refused', false, false],
    ['a missing privilege, of another engine', 'no', { code: 'FORBIDDEN' }, 'refused', false, false],
    ['nobody being signed in', 'no', { code: 'UNAUTHENTICATED' }, 'signedOut', false, false],
    [
      'bad input',
      'Access token duration is not allowed',
      { code: 400, type: 'BAD_REQUEST' },
      'badRequest',
      false,
      false,
    ],
    ['nothing found', 'no', { code: 404, type: 'NOT_FOUND' }, 'notFound', false, false],
    ['a conflict', 'no', { code: 409, type: 'CONFLICT' }, 'badRequest', false, false],
    ['a server not ready', 'no', { code: 503, type: 'SERVICE_UNAVAILABLE' }, 'unavailable', true, true],
    ['a server too slow', 'no', { code: 504, type: 'DEADLINE_EXCEEDED' }, 'unavailable', true, true],
    [
      'a server error',
      'An unknown error occurred.',
      { code: 500, type: 'SERVER_ERROR', classification: 'DataFetchingException' },
      'server',
      true,
      false,
    ],
    [
      'an invalid null',
      "The field at path '/thing' was declared as a non null type",
      { classification: 'NullValueInNonNullableField' },
      'server',
      true,
      false,
    ],
    ['something without a code', 'boom', undefined, 'server', true, false],
    [
      'something with strange codes',
      'boom',
      { code: { a: 1 }, type: [403], classification: null },
      'server',
      true,
      false,
    ],
  ] as const) {
    test(`about ${what} is ${kind}, although the status is 200`, async (context) => {
      const { run } = await answering(context, 200, {
        errors: [error(message, extensions)],
        data: null,
        extensions: {},
      });
      const failure = await failureOf(run());
      assert.deepEqual([failure.kind, failure.mayHaveActed, failure.transient], [kind, mayHaveActed, transient]);
      assert.equal(failure.status, failure.kind === 'signedOut' ? 401 : 200);
      assert.equal(failure.serverText, message);
    });
  }

  test('about a missing sign-in says whether a credential was sent', async (context) => {
    const response = { errors: [error('no', { code: 401 })], data: null };
    assert.match((await failureOf((await answering(context, 200, response)).run())).message, /Access token rejected/);
    const anonymous = await answering(context, 200, response, false);
    assert.match((await failureOf(anonymous.run())).message, /requires an access token/);
  });

  test('to a mutation is passed on verbatim for learning, up to 2,000 characters', async (context) => {
    const { make, heard } = await answering(context, 200, {
      errors: [error(`Unknown type ${'x'.repeat(3_000)}`, undefined, {}), error('Unknown type y', undefined, {})],
      data: null,
    });
    const failure = await failureOf(make());
    assert.deepEqual(heard, [`Unknown type ${'x'.repeat(1_987)}`, 'Unknown type y']);
    assert.ok(failure instanceof InvalidDocumentFailure);
    assert.deepEqual(failure.complaints, heard);
  });

  test('about a missing privilege names it', async (context) => {
    const { run } = await answering(context, 200, {
      errors: [error(UNAUTHORIZED, { code: 403 })],
      data: { thing: null },
    });
    assert.match((await failureOf(run())).next ?? '', /Some Privilege/);
  });

  for (const [engine, wrong] of Object.entries({
    'graphql-java': error(
      "Validation error (FieldUndefined@[thing]) : Field 'thing' in type 'Query' is undefined",
      { classification: 'ValidationError' },
      {},
    ),
    'graphql-java, of a variable': error(
      "Variable 'id' has coerced Null value for NonNull type 'String!'",
      { classification: 'ValidationError' },
      {},
    ),
    'graphql-java, of syntax': error(
      "Invalid syntax with offending token '}'",
      { classification: 'InvalidSyntax' },
      {},
    ),
    'GraphQL.js': error('Cannot query field "thing" on type "Query".', undefined, {}),
    'GraphQL.js with a code': error('Something', { code: 'GRAPHQL_VALIDATION_FAILED' }, {}),
    'one without introspection': error(
      'Introspection has been disabled for this request',
      { classification: 'IntrospectionDisabled' },
      {},
    ),
  })) {
    for (const status of [200, 400]) {
      test(`about a rejected document is recognized: ${engine}, status ${status}`, async (context) => {
        const { run } = await answering(context, status, { errors: [wrong], data: null, extensions: {} });
        const failure = await failureOf(run());
        assert.ok(failure instanceof InvalidDocumentFailure);
        assert.equal(failure.mayHaveActed, false, 'nothing was executed');
        assert.equal(failure.complaints.length, 1);
      });
    }
  }

  test('during execution does not count as a complaint about the document, whatever it says', async (context) => {
    const { run } = await answering(context, 200, {
      errors: [error('Field "thing" broke while it was made', { classification: 'ValidationError' })],
      data: { thing: null },
    });
    const failure = await failureOf(run());
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['server', true]);
  });

  test('comes first if it concerns the caller, not one field', async (context) => {
    const errors = [error('boom', { code: 500 }), error('no', { code: 403 })];
    const { run } = await answering(context, 200, { errors, data: { thing: null, other: null } });
    assert.equal((await failureOf(run())).kind, 'refused');
  });

  test("keeps the server's complaints out of every text", async (context) => {
    const { run } = await answering(context, 200, {
      errors: [error(`Unknown type "${CREDENTIAL}"`, undefined, {})],
      data: null,
    });
    const failure = await failureOf(run());
    assert.ok(
      failure instanceof InvalidDocumentFailure && failure.complaints[0]?.includes(CREDENTIAL),
      'what is learned from is unmasked',
    );
    assert.ok(
      !JSON.stringify(failure).includes('eyJ') &&
        !String(failure.stack).includes('eyJ') &&
        !Object.values(failure).join().includes('eyJ'),
    );
  });
});

suite('Partial data', () => {
  test('is returned as far as it goes', async (context) => {
    const { run } = await answering(context, 200, {
      data: { thing: null, other: 7 },
      errors: [error('no', { code: 403 })],
    });
    assert.deepEqual(await run(), { thing: null, other: 7 });
  });

  test('without errors is valid, even if it is null', async (context) => {
    const { run } = await answering(context, 200, { data: { thing: null } });
    assert.deepEqual(await run(), { thing: null });
  });
});

suite('A response that is not GraphQL', () => {
  for (const [what, status, body, kind] of [
    ['a sign-in page', 200, '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>', 'unexpectedAnswer'],
    ['nothing', 200, '', 'unexpectedAnswer'],
    ['half a response', 200, '{"data":{"thing":', 'unexpectedAnswer'],
    ['another object', 200, '{"value":7}', 'unexpectedAnswer'],
    ['a list', 200, '[{"data":{}}]', 'unexpectedAnswer'],
    ['invalid data', 200, '{"data":7}', 'unexpectedAnswer'],
    ['neither data nor errors', 200, '{"data":null}', 'unexpectedAnswer'],
    ['invalid errors', 200, '{"data":null,"errors":[null,7,"x"]}', 'unexpectedAnswer'],
    ['errors outside a list', 200, '{"data":{"thing":1},"errors":{"message":"no"}}', 'unexpectedAnswer'],
    ['an empty refusal', 400, '', 'badRequest'],
    ['a null refusal', 400, 'null', 'badRequest'],
    ['a numeric refusal', 400, '7', 'badRequest'],
    ['a refusal by another object', 400, '{"value":7}', 'badRequest'],
    ['a refusal with invalid errors', 400, '{"errors":"no"}', 'badRequest'],
    ['a refusal with a response in it', 403, '{"errors":[{"message":"boom"}],"data":null}', 'refused'],
    ['a result that could not be written', 503, '', 'unavailable'],
    ['a missing sign-in', 401, '', 'signedOut'],
    ['a failure with a response in it', 500, '{"errors":[{"message":"boom"}]}', 'server'],
  ] as const) {
    test(`is ${kind}: ${what}`, async (context) => {
      const { run } = await answering(context, status, body);
      const failure = await failureOf(run());
      assert.equal(failure.kind, kind);
      assert.equal(failure.operation, 'reading');
    });
  }

  test('is quoted, and passed on up to 2,000 characters', async (context) => {
    const text = `{"value":"${'x'.repeat(3_000)}"}`;
    const { make, heard } = await answering(context, 200, text);
    assert.ok((await failureOf(make())).serverText?.startsWith('{"value":"xxx'));
    assert.deepEqual(heard, [text.slice(0, 2_000)]);
  });

  test('never reveals a new token in it', async (context) => {
    const { run } = await answering(context, 200, {
      data: { createAccessToken: { accessToken: 'opaque-new-token-0815' } },
      errors: 'broken',
    });
    const failure = await failureOf(run());
    assert.ok(!JSON.stringify(failure).includes('opaque-new-token'));
    assert.ok(!String(failure.stack).includes('opaque-new-token') && failure.cause === undefined);
  });

  for (const body of [
    { data: 'opaque-new-token-0815' },
    { data: null, errors: 'opaque-new-token-0815' },
    { data: [7], errors: [] },
  ]) {
    test(`is reported without the GraphQL client's own words: ${JSON.stringify(body)}`, async (context) => {
      const { run } = await answering(context, 200, body);
      const failure = await failureOf(run());
      assert.deepEqual([failure.kind, failure.serverText, failure.mayHaveActed], ['unexpectedAnswer', undefined, true]);
    });
  }

  test('with very many errors is read for the first few only', async (context) => {
    const errors = Array.from({ length: 30_000 }, () => ({ message: 'boom' }));
    const { make, heard } = await answering(context, 200, { data: { other: 1, thing: null }, errors });
    await make();
    assert.equal(heard.length, 20);
  });
});
