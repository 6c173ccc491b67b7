/** Every document about tokens fits the schemas of its servers, with each condition that they know. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { buildSchema, parse, validate, type GraphQLSchema } from 'graphql';
import { CALLER_INFO_DOCUMENT } from '../../../../src/service/server/callerRights.ts';
import { creationDocument } from '../../../../src/service/tokens/tokenCreation.ts';
import {
  listingDocument,
  type FilterCondition,
  type TokenListFilter,
} from '../../../../src/service/tokens/tokenPage.ts';
import { REVOKE_DOCUMENT } from '../../../../src/service/tokens/tokens.ts';
import { root } from '../../../../tools/paths.ts';
import { schemaText } from '../../../service/graphqlEndpoint.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_1_6, SCHEMA_OF_SPEC, SCHEMA_OF_TODAY, type SchemaFacts } from '../clients.ts';

const CONDITIONS: readonly FilterCondition[] = ['EQUAL', 'CONTAIN', 'LESS_THAN', 'GREATER_THAN'];
const ALL = { scope: { kind: 'all' } } as const;
const filter = (condition: FilterCondition): TokenListFilter => ({ field: 'name', value: 'ci', condition });

/** Documents for tokens that a client sends to a known server, with none, one and several filters. */
function tokenDocuments(schema: SchemaFacts): Readonly<Record<string, string>> {
  const conditions = schema.filter.hasCondition ? CONDITIONS : CONDITIONS.slice(0, 1);
  return {
    'all tokens': listingDocument({ ...ALL, filters: [] }, schema).document,
    ...Object.fromEntries(
      conditions.map((condition) => [
        `tokens by ${condition}`,
        listingDocument({ ...ALL, filters: [filter('EQUAL'), filter(condition)] }, schema).document,
      ]),
    ),
    'a creation': creationDocument(schema.creation),
    'a revocation': REVOKE_DOCUMENT,
  };
}

function complaints(schema: GraphQLSchema, document: string): string[] {
  return validate(schema, parse(document)).map(({ message }) => message);
}

for (const [profile, facts] of [
  ['spec', SCHEMA_OF_SPEC],
  ['0.14', SCHEMA_OF_0_14],
  ['1.6', SCHEMA_OF_1_6],
  ['next', SCHEMA_OF_TODAY],
] as const) {
  test(`Documents for a server like ${profile} fit its schema`, () => {
    const schema = buildSchema(schemaText(profile));
    for (const [name, document] of Object.entries(tokenDocuments(facts))) {
      assert.deepEqual(complaints(schema, document), [], name);
    }
  });
}

test('A document for another server is rejected, so it is never misunderstood', () => {
  for (const [profile, facts] of [
    ['spec', SCHEMA_OF_TODAY],
    ['next', SCHEMA_OF_SPEC],
  ] as const) {
    const document = tokenDocuments(facts)['tokens by EQUAL'] ?? '';
    assert.notDeepEqual(complaints(buildSchema(schemaText(profile)), document), []);
  }
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
  for (const [name, document] of Object.entries({ ...tokenDocuments(SCHEMA_OF_0_14), me: CALLER_INFO_DOCUMENT })) {
    test(`fits it: ${name}`, () => {
      const files = ['auth.tokens.graphql', 'search.FacetFilterInput.graphql', 'app.me.graphql'].map((file) =>
        readFileSync(join(excerpt, file), 'utf8'),
      );
      assert.deepEqual(complaints(buildSchema([LEFT_OUT, ...files].join('\n')), document), []);
    });
  }
});
