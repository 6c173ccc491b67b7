/** Every document that the client can send fits the schemas of its servers. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { buildSchema, parse, validate, type GraphQLSchema } from 'graphql';
import {
  GRANTED_DOCUMENT,
  CALLER_INFO_DOCUMENTS,
  SERVICE_ACCOUNTS_DOCUMENT,
} from '../../../../src/service/server/callerRights.ts';
import { POLICY_DOCUMENT } from '../../../../src/service/tokens/durationPolicy.ts';
import { TYPE_PROBE, typeDocument } from '../../../../src/service/server/introspection.ts';
import {
  listingDocument,
  type FilterCondition,
  type TokenListFilter,
} from '../../../../src/service/tokens/tokenListing.ts';
import { REVOKE_DOCUMENT } from '../../../../src/service/tokens/tokens.ts';
import { creationDocument } from '../../../../src/service/tokens/tokenCreation.ts';
import { root } from '../../../../tools/paths.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_1_6, SCHEMA_OF_SPEC, SCHEMA_OF_TODAY, type SchemaFacts } from '../clients.ts';

const TYPES = Object.fromEntries(
  (['fields', 'inputFields', 'enumValues'] as const).map((part) => [`${part} of a type`, typeDocument('Any', part)]),
);

const CONDITIONS: readonly FilterCondition[] = ['EQUAL', 'CONTAIN', 'LESS_THAN', 'GREATER_THAN'];
const filter = (condition: FilterCondition): TokenListFilter => ({ field: 'name', value: 'ci', condition });

/** Documents for tokens that a client sends to a known server, with none, one and several filters. */
function tokenDocuments(schema: SchemaFacts): Readonly<Record<string, string>> {
  const conditions = schema.filter.hasCondition ? CONDITIONS : CONDITIONS.slice(0, 1);
  return {
    'all tokens': listingDocument([], schema).document,
    ...Object.fromEntries(
      conditions.map((condition) => [
        `tokens by ${condition}`,
        listingDocument([filter('EQUAL'), filter(condition)], schema).document,
      ]),
    ),
    'a creation': creationDocument(schema.creation),
    'a revocation': REVOKE_DOCUMENT,
  };
}

const IDENTITY = {
  callerInfo: CALLER_INFO_DOCUMENTS.both,
  me: CALLER_INFO_DOCUMENTS.me,
  application: CALLER_INFO_DOCUMENTS.appConfig,
};

function complaints(schema: GraphQLSchema, document: string): string[] {
  return validate(schema, parse(document)).map(({ message }) => message);
}

const profiles = {
  spec: {
    schema: buildSchema(schemaText('spec')),
    documents: { ...tokenDocuments(SCHEMA_OF_SPEC), ...TYPES },
  },
  '0.14': {
    schema: buildSchema(schemaText('0.14')),
    documents: {
      ...tokenDocuments(SCHEMA_OF_0_14),
      ...IDENTITY,
      granted: GRANTED_DOCUMENT,
      ...TYPES,
    },
  },
  '1.6': {
    schema: buildSchema(schemaText('1.6')),
    documents: {
      ...tokenDocuments(SCHEMA_OF_1_6),
      ...IDENTITY,
      granted: GRANTED_DOCUMENT,
      'rights to service accounts': SERVICE_ACCOUNTS_DOCUMENT,
      ...TYPES,
    },
  },
  next: {
    schema: buildSchema(schemaText('next')),
    documents: {
      ...tokenDocuments(SCHEMA_OF_TODAY),
      ...IDENTITY,
      granted: GRANTED_DOCUMENT,
      'rights to service accounts': SERVICE_ACCOUNTS_DOCUMENT,
      'durations of new tokens': POLICY_DOCUMENT,
      ...TYPES,
    },
  },
} as const;

for (const [profile, { schema, documents }] of Object.entries(profiles)) {
  suite(`A document for a server like ${profile}`, () => {
    for (const [name, document] of Object.entries(documents)) {
      test(`fits its schema: ${name}`, () => {
        assert.deepEqual(complaints(schema, document), []);
      });
    }
  });
}

suite('A document for another server', () => {
  test('is rejected, so it is never misunderstood', () => {
    const { spec, next } = profiles;
    assert.notDeepEqual(complaints(spec.schema, tokenDocuments(SCHEMA_OF_TODAY)['tokens by EQUAL'] ?? ''), []);
    assert.notDeepEqual(complaints(spec.schema, CALLER_INFO_DOCUMENTS.me), []);
    assert.notDeepEqual(complaints(spec.schema, tokenDocuments(SCHEMA_OF_TODAY)['a creation'] ?? ''), []);
    assert.notDeepEqual(complaints(next.schema, tokenDocuments(SCHEMA_OF_SPEC)['tokens by EQUAL'] ?? ''), []);
    assert.notDeepEqual(complaints(profiles['0.14'].schema, SERVICE_ACCOUNTS_DOCUMENT), []);
    assert.notDeepEqual(complaints(profiles['1.6'].schema, POLICY_DOCUMENT), []);
  });

  test('is rejected only for the type that it probes', () => {
    const unused = 'Variable "$input" is never used in operation "schema".';
    assert.deepEqual(complaints(profiles.next.schema, TYPE_PROBE), [unused]);
    assert.deepEqual(complaints(profiles.spec.schema, TYPE_PROBE).filter((message) => message !== unused).length, 1);
  });
});

/** The public excerpt is not part of this repository, but may be next to a clone. */
const excerpt = join(root, '..', 'shared', 'service');
const withoutExcerpt = existsSync(join(excerpt, 'auth.tokens.graphql'))
  ? false
  : 'the excerpt of the public schema is not beside this clone';

/** Types that the excerpt uses but omits. */
const LEFT_OUT = `
  type Query { _: Boolean }
  type Mutation { _: Boolean }
  scalar Long
  enum EntityType { ACCESS_TOKEN }
  interface Entity { urn: String! }
  input RelationshipsInput { start: Int }
  type EntityRelationshipsResult { total: Int }
  enum FilterOperator { CONTAIN EQUAL IEQUAL LESS_THAN GREATER_THAN }
  type CorpUser { urn: String! username: String! }
  input ResourceSpec { resourceUrn: String! }
`;

// Without getGrantedPrivileges, because the excerpt has its types but not the query.
suite('A document for 0.14, by the public schema', { skip: withoutExcerpt }, () => {
  for (const [name, document] of Object.entries({ ...tokenDocuments(SCHEMA_OF_0_14), ...IDENTITY })) {
    test(`fits it: ${name}`, () => {
      const files = ['auth.tokens.graphql', 'search.FacetFilterInput.graphql', 'app.me.graphql'].map((file) =>
        readFileSync(join(excerpt, file), 'utf8'),
      );
      assert.deepEqual(complaints(buildSchema([LEFT_OUT, ...files].join('\n')), document), []);
    });
  }
});
