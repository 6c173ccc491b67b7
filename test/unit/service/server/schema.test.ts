import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { buildSchema, execute, parse, validate } from 'graphql';
import { GraphQLEndpoint } from '../../../../src/service/http/graphql.ts';
import {
  askSchemaFacts,
  fallBackForCreation,
  fallBackForListing,
  SPEC_TOKEN_FIELDS,
  type SchemaFacts,
} from '../../../../src/service/server/schema.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import { failureOf, SCHEMA_OF_0_14, SCHEMA_OF_TODAY, transportAt } from '../clients.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';
import * as fc from 'fast-check';
import { listingDocument, type TokenListFilter } from '../../../../src/service/tokens/tokenListing.ts';
import { creationDocument } from '../../../../src/service/tokens/tokenCreation.ts';
import type { ProfileName } from '../../../service/profiles.ts';
import { inServerWords } from '../../../service/validationWords.ts';

async function askedOf(
  context: TestContext,
  answer: Answerer,
): Promise<{ ask: () => Promise<SchemaFacts>; server: WireServer }> {
  const server = await wireServer(context, answer);
  const graphql = new GraphQLEndpoint(transportAt(server.url), () => Promise.resolve({}));
  return { ask: () => askSchemaFacts(graphql), server };
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

const WITHOUT_INTROSPECTION: SchemaFacts = {
  ...SCHEMA_OF_0_14,
  durations: undefined,
  filterHasAbsence: false,
};

suite('A server’s schema', () => {
  test('of today is read by introspection, in one request', async (context) => {
    const { ask, server } = await askedOf(context, graphqlServer(schemaText('next')));
    assert.deepEqual(await ask(), SCHEMA_OF_TODAY);
    assert.equal(server.requests.length, 1);
  });

  test('of 0.14 is read by introspection', async (context) => {
    const { ask } = await askedOf(context, graphqlServer(schemaText('0.14')));
    assert.deepEqual(await ask(), SCHEMA_OF_0_14);
  });

  test('of the interface description is read by introspection if that is allowed', async (context) => {
    const { ask } = await askedOf(context, graphqlServer(schemaText('spec')));
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

  test('is recognized by an unknown type if introspection is off', async (context) => {
    const { ask } = await askedOf(context, graphqlServer(schemaText('spec'), false));
    const facts = await ask();
    assert.deepEqual(facts, {
      ...WITHOUT_INTROSPECTION,
      createInputType: 'GetAccessTokenInput',
      createTakesDescription: false,
    });
  });

  test('is assumed to be a real one if introspection is off and the type is known', async (context) => {
    const { ask } = await askedOf(context, graphqlServer(schemaText('0.14'), false));
    assert.deepEqual(await ask(), WITHOUT_INTROSPECTION);
  });

  test('does not have made-up names from the server', async (context) => {
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
    ['answers with invalid types', 200, { data: { filter: 7, create: [] } }],
    ['answers with invalid fields', 200, { data: { filter: { inputFields: 7 } } }],
    [
      'answers with one invalid type',
      200,
      { data: { filter: { inputFields: [{ name: 'value' }] }, token: { fields: [{ name: 7 }] } } },
    ],
    [
      'answers with no types',
      200,
      { data: { create: null, specCreate: null, filter: null, token: null, duration: null, kind: null } },
    ],
  ] as const) {
    test(`is assumed to be a real one if the server ${what}`, async (context) => {
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
    test(`stays unknown if the server answers ${status}`, async (context) => {
      const { ask, server } = await askedOf(context, (_, response) => reply(response, status, ''));
      assert.equal((await failureOf(ask())).kind, kind);
      assert.equal(server.requests.length, 1, 'it is not asked about a type as well');
    });

    test(`stays unknown if the server forbids introspection, then answers ${status}`, async (context) => {
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
      assert.equal((await ask()).createInputType, createInputType);
    });
  }

  const FILTER = { filter: { inputFields: [{ name: 'values' }] } };
  const NOTHING = { inputFields: null, fields: null, enumValues: null };

  test('may have types without content', async (context) => {
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

  test('has fields of service accounts only if it lists them, and knows EXISTS only with a negation', async (context) => {
    for (const [data, fields, hasAbsence] of [
      [{ query: { fields: [{ name: 'listServiceAccounts' }] } }, [], false],
      [{ account: { fields: [{ name: 'urn' }] }, query: { fields: [{ name: 'me' }] } }, [], false],
      [
        {
          account: { fields: [{ name: 'urn' }, { name: 'name } evil' }] },
          query: { fields: [{ name: 'listServiceAccounts' }] },
          operator: { enumValues: [{ name: 'EXISTS' }] },
        },
        ['urn'],
        false,
      ],
      [
        {
          filter: { inputFields: [{ name: 'values' }, { name: 'condition' }, { name: 'negated' }] },
          operator: { enumValues: [{ name: 'EXISTS' }] },
          query: { fields: Array.from({ length: 1_001 }, (_, index) => ({ name: `field${index}` })) },
        },
        [],
        true,
      ],
    ] as const) {
      const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: { ...FILTER, ...data } }));
      const facts = await ask();
      assert.deepEqual([facts.serviceAccountFields, facts.filterHasAbsence], [fields, hasAbsence]);
    }
  });

  test('without a readable filter is assumed to be a real one', async (context) => {
    const { ask } = await askedOf(context, (_, response) =>
      reply(response, 200, { data: { filter: NOTHING, create: null } }),
    );
    assert.deepEqual(await ask(), WITHOUT_INTROSPECTION);
  });

  test('of the interface description may accept descriptions too', async (context) => {
    const specCreate = { inputFields: [{ name: 'description' }] };
    const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: { ...FILTER, specCreate } }));
    const { createInputType, createTakesDescription, createTakesDurationIso, serviceAccounts } = await ask();
    assert.deepEqual(
      [createInputType, createTakesDescription, createTakesDurationIso, serviceAccounts],
      ['GetAccessTokenInput', true, false, false],
    );
  });

  test('without an input for creations only accepts required fields', async (context) => {
    const { ask } = await askedOf(context, (_, response) => reply(response, 200, { data: FILTER }));
    const { createTakesDescription, createTakesDurationIso } = await ask();
    assert.deepEqual([createTakesDescription, createTakesDurationIso], [false, false]);
  });

  test('names the action if it may not be read', async (context) => {
    const { ask } = await askedOf(context, (_, response) => reply(response, 401, ''));
    assert.equal((await failureOf(ask())).operation, 'schema');
  });
});

const OWN: TokenListFilter = { field: 'ownerUrn', value: 'urn:li:corpuser:jdoe', condition: 'EQUAL' };
const EXPIRED: TokenListFilter = { field: 'expiresAt', value: '1700000000000', condition: 'LESS_THAN' };

/** A server's complaints about a document, by profile, in the words of either engine. */
function complaintsOf(profile: ProfileName, document: string, engine: 'graphql-java' | 'GraphQL.js'): string[] {
  const schema = buildSchema(schemaText(profile));
  const errors = validate(schema, parse(document), undefined, { maxErrors: 100 }).map((error) => error.toJSON());
  return (engine === 'GraphQL.js' ? errors : inServerWords(errors, document, schema)).map(({ message }) => message);
}

/** Learns until the document fits, as a client does. Fails if it never does. */
function learned(
  profile: ProfileName,
  filters: readonly TokenListFilter[],
  engine: 'graphql-java' | 'GraphQL.js',
): { schema: SchemaFacts; requests: number } {
  let schema = SCHEMA_OF_TODAY;
  for (let requests = 1; ; requests++) {
    const complaints = complaintsOf(profile, listingDocument(filters, schema).document, engine);
    if (complaints.length === 0) {
      return { schema, requests };
    }
    const lesson = fallBackForListing(schema, complaints);
    assert.ok(lesson, `learned nothing from ${complaints.join('; ')}`);
    schema = lesson;
  }
}

suite('The lesson of a listing’s complaints', () => {
  for (const engine of ['graphql-java', 'GraphQL.js'] as const) {
    test(`is the whole schema of the interface description, in one lesson (${engine})`, () => {
      const { schema, requests } = learned('spec', [OWN], engine);
      assert.equal(requests, 2);
      assert.equal(schema.filterSpelling, 'value');
      assert.deepEqual(schema.tokenFields, SPEC_TOKEN_FIELDS);
    });

    test(`is empty if everything fits (${engine})`, () => {
      assert.equal(learned('0.14', [OWN, EXPIRED], engine).requests, 1);
      assert.equal(learned('next', [OWN, EXPIRED], engine).requests, 1);
    });

    test(`is that there are no conditions (${engine})`, () => {
      const document = listingDocument([EXPIRED], {
        ...SCHEMA_OF_TODAY,
        filterSpelling: 'value',
        tokenFields: SPEC_TOKEN_FIELDS,
      }).document;
      const lesson = fallBackForListing(
        { ...SCHEMA_OF_TODAY, filterSpelling: 'value', tokenFields: SPEC_TOKEN_FIELDS },
        complaintsOf('spec', document, engine),
      );
      assert.equal(lesson?.filterHasCondition, false);
    });

    test(`is not that the interface uses other words if it has no tokens at all (${engine})`, () => {
      const schema = buildSchema('type Query { other: String }');
      const errors = validate(schema, parse(listingDocument([OWN], SCHEMA_OF_TODAY).document)).map((error) =>
        error.toJSON(),
      );
      const said =
        engine === 'GraphQL.js'
          ? errors
          : inServerWords(errors, listingDocument([OWN], SCHEMA_OF_TODAY).document, schema);
      assert.equal(
        fallBackForListing(
          SCHEMA_OF_TODAY,
          said.map(({ message }) => message),
        ),
        undefined,
      );
    });
  }

  test('is the other spelling even if the engine only says what is missing', () => {
    const complaint =
      "Validation error (WrongType@[listAccessTokens]) : argument 'input.filters[0]' with value 'ObjectValue{objectFields=[…]}' is missing required fields '[value]'";
    assert.deepEqual(fallBackForListing(SCHEMA_OF_0_14, [complaint]), { ...SCHEMA_OF_0_14, filterSpelling: 'value' });
  });

  test('is one known field less, if an old server lacks just that', () => {
    const complaint =
      "Validation error (FieldUndefined@[listAccessTokens/tokens/description]) : Field 'description' in type 'AccessTokenMetadata' is undefined";
    const lesson = fallBackForListing(SCHEMA_OF_0_14, [complaint]);
    assert.deepEqual(lesson, {
      ...SCHEMA_OF_0_14,
      tokenFields: ['urn', 'id', 'actorUrn', 'name', 'ownerUrn', 'createdAt', 'expiresAt'],
    });
  });

  test('is to ask as in the interface description if the words are unknown', () => {
    const first = fallBackForListing(SCHEMA_OF_TODAY, ['Validation failed.']);
    assert.deepEqual(first, { ...SCHEMA_OF_TODAY, tokenFields: SPEC_TOKEN_FIELDS });
    const second = fallBackForListing(first ?? SCHEMA_OF_TODAY, ['Validation failed.']);
    assert.deepEqual([second?.filterSpelling, second?.filterHasCondition], ['value', false]);
    assert.equal(fallBackForListing(second ?? SCHEMA_OF_TODAY, ['Validation failed.']), undefined);
  });

  test('ends, adds nothing, and keeps the ID and the filter’s value, whatever the complaint', () => {
    const words = fc.constantFrom(
      "Field 'urn' in type 'T' is undefined",
      "Field 'id' in type 'T' is undefined",
      'Cannot query field "name" on type "T".',
      "contains a field not in 'F': 'values'",
      'Field "condition" is not defined by type "F".',
      'Field "value" is not defined by type "F".',
      'Unknown type "Foo"',
    );
    fc.assert(
      fc.property(fc.infiniteStream(fc.array(fc.oneof(words, fc.string()))), (stream) => {
        let schema: SchemaFacts = SCHEMA_OF_TODAY;
        for (let lessons = 0; ; lessons++) {
          assert.ok(lessons <= 12, 'learning does not end');
          const complaints = stream.next().value ?? [];
          const lesson = fallBackForListing(schema, complaints);
          if (lesson === undefined) {
            break;
          }
          assert.ok(
            lesson.tokenFields.every((field) => schema.tokenFields.includes(field)) &&
              lesson.tokenFields.includes('id'),
          );
          schema = lesson;
        }
        assert.match(listingDocument([OWN], schema).document, /\{field: \$field0, values?: \$value0\}/);
      }),
    );
  });
});

suite('The lesson of a creation’s complaints', () => {
  for (const engine of ['graphql-java', 'GraphQL.js'] as const) {
    test(`is the input’s name in the interface description (${engine})`, () => {
      const lesson = fallBackForCreation(
        SCHEMA_OF_0_14,
        complaintsOf('spec', creationDocument(SCHEMA_OF_0_14), engine),
      );
      assert.equal(lesson?.createInputType, 'GetAccessTokenInput');
      assert.equal(lesson.createTakesDescription, false);
    });
  }

  test('is that a field of the input is unknown', () => {
    const java =
      "The variables input contains a field name 'description' that is not defined for input object type 'CreateAccessTokenInput' ";
    const js =
      'Variable "$input" got invalid value { … }; Field "durationIso" is not defined by type "CreateAccessTokenInput".';
    assert.deepEqual(fallBackForCreation(SCHEMA_OF_TODAY, [java, js]), {
      ...SCHEMA_OF_TODAY,
      createTakesDescription: false,
      createTakesDurationIso: false,
    });
  });

  test('is empty if they are about something else', () => {
    assert.equal(fallBackForCreation(SCHEMA_OF_TODAY, ['Validation failed.', 'Unknown type "Foo"']), undefined);
    assert.equal(
      fallBackForCreation({ ...SCHEMA_OF_0_14, createInputType: 'GetAccessTokenInput' }, [
        'Unknown type "CreateAccessTokenInput"',
      ]),
      undefined,
    );
  });
});

suite('A known lesson', () => {
  const OF_SPEC: SchemaFacts = {
    ...SCHEMA_OF_TODAY,
    filterSpelling: 'value',
    filterHasCondition: false,
    tokenFields: SPEC_TOKEN_FIELDS,
    createTakesDescription: false,
    createTakesDurationIso: false,
  };

  for (const complaint of [
    "contains a field not in 'FacetFilterInput': 'values'",
    "is missing required fields '[value]'",
    'Field "FacetFilterInput.value" of required type "String!" was not provided',
    'Field "condition" is not defined by type FacetFilterInput',
    'Cannot query field "name" on type "AccessTokenMetadata".',
  ]) {
    test(`teaches a listing nothing: ${complaint}`, () =>
      assert.equal(fallBackForListing(OF_SPEC, [complaint]), undefined));
  }

  for (const complaint of [
    'Field "description" is not defined by type',
    "contains a field name 'durationIso' that is not defined",
    'boom',
  ]) {
    test(`teaches a creation nothing: ${complaint}`, () =>
      assert.equal(fallBackForCreation(OF_SPEC, [complaint]), undefined));
  }
});

suite('A complaint', () => {
  test('is understood in the words of each engine if it asks for the other spelling', () => {
    for (const complaint of [
      "is missing required fields '[value]'",
      'Field "FacetFilterInput.value" of required type "String!" was not provided',
    ]) {
      assert.deepEqual(fallBackForListing(SCHEMA_OF_TODAY, [complaint]), {
        ...SCHEMA_OF_TODAY,
        filterSpelling: 'value',
      });
    }
  });

  test('about the type of the input is understood in any notation', () => {
    const lesson = {
      ...SCHEMA_OF_TODAY,
      createInputType: 'GetAccessTokenInput',
      createTakesDescription: false,
      createTakesDurationIso: false,
    };
    for (const complaint of [
      "Unknown type 'CreateAccessTokenInput'",
      'Unknown type "CreateAccessTokenInput".',
      'UnknownType CreateAccessTokenInput',
      'unknown type CreateAccessTokenInput',
    ]) {
      assert.deepEqual(fallBackForCreation(SCHEMA_OF_TODAY, [complaint]), lesson, complaint);
    }
  });

  test('is read separately from the next', () => {
    assert.equal(fallBackForCreation(SCHEMA_OF_TODAY, ['Unknown type Create', 'AccessTokenInput']), undefined);
    const lesson = fallBackForListing(SCHEMA_OF_TODAY, ['Field "val', 'ues" is not defined by type']);
    assert.deepEqual(
      lesson,
      { ...SCHEMA_OF_TODAY, tokenFields: SPEC_TOKEN_FIELDS },
      'nothing was understood: ask for less',
    );
  });
});
