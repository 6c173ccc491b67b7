/** Every document about tokens, with each condition, fits the public schema of 0.14. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { CALLER_INFO_DOCUMENT } from '../../../../src/service/server/callerRights.ts';
import { creationDocument } from '../../../../src/service/tokens/tokenCreation.ts';
import {
  listingDocument,
  type FilterCondition,
  type TokenListFilter,
} from '../../../../src/service/tokens/tokenPage.ts';
import { REVOKE_DOCUMENT } from '../../../../src/service/tokens/tokens.ts';
import { root } from '../../../../tools/paths.ts';
import { SCHEMA_OF_0_14 } from '../clients.ts';

const CONDITIONS: readonly FilterCondition[] = ['EQUAL', 'CONTAIN', 'LESS_THAN', 'GREATER_THAN'];
const ALL = { scope: { kind: 'all' } } as const;
const filter = (condition: FilterCondition): TokenListFilter => ({ field: 'name', value: 'ci', condition });

const DOCUMENTS: Readonly<Record<string, string>> = {
  'all tokens': listingDocument({ ...ALL, filters: [] }, SCHEMA_OF_0_14).document,
  ...Object.fromEntries(
    CONDITIONS.map((condition) => [
      `tokens by ${condition}`,
      listingDocument({ ...ALL, filters: [filter('EQUAL'), filter(condition)] }, SCHEMA_OF_0_14).document,
    ]),
  ),
  'a creation': creationDocument(SCHEMA_OF_0_14.creation),
  'a revocation': REVOKE_DOCUMENT,
  me: CALLER_INFO_DOCUMENT,
};

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
test('Documents for 0.14 fit the public schema', { skip: withoutExcerpt }, () => {
  const files = ['auth.tokens.graphql', 'search.FacetFilterInput.graphql', 'app.me.graphql'];
  const schema = buildSchema([LEFT_OUT, ...files.map((file) => readFileSync(join(excerpt, file), 'utf8'))].join('\n'));
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    assert.deepEqual(validate(schema, parse(document)), [], name);
  }
});
