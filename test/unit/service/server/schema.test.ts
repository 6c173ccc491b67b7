import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { buildSchema, execute, parse, validate } from 'graphql';
import { FACTS } from '../../../../src/service/server/facts.ts';
import { KnownServer } from '../../../../src/service/server/knownServer.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import {
  failureOf,
  recordedPauses,
  SCHEMA_OF_0_14,
  SCHEMA_OF_1_6,
  SCHEMA_OF_SPEC,
  SCHEMA_OF_TODAY,
  transportAt,
  typeAnswer,
  type SchemaFacts,
} from '../clients.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

type SchemaFactName = keyof SchemaFacts;
const NAMES = Object.keys(SCHEMA_OF_TODAY) as SchemaFactName[];

interface AskedSchema {
  /** Asks for every fact, one after the other. Undefined: the server does not say. */
  readonly askAll: () => Promise<Partial<SchemaFacts>>;
  readonly ask: <Name extends SchemaFactName>(name: Name) => Promise<SchemaFacts[Name] | undefined>;
  readonly server: WireServer;
}

async function askedOf(context: TestContext, answer: Answerer): Promise<AskedSchema> {
  const server = await wireServer(context, answer);
  const options = { actorUrn: undefined, product: undefined };
  const knownServer = new KnownServer(transportAt(server.url), options, recordedPauses().pause);
  const ask: AskedSchema['ask'] = async (name) => {
    await knownServer.fact(name);
    return knownServer.known[name];
  };
  return {
    ask,
    askAll: async () => {
      const facts: Partial<Record<SchemaFactName, unknown>> = {};
      for (const name of NAMES) {
        facts[name] = await ask(name);
      }
      return facts as Partial<SchemaFacts>;
    },
    server,
  };
}

