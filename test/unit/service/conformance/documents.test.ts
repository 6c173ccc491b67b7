/** Every recorded document about tokens fits the public schema of 0.14. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { root } from '../../../../tools/paths.ts';
import { wireFixtures } from './wireFixture.ts';

/** The client's documents for 0.14 in recorded exchanges, but for those that the excerpt lacks. */
const DOCUMENTS = [...wireFixtures().values()]
  .filter(({ name, standIns }) => !name.startsWith('reference-') && standIns.some(({ profile }) => profile === '0.14'))
  .flatMap(({ exchanges }) => exchanges)
  .filter(({ request }) => request.path === '/api/graphql')
  .map(({ request }) => (JSON.parse(request.body) as { readonly query: string }).query)
  .filter((document) => !/getAccessTokenMetadata|getGrantedPrivileges|__type/.test(document));

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
  enum FilterOperator { CONTAIN EQUAL EXISTS IEQUAL LESS_THAN GREATER_THAN }
  type CorpUser { urn: String! username: String! }
  input ResourceSpec { resourceUrn: String! }
`;

test('Documents for 0.14 fit the public schema', { skip: withoutExcerpt }, () => {
  const files = ['auth.tokens.graphql', 'search.FacetFilterInput.graphql', 'app.me.graphql'];
  const schema = buildSchema([LEFT_OUT, ...files.map((file) => readFileSync(join(excerpt, file), 'utf8'))].join('\n'));
  assert.ok(DOCUMENTS.length > 10);
  for (const document of DOCUMENTS) {
    assert.deepEqual(validate(schema, parse(document)), [], document);
  }
});
