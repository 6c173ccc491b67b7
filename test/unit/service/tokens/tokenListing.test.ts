import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parse, print, visit } from 'graphql';
import type { ListingSchema } from '../../../../src/service/server/facts.ts';
import { listingDocument, parseTokenPage, type FilterCondition } from '../../../../src/service/tokens/tokenListing.ts';
import { OWN } from '../changes.ts';
import { ME, SCHEMA_OF_1_6 } from '../clients.ts';

const withFilter = (filter: Partial<ListingSchema['filter']>): ListingSchema => ({
  ...SCHEMA_OF_1_6,
  filter: { ...SCHEMA_OF_1_6.filter, ...filter },
});

suite('The document of a listing', () => {
  for (const [condition, abilities] of [
    ['CONTAIN', { hasCondition: false }],
    ['ABSENT', { hasAbsence: false }],
    ['} evil {', {}],
  ] as const) {
    test(`is not made for a condition that the server does not know: ${condition}`, () => {
      const filter = { field: 'name', value: 'ci', condition: condition as FilterCondition };
      assert.throws(() => listingDocument({ ...OWN, filters: [filter] }, withFilter(abilities)), {
        kind: 'unsupported',
        operation: 'listAccessTokens',
        mayHaveActed: false,
      });
    });
  }

  test('never includes the search text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            field: fc.string(),
            value: fc.string(),
            condition: fc.constantFrom<FilterCondition>('EQUAL', 'CONTAIN', 'LESS_THAN', 'GREATER_THAN'),
          }),
        ),
        fc.constantFrom('values' as const, 'value' as const),
        (filters, spelling) => {
          const { document, variables } = listingDocument({ ...OWN, filters }, withFilter({ spelling }));
          const syntax = parse(document);
          const declared: string[] = [];
          const used: string[] = [];
          visit(syntax, {
            VariableDefinition: { enter: (node) => void declared.push(node.variable.name.value) },
            Argument: (node) => void used.push(...(print(node).match(/\$\w+/g) ?? [])),
            StringValue: () => assert.fail('a datum became part of the document'),
          });
          assert.deepEqual(declared.map((name) => `$${name}`).toSorted(), used.toSorted());
          assert.deepEqual(
            Object.keys(variables).toSorted(),
            declared.filter((name) => !['start', 'count'].includes(name)).toSorted(),
          );
        },
      ),
    );
  });
});

suite('A page', () => {
  const row = (id: string, ownerUrn: string): object => ({
    urn: `urn:${id}`,
    id,
    actorUrn: ME,
    ownerUrn,
    name: id,
    createdAt: 1,
    expiresAt: null,
  });

  test('of the caller’s own tokens never has another user’s, even if a server ignores the filter', () => {
    const listed = { total: 2, tokens: [row('mine', ME), row('theirs', 'urn:li:corpuser:other')] };
    assert.deepEqual(
      parseTokenPage(listed, OWN, SCHEMA_OF_1_6)?.tokens.map(({ id }) => id),
      ['mine'],
    );
    assert.equal(parseTokenPage(listed, { ...OWN, scope: { kind: 'all' } }, SCHEMA_OF_1_6)?.tokens.length, 2);
  });

  test('ignores rows beyond the requested number', () => {
    const tokens = Array.from({ length: 1_000 }, (_, index) => row(`t${index}`, ME));
    const page = parseTokenPage({ total: 1_000, tokens }, OWN, SCHEMA_OF_1_6);
    assert.deepEqual([page?.tokens.length, page?.received, page?.tokens.at(-1)?.id], [10, 10, 't9']);
  });

  test('has a numeric total, or none', () => {
    for (const total of [-1, 1.5, 1e300, '7', null]) {
      assert.equal(parseTokenPage({ total, tokens: [] }, OWN, SCHEMA_OF_1_6)?.total, 0);
    }
  });

  test('is undefined for anything else', () => {
    for (const listed of [null, undefined, 7, [], {}, { tokens: null }, { tokens: {} }]) {
      assert.equal(parseTokenPage(listed, OWN, SCHEMA_OF_1_6), undefined, JSON.stringify(listed));
    }
  });
});