/** A GraphQL server with that schema and no data, on the reference implementation. */
function graphqlServer(text: string, introspection = true): Answerer {
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

const NOTHING_TOLD = Object.fromEntries(NAMES.map((name) => [name, undefined]));

suite('A server’s schema', () => {
  test('of today is read by introspection, one type a request', async (context) => {
    const { askAll, server } = await askedOf(context, graphqlServer(schemaText('next')));
    assert.deepEqual(await askAll(), SCHEMA_OF_TODAY);
    assert.equal(server.requests.length, NAMES.length);
    assert.ok(server.requests.every(({ body }) => body.match(/__type\(/g)?.length === 1));
  });

  for (const [profile, facts] of [
    ['0.14', SCHEMA_OF_0_14],
    ['1.6', SCHEMA_OF_1_6],
  ] as const) {
    test(`of ${profile} is read by introspection`, async (context) => {
      const { askAll } = await askedOf(context, graphqlServer(schemaText(profile)));
      assert.deepEqual(await askAll(), facts);
    });
  }

  test('of the interface description is read by introspection if that is allowed', async (context) => {
    const { askAll } = await askedOf(context, graphqlServer(schemaText('spec')));
    assert.deepEqual(await askAll(), {
      ...SCHEMA_OF_SPEC,
      tokenFields: ['urn', 'id', 'actorUrn', 'name', 'description'],
    });
  });

  test('is recognized by an unknown type if introspection is off', async (context) => {
    const { askAll } = await askedOf(context, graphqlServer(schemaText('spec'), false));
    assert.deepEqual(await askAll(), { ...NOTHING_TOLD, creation: SCHEMA_OF_SPEC.creation });
  });

  test('stays undefined if introspection is off and the type is known', async (context) => {
    const { askAll } = await askedOf(context, graphqlServer(schemaText('0.14'), false));
    assert.deepEqual(await askAll(), NOTHING_TOLD);
  });

  test('is assumed to be that of 0.14, without a word of what came later', () => {
    const assumed = Object.fromEntries(NAMES.map((name) => [name, FACTS[name].assumed]));
    assert.deepEqual(assumed, SCHEMA_OF_0_14);
  });

  test('does not have made-up names from the server', async (context) => {
    const { askAll } = await askedOf(context, ({ body }, response) => {
      const part = /\{ (\w+) \{ name/.exec(body)?.[1] as 'fields';
      reply(response, 200, typeAnswer(part, ['value } evil', 'name', 'secret { password }', 'ONE_DAY', ') evil']));
    });
    const facts = await askAll();
    assert.deepEqual(facts, {
      filter: undefined,
      tokenFields: ['urn', 'id', 'actorUrn', 'name'],
      creation: { ...SCHEMA_OF_1_6.creation, takesDescription: false },
      durations: ['ONE_DAY'],
      tellsDurationPolicy: false,
      serviceAccountFields: ['name'],
    });
    assert.ok(!JSON.stringify(facts).includes('evil'));
  });

  for (const [what, status, body] of [
    ['forbids introspection', 200, { errors: [{ message: 'no', extensions: { code: 403 } }], data: null }],
    [
      'takes the question for one in bad faith',
      200,
      {
        errors: [
          {
            message: 'This request is not asking for introspection in good faith - Query.__type is present too often!',
            extensions: { classification: 'BadFaithIntrospection' },
          },
        ],
        data: null,
      },
    ],
    [
      'has switched introspection off',
      200,
      {
        errors: [
          {
            message: "Validation error (FieldUndefined@[__type/fields]) : Field 'fields' in type '__Type' is undefined",
            extensions: { classification: 'ValidationError' },
          },
        ],
        data: null,
      },
    ],
    ['answers the question with a page', 200, '<html>blocked</html>'],
    ['answers the question with 400', 400, ''],
    ['answers with another shape', 200, { data: { type: 7 } }],
    ['answers with invalid names', 200, { data: { type: { fields: 7, inputFields: [{ name: 7 }], enumValues: {} } } }],
    ['answers with a type of another kind', 200, { data: { type: { fields: null, inputFields: null } } }],
  ] as const) {
    test(`stays undefined if the server ${what}`, async (context) => {
      const { askAll } = await askedOf(context, (_, response) => reply(response, status, body));
      assert.deepEqual(await askAll(), NOTHING_TOLD);
    });
  }

  for (const [status, kind] of [
    [401, 'signedOut'],
    [429, 'throttled'],
    [500, 'server'],
    [503, 'unavailable'],
  ] as const) {
    test(`stays unknown if the server answers ${status}`, async (context) => {
      const { ask, server } = await askedOf(context, (_, response) => reply(response, status, ''));
      assert.equal((await failureOf(ask('creation'))).kind, kind);
      assert.equal(server.requests.length, 1, 'it is not asked about a type as well');
    });

    test(`stays unknown if the server forbids introspection, then answers ${status}`, async (context) => {
      const { ask } = await askedOf(context, ({ body }, response) =>
        reply(response, body.includes('__type(') ? 400 : status, ''),
      );
      assert.equal((await failureOf(ask('creation'))).kind, kind);
    });
  }

  for (const [message, inputType] of [
    ["Unknown type 'CreateAccessTokenInput'", 'GetAccessTokenInput'],
    ["Validation error (UnknownType) : Unknown type 'CreateAccessTokenInput'", 'GetAccessTokenInput'],
    ['Unknown type "CreateAccessTokenInput".', 'GetAccessTokenInput'],
    ['unknown type CreateAccessTokenInput', 'GetAccessTokenInput'],
    ["Unknown type 'Query'", undefined],
    ["Unknown type 'CreateAccessTokenInputs'", undefined],
    ['Something about CreateAccessTokenInput', undefined],
  ] as const) {
    test(`may know the input of a creation, or not, if introspection is off: ${message}`, async (context) => {
      const { ask } = await askedOf(context, ({ body }, response) =>
        reply(
          response,
          body.includes('__type(') ? 400 : 200,
          body.includes('__type(')
            ? ''
            : { errors: [{ message, extensions: { classification: 'ValidationError' } }], data: null },
        ),
      );
      assert.equal((await ask('creation'))?.inputType, inputType);
    });
  }

  for (const [names, filter] of [
    [['value'], { spelling: 'value', hasCondition: false, hasAbsence: false }],
    [['value', 'values'], { spelling: 'values', hasCondition: false, hasAbsence: false }],
    [['values', 'negated'], { spelling: 'values', hasCondition: false, hasAbsence: false }],
    [['values', 'condition'], { spelling: 'values', hasCondition: true, hasAbsence: false }],
    [[], undefined],
    [null, undefined],
  ] as const) {
    test(`has a filter of ${JSON.stringify(names)}`, async (context) => {
      const { ask } = await askedOf(context, (_, response) => reply(response, 200, typeAnswer('inputFields', names)));
      assert.deepEqual(await ask('filter'), filter);
    });
  }

  test('may lack a type; only validation proves it of the input of a creation', async (context) => {
    const { askAll } = await askedOf(context, (_, response) => reply(response, 200, { data: { type: null } }));
    assert.deepEqual(await askAll(), {
      filter: undefined,
      tokenFields: undefined,
      creation: undefined,
      durations: undefined,
      tellsDurationPolicy: false,
      serviceAccountFields: [],
    });
  });

  test('names the action if it may not be read', async (context) => {
    const { ask } = await askedOf(context, (_, response) => reply(response, 401, ''));
    assert.equal((await failureOf(ask('filter'))).operation, 'schema');
  });
});
