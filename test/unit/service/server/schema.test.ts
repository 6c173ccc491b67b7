import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { buildSchema, execute, parse, validate } from 'graphql';
import { GraphQL } from '../../../../src/service/graphql.ts';
import { askSchema } from '../../../../src/service/server/schema.ts';
import type { SchemaFacts } from '../../../../src/service/server/schema.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_TODAY, failureOf, transportAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';
import type { Answerer, WireServer } from '../wireServer.ts';

async function askedOf(
  context: TestContext,
  answer: Answerer,
): Promise<{ ask: () => Promise<SchemaFacts>; server: WireServer }> {
  const server = await wireServer(context, answer);
  const graphql = new GraphQL(transportAt(server.url), () => Promise.resolve({}));
  return { ask: () => askSchema(graphql), server };
}

/** A GraphQL server with that schema and no data, by the library that defines what validation says. */
function engine(text: string, introspection = true): Answerer {
  const schema = buildSchema(text);
  return async (request, response) => {
    const { query } = JSON.parse(request.body) as { query: string };
    const document = parse(query);
    if (!introspection && query.includes('__type(')) {
      reply(response, 200, {
        errors: [
          {
            message: 'Introspection has been disabled for this request',
            extensions: { classification: 'IntrospectionDisabled' },
          },
        ],
        data: null,
      });
      return;
    }
    const errors = validate(schema, document);
    reply(
      response,
      200,
      errors.length > 0 ? { errors: errors.map(({ message }) => ({ message })) } : await execute({ schema, document }),
    );
  };
}

const WITHOUT_INTROSPECTION: SchemaFacts = { ...SCHEMA_OF_0_14, durations: undefined };

