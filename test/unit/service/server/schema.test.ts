import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { buildSchema, execute, parse, validate } from 'graphql';
import { FACTS, SPEC_TOKEN_FIELDS, type ListingSchema } from '../../../../src/service/server/facts.ts';
import { KnownServer } from '../../../../src/service/server/knownServer.ts';
import { fallBackForCreation, fallBackForListing } from '../../../../src/service/server/validationLessons.ts';
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
import * as fc from 'fast-check';
import { listingDocument, type TokenListFilter } from '../../../../src/service/tokens/tokenListing.ts';
import { creationDocument } from '../../../../src/service/tokens/tokenCreation.ts';
import type { ProfileName } from '../../../service/profiles.ts';
import { inServerWords } from '../../../service/validationWords.ts';

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
    ["Unknown type 'Query'", undefined],
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

const OWN: TokenListFilter = { field: 'ownerUrn', value: 'urn:li:corpuser:jdoe', condition: 'EQUAL' };
const NEVER: TokenListFilter = { field: 'expiresAt', value: '', condition: 'ABSENT' };
const EXPIRED: TokenListFilter = { field: 'expiresAt', value: '1700000000000', condition: 'LESS_THAN' };

/** A server's complaints about a document, by profile, in the words of either engine. */
function complaintsOf(
  profile: ProfileName,
  document: string,
  engine: 'graphql-java' | 'GraphQL.js',
  text = schemaText(profile),
): string[] {
  const schema = buildSchema(text);
  const errors = validate(schema, parse(document), undefined, { maxErrors: 100 }).map((error) => error.toJSON());
  return (engine === 'GraphQL.js' ? errors : inServerWords(errors, document, schema)).map(({ message }) => message);
}

/** Learns until the document fits, as a client does. Fails if it never does. */
function learned(
  profile: ProfileName,
  filters: readonly TokenListFilter[],
  engine: 'graphql-java' | 'GraphQL.js',
): { schema: ListingSchema; requests: number } {
  let schema: ListingSchema = SCHEMA_OF_TODAY;
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

const BY_VALUE: ListingSchema = { ...SCHEMA_OF_0_14, filter: { ...SCHEMA_OF_0_14.filter, spelling: 'value' } };

suite('The lesson of a listing’s complaints', () => {
  for (const engine of ['graphql-java', 'GraphQL.js'] as const) {
    test(`is the whole schema of the interface description, in one lesson (${engine})`, () => {
      const { schema, requests } = learned('spec', [OWN], engine);
      assert.equal(requests, 2);
      assert.equal(schema.filter.spelling, 'value');
      assert.deepEqual(schema.tokenFields, SPEC_TOKEN_FIELDS);
    });

    test(`is empty if everything fits (${engine})`, () => {
      assert.equal(learned('0.14', [OWN, EXPIRED], engine).requests, 1);
      assert.equal(learned('next', [OWN, EXPIRED], engine).requests, 1);
    });

    test(`is that there are no conditions (${engine})`, () => {
      const schema = {
        filter: { ...SCHEMA_OF_TODAY.filter, spelling: 'value' },
        tokenFields: SPEC_TOKEN_FIELDS,
      } as const;
      const { document } = listingDocument([EXPIRED], schema);
      const lesson = fallBackForListing(schema, complaintsOf('spec', document, engine));
      assert.deepEqual(lesson?.filter, SCHEMA_OF_SPEC.filter);
    });

    test(`is that rows without a value can't be asked for (${engine})`, () => {
      const { document } = listingDocument([NEVER], SCHEMA_OF_TODAY);
      const older = schemaText('0.14').replace(/^  (?:EXISTS|negated: Boolean)$/gm, '');
      const lesson = fallBackForListing(SCHEMA_OF_TODAY, complaintsOf('0.14', document, engine, older));
      assert.deepEqual(lesson, { ...SCHEMA_OF_TODAY, filter: { ...SCHEMA_OF_TODAY.filter, hasAbsence: false } });
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
    assert.deepEqual(fallBackForListing(SCHEMA_OF_0_14, [complaint]), BY_VALUE);
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
    assert.deepEqual(second?.filter, SCHEMA_OF_SPEC.filter);
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
        let schema: ListingSchema = SCHEMA_OF_TODAY;
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
      const { creation } = SCHEMA_OF_0_14;
      const lesson = fallBackForCreation(creation, complaintsOf('spec', creationDocument(creation), engine));
      assert.deepEqual(lesson, SCHEMA_OF_SPEC.creation);
    });
  }

  test('is that a field of the input is unknown', () => {
    const java =
      "The variables input contains a field name 'description' that is not defined for input object type 'CreateAccessTokenInput' ";
    const js =
      'Variable "$input" got invalid value { … }; Field "durationIso" is not defined by type "CreateAccessTokenInput".';
    assert.deepEqual(fallBackForCreation(SCHEMA_OF_TODAY.creation, [java, js]), {
      inputType: 'CreateAccessTokenInput',
      takesDescription: false,
      takesDurationIso: false,
    });
  });

  test('is empty if they are about something else', () => {
    const { creation } = SCHEMA_OF_TODAY;
    assert.equal(fallBackForCreation(creation, ['Validation failed.', 'Unknown type "Foo"']), undefined);
    assert.equal(fallBackForCreation(SCHEMA_OF_SPEC.creation, ['Unknown type "CreateAccessTokenInput"']), undefined);
  });
});

suite('A known lesson', () => {
  for (const complaint of [
    "contains a field not in 'FacetFilterInput': 'values'",
    "is missing required fields '[value]'",
    'Field "FacetFilterInput.value" of required type "String!" was not provided',
    'Field "condition" is not defined by type FacetFilterInput',
    'Cannot query field "name" on type "AccessTokenMetadata".',
  ]) {
    test(`teaches a listing nothing: ${complaint}`, () =>
      assert.equal(fallBackForListing(SCHEMA_OF_SPEC, [complaint]), undefined));
  }

  for (const complaint of [
    'Field "description" is not defined by type',
    "contains a field name 'durationIso' that is not defined",
    'boom',
  ]) {
    test(`teaches a creation nothing: ${complaint}`, () =>
      assert.equal(fallBackForCreation(SCHEMA_OF_SPEC.creation, [complaint]), undefined));
  }
});

suite('A complaint', () => {
  test('is understood in the words of each engine if it asks for the other spelling', () => {
    for (const complaint of [
      "is missing required fields '[value]'",
      'Field "FacetFilterInput.value" of required type "String!" was not provided',
    ]) {
      assert.deepEqual(fallBackForListing(SCHEMA_OF_0_14, [complaint]), BY_VALUE);
    }
  });

  test('about the type of the input is understood in any notation', () => {
    for (const complaint of [
      "Unknown type 'CreateAccessTokenInput'",
      'Unknown type "CreateAccessTokenInput".',
      'UnknownType CreateAccessTokenInput',
      'unknown type CreateAccessTokenInput',
    ]) {
      assert.deepEqual(fallBackForCreation(SCHEMA_OF_TODAY.creation, [complaint]), SCHEMA_OF_SPEC.creation, complaint);
    }
  });

  test('is read separately from the next', () => {
    assert.equal(fallBackForCreation(SCHEMA_OF_TODAY.creation, ['Unknown type Create', 'AccessTokenInput']), undefined);
    const lesson = fallBackForListing(SCHEMA_OF_TODAY, ['Field "val', 'ues" is not defined by type']);
    assert.deepEqual(
      lesson,
      { ...SCHEMA_OF_TODAY, tokenFields: SPEC_TOKEN_FIELDS },
      'nothing was understood: ask for less',
    );
  });
});
