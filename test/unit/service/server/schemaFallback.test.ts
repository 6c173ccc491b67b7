import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import { fallBackForCreation, fallBackForListing } from '../../../../src/service/server/schemaFallback.ts';
import { SPEC_TOKEN_FIELDS } from '../../../../src/service/server/schema.ts';
import type { SchemaFacts } from '../../../../src/service/server/schema.ts';
import { listDocument } from '../../../../src/service/tokens/tokenListing.ts';
import type { TokenFilter } from '../../../../src/service/tokens/tokenListing.ts';
import { createDocument } from '../../../../src/service/tokens/tokens.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import type { ProfileName } from '../../../service/profiles.ts';
import { inServerWords } from '../../../service/validationWords.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_TODAY } from '../clients.ts';

const OWN: TokenFilter = { field: 'ownerUrn', value: 'urn:li:corpuser:jdoe', condition: 'EQUAL' };
const EXPIRED: TokenFilter = { field: 'expiresAt', value: '1700000000000', condition: 'LESS_THAN' };

/** What a server of a profile says of a document, in the words of either engine. */
function complaintsOf(profile: ProfileName, document: string, engine: 'graphql-java' | 'GraphQL.js'): string[] {
  const schema = buildSchema(schemaText(profile));
  const errors = validate(schema, parse(document), undefined, { maxErrors: 100 }).map((error) => error.toJSON());
  return (engine === 'GraphQL.js' ? errors : inServerWords(errors, document, schema)).map(({ message }) => message);
}

/** Learns until the document fits, as a client does; fails when it never does. */
function learned(
  profile: ProfileName,
  filters: readonly TokenFilter[],
  engine: 'graphql-java' | 'GraphQL.js',
): { schema: SchemaFacts; requests: number } {
  let schema = SCHEMA_OF_TODAY;
  for (let requests = 1; ; requests++) {
    const complaints = complaintsOf(profile, listDocument(filters, schema).document, engine);
    if (complaints.length === 0) {
      return { schema, requests };
    }
    const lesson = fallBackForListing(schema, complaints);
    assert.ok(lesson, `learned nothing from ${complaints.join('; ')}`);
    schema = lesson;
  }
}

suite('What a listing’s complaints teach', () => {
  for (const engine of ['graphql-java', 'GraphQL.js'] as const) {
    test(`is the whole schema of the interface description, in one lesson (${engine})`, () => {
      const { schema, requests } = learned('spec', [OWN], engine);
      assert.equal(requests, 2);
      assert.equal(schema.filterSpelling, 'value');
      assert.deepEqual(schema.tokenFields, SPEC_TOKEN_FIELDS);
    });

    test(`is nothing where everything fits (${engine})`, () => {
      assert.equal(learned('0.14', [OWN, EXPIRED], engine).requests, 1);
      assert.equal(learned('next', [OWN, EXPIRED], engine).requests, 1);
    });

    test(`is that there are no conditions (${engine})`, () => {
      const document = listDocument([EXPIRED], {
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

    test(`is not that the interface knows other words where it does not know tokens at all (${engine})`, () => {
      const schema = buildSchema('type Query { other: String }');
      const errors = validate(schema, parse(listDocument([OWN], SCHEMA_OF_TODAY).document)).map((error) =>
        error.toJSON(),
      );
      const said =
        engine === 'GraphQL.js' ? errors : inServerWords(errors, listDocument([OWN], SCHEMA_OF_TODAY).document, schema);
      assert.equal(
        fallBackForListing(
          SCHEMA_OF_TODAY,
          said.map(({ message }) => message),
        ),
        undefined,
      );
    });
  }

  test('is the other spelling also where the engine only says what is missing', () => {
    const complaint =
      "Validation error (WrongType@[listAccessTokens]) : argument 'input.filters[0]' with value 'ObjectValue{objectFields=[…]}' is missing required fields '[value]'";
    assert.deepEqual(fallBackForListing(SCHEMA_OF_0_14, [complaint]), { ...SCHEMA_OF_0_14, filterSpelling: 'value' });
  });

  test('is a known field less, when an old server lacks just that', () => {
    const complaint =
      "Validation error (FieldUndefined@[listAccessTokens/tokens/description]) : Field 'description' in type 'AccessTokenMetadata' is undefined";
    const lesson = fallBackForListing(SCHEMA_OF_0_14, [complaint]);
    assert.deepEqual(lesson, {
      ...SCHEMA_OF_0_14,
      tokenFields: ['urn', 'id', 'actorUrn', 'name', 'ownerUrn', 'createdAt', 'expiresAt'],
    });
  });

  test('is to ask as the interface description does, when the words say nothing', () => {
    const first = fallBackForListing(SCHEMA_OF_TODAY, ['Validation failed.']);
    assert.deepEqual(first, { ...SCHEMA_OF_TODAY, tokenFields: SPEC_TOKEN_FIELDS });
    const second = fallBackForListing(first ?? SCHEMA_OF_TODAY, ['Validation failed.']);
    assert.deepEqual([second?.filterSpelling, second?.filterHasCondition], ['value', false]);
    assert.equal(fallBackForListing(second ?? SCHEMA_OF_TODAY, ['Validation failed.']), undefined);
  });

  test('ends, adds nothing, and keeps the id and the filter’s value, whatever is said', () => {
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
        assert.match(listDocument([OWN], schema).document, /\{field: \$field0, values?: \$value0\}/);
      }),
    );
  });
});

suite('What a creation’s complaints teach', () => {
  for (const engine of ['graphql-java', 'GraphQL.js'] as const) {
    test(`is the input’s name of the interface description (${engine})`, () => {
      const lesson = fallBackForCreation(SCHEMA_OF_0_14, complaintsOf('spec', createDocument(SCHEMA_OF_0_14), engine));
      assert.equal(lesson?.createInputType, 'GetAccessTokenInput');
      assert.equal(lesson.createTakesDescription, false);
    });
  }

  test('is that a field of the input is not known', () => {
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

  test('is nothing where they are about something else', () => {
    assert.equal(fallBackForCreation(SCHEMA_OF_TODAY, ['Validation failed.', 'Unknown type "Foo"']), undefined);
    assert.equal(
      fallBackForCreation({ ...SCHEMA_OF_0_14, createInputType: 'GetAccessTokenInput' }, [
        'Unknown type "CreateAccessTokenInput"',
      ]),
      undefined,
    );
  });
});

suite('A lesson that is known already', () => {
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
  test('that asks for the other spelling is understood in the words of each engine', () => {
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

  test('about the type of the input is understood however it is written', () => {
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

  test('is read by itself, not together with the next', () => {
    assert.equal(fallBackForCreation(SCHEMA_OF_TODAY, ['Unknown type Create', 'AccessTokenInput']), undefined);
    const lesson = fallBackForListing(SCHEMA_OF_TODAY, ['Field "val', 'ues" is not defined by type']);
    assert.deepEqual(
      lesson,
      { ...SCHEMA_OF_TODAY, tokenFields: SPEC_TOKEN_FIELDS },
      'nothing was understood: ask for less',
    );
  });
});