suite('A server’s schema', () => {
  test('of today is told by introspection, in one request', async (context) => {
    const { ask, server } = await askedOf(context, engine(schemaText('next')));
    assert.deepEqual(await ask(), SCHEMA_OF_TODAY);
    assert.equal(server.requests.length, 1);
  });

  test('of 0.14 is told by introspection', async (context) => {
    const { ask } = await askedOf(context, engine(schemaText('0.14')));
    assert.deepEqual(await ask(), SCHEMA_OF_0_14);
  });

  test('of the interface description is told by introspection where that is allowed', async (context) => {
    const { ask } = await askedOf(context, engine(schemaText('spec')));
    const facts = await ask();
    assert.deepEqual(
      [facts.filterSpelling, facts.filterHasCondition, facts.createInputType],
      ['value', false, 'GetAccessTokenInput'],
    );
    assert.deepEqual(
      [facts.createTakesDescription, facts.createTakesDurationIso, facts.serviceAccounts],
      [false, false, false],
    );
    assert.deepEqual(facts.tokenFields, ['urn', 'id', 'actorUrn', 'name', 'description']);
  });

  test('is told by a type that is unknown where introspection is off', async (context) => {
    const { ask } = await askedOf(context, engine(schemaText('spec'), false));
    const facts = await ask();
    assert.deepEqual(facts, {
      ...WITHOUT_INTROSPECTION,
      createInputType: 'GetAccessTokenInput',
      createTakesDescription: false,
    });
  });

  test('is taken to be a real one where introspection is off and the type is known', async (context) => {
    const { ask } = await askedOf(context, engine(schemaText('0.14'), false));
    assert.deepEqual(await ask(), WITHOUT_INTROSPECTION);
  });

  test('is not made of names that the server made up', async (context) => {
    const { ask } = await askedOf(context, (_, response) =>
      reply(response, 200, {
        data: {
          create: { inputFields: [{ name: 'description' }] },
          filter: { inputFields: [{ name: 'value } evil' }] },
          token: { fields: [{ name: 'name' }, { name: 'secret { password }' }] },
          duration: { enumValues: [{ name: 'ONE_DAY' }, { name: ') evil' }] },
          kind: { enumValues: [{ name: 'SUPER_USER' }] },
        },
      }),
    );
    const facts = await ask();
    assert.deepEqual(facts.tokenFields, ['urn', 'id', 'actorUrn', 'name']);
    assert.deepEqual(facts.durations, ['ONE_DAY']);
    assert.equal(facts.serviceAccounts, false);
    assert.ok(!JSON.stringify(facts).includes('evil'));
  });

  for (const [what, status, body] of [
    ['forbids introspection', 200, { errors: [{ message: 'no', extensions: { code: 403 } }], data: null }],
    ['answers the question with a page', 200, '<html>blocked</html>'],
    ['answers the question with 400', 400, ''],
    ['answers with types that are none', 200, { data: { filter: 7, create: [] } }],
    ['answers with fields that are none', 200, { data: { filter: { inputFields: 7 } } }],
    [
      'answers with one type that is none',
      200,
      { data: { filter: { inputFields: [{ name: 'value' }] }, token: { fields: [{ name: 7 }] } } },
    ],
    [
      'answers with no types',
      200,
      { data: { create: null, specCreate: null, filter: null, token: null, duration: null, kind: null } },
    ],
  ] as const) {
    test(`is taken to be a real one where the server ${what}`, async (context) => {
      const { ask } = await askedOf(context, (_, response) => reply(response, status, body));
      assert.deepEqual(await ask(), WITHOUT_INTROSPECTION);
    });
  }

  for (const [status, kind] of [
    [401, 'signedOut'],
    [429, 'throttled'],
    [500, 'server'],
    [503, 'unavailable'],
  ] as const) {
    test(`is not decided by a server that answers ${status}`, async (context) => {
      const { ask, server } = await askedOf(context, (_, response) => reply(response, status, ''));
      assert.equal((await failureOf(ask())).kind, kind);
      assert.equal(server.requests.length, 1, 'it is not asked about a type as well');
    });

    test(`is not decided by a server that lets nobody introspect, then answers ${status}`, async (context) => {
      const { ask } = await askedOf(context, ({ body }, response) =>
        reply(response, body.includes('__type(') ? 400 : status, ''),
      );
      assert.equal((await failureOf(ask())).kind, kind);
    });
  }

  for (const [message, createInputType] of [
    ["Unknown type 'CreateAccessTokenInput'", 'GetAccessTokenInput'],
    ['Validation error (UnknownType) : CreateAccessTokenInput', 'GetAccessTokenInput'],
    ["Unknown type 'Query'", 'CreateAccessTokenInput'],
    ['Something about CreateAccessTokenInput', 'CreateAccessTokenInput'],
  ] as const) {
    test(`knows the input of a creation, or does not, where introspection is off: ${message}`, async (context) => {
      const { ask } = await askedOf(context, ({ body }, response) =>
        reply(
          response,
          body.includes('__type(') ? 400 : 200,
          body.includes('__type(')
            ? ''
            : { errors: [{ message, extensions: { classification: 'ValidationError' } }], data: null },
        ),
      );
      assert.equal((await ask()).createInputType, createInputType);
    });
  }

  const FILTER = { filter: { inputFields: [{ name: 'values' }] } };
  const NOTHING = { inputFields: null, fields: null, enumValues: null };

  test('may tell of types without telling what is in them', async (context) => {
    const types = { create: NOTHING, token: NOTHING, duration: NOTHING, kind: NOTHING, auth: NOTHING };
    const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: { ...FILTER, ...types } }));
    const { tokenFields, durations, serviceAccounts, createInputType, createTakesDescription, tellsDurationPolicy } =
      await ask();
    assert.deepEqual(
      [durations, serviceAccounts, createInputType, createTakesDescription, tellsDurationPolicy],
      [undefined, false, 'CreateAccessTokenInput', false, false],
    );
    assert.deepEqual(tokenFields, SCHEMA_OF_TODAY.tokenFields);
  });

  test('without a filter that can be read is taken to be a real one', async (context) => {
    const { ask } = await askedOf(context, (_, response) =>
      reply(response, 200, { data: { filter: NOTHING, create: null } }),
    );
    assert.deepEqual(await ask(), WITHOUT_INTROSPECTION);
  });

  test('of the interface description may take descriptions too', async (context) => {
    const specCreate = { inputFields: [{ name: 'description' }] };
    const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: { ...FILTER, specCreate } }));
    const { createInputType, createTakesDescription, createTakesDurationIso, serviceAccounts } = await ask();
    assert.deepEqual(
      [createInputType, createTakesDescription, createTakesDurationIso, serviceAccounts],
      ['GetAccessTokenInput', true, false, false],
    );
  });

  test('without an input for creations takes nothing beside what it has to', async (context) => {
    const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: FILTER }));
    const { createTakesDescription, createTakesDurationIso } = await ask();
    assert.deepEqual([createTakesDescription, createTakesDurationIso], [false, false]);
  });

  test('that may not be read says what could not be done', async (context) => {
    const { ask } = await askedOf(context, (_, response) => reply(response, 401, ''));
    assert.equal((await failureOf(ask())).operation, 'schema');
  });
});
