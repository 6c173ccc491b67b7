import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  tokenQueryText,
  conditionsOf,
  OWN_TOKENS,
  type PropertyFilter,
  type TokenQueryFilter,
  type TokenListQuery,
  withAddedFilter,
} from '../../../src/tokens/tokenQuery.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const END = String(new Date(2026, 10, 29).getTime());

const named = (value: string): TokenQueryFilter => ({ field: 'name', value, condition: 'CONTAIN' });
const before = (field: PropertyFilter['field']): TokenQueryFilter => ({ field, value: END, condition: 'LESS_THAN' });
const after = (field: PropertyFilter['field']): TokenQueryFilter => ({ field, value: END, condition: 'GREATER_THAN' });
const WITHIN_7: TokenQueryFilter = { kind: 'expiresWithin', days: 7 };
const EXPIRED: TokenQueryFilter = { kind: 'expired' };

function filtersAfter(...chosen: readonly TokenQueryFilter[]): readonly TokenQueryFilter[] {
  return chosen.reduce((query, filter) => withAddedFilter(query, filter), OWN_TOKENS).filters;
}

suite('A filter', () => {
  test('replaces one of the same field, and keeps those of others', () => {
    assert.deepEqual(filtersAfter(named('img'), before('expiresAt'), named('ci')), [before('expiresAt'), named('ci')]);
  });

  test('by expiry replaces any other by expiry, relative or typed', () => {
    for (const last of [WITHIN_7, EXPIRED, before('expiresAt')]) {
      for (const first of [{ kind: 'expiresWithin', days: 30 } as const, EXPIRED, before('expiresAt')]) {
        assert.deepEqual(filtersAfter(named('img'), first, last), [named('img'), last]);
      }
    }
  });

  test('of "after" and one of "before" form a range, each replaceable', () => {
    const range = [after('createdAt'), before('createdAt')];
    assert.deepEqual(filtersAfter(...range), range);
    const later: TokenQueryFilter = { field: 'createdAt', value: '7', condition: 'GREATER_THAN' };
    assert.deepEqual(filtersAfter(...range, later), [before('createdAt'), later]);
    const exact: TokenQueryFilter = { field: 'createdAt', value: '7', condition: 'EQUAL' };
    assert.deepEqual(filtersAfter(...range, exact), [exact]);
  });

  test('keeps the scope', () => {
    assert.equal(withAddedFilter({ scope: 'all', filters: [] }, named('img')).scope, 'all');
  });
});

suite('A request', () => {
  test('has the filters as typed', () => assert.deepEqual(conditionsOf([named('img')], NOW), [named('img')]));

  test('has no name that is only shown', () => {
    assert.deepEqual(conditionsOf([{ field: 'actorUrn', value: 'x', condition: 'EQUAL', name: 'dbt' }], NOW), [
      { field: 'actorUrn', value: 'x', condition: 'EQUAL' },
    ]);
  });

  test("counts relative filters from now: expired tokens don't expire within days", () => {
    assert.deepEqual(conditionsOf([EXPIRED, WITHIN_7], NOW), [
      { field: 'expiresAt', value: String(NOW), condition: 'LESS_THAN' },
      { field: 'expiresAt', value: String(NOW), condition: 'GREATER_THAN' },
      { field: 'expiresAt', value: String(NOW + 7 * DAY), condition: 'LESS_THAN' },
    ]);
  });
});

suite('A query in words', () => {
  const text = (...filters: readonly TokenQueryFilter[]): string => tokenQueryText({ scope: 'own', filters }, 'en');

  test('names each filter without field names, then the scope', () => {
    const query: TokenListQuery = { scope: 'all', filters: [before('expiresAt'), named('img')] };
    assert.equal(tokenQueryText(query, 'en'), 'expires before Nov 29, 2026, name contains "img", all');
    assert.equal(tokenQueryText(OWN_TOKENS, 'en'), '');
  });

  for (const [filter, words] of [
    [WITHIN_7, 'expires within 7 days'],
    [EXPIRED, 'already expired'],
    [{ kind: 'neverExpires' }, 'never expires'],
    [
      { field: 'actorUrn', value: 'urn:li:corpuser:service_1', condition: 'EQUAL', name: 'dbt' },
      'acts as "dbt" (service_1)',
    ],
    [
      { field: 'actorUrn', value: 'urn:li:corpuser:service_2', condition: 'EQUAL', name: 'a\u202Eb\n · expired' },
      'acts as "a b · expired" (service_2)',
    ],
    [after('createdAt'), 'created after Nov 29, 2026'],
    [before('createdAt'), 'created before Nov 29, 2026'],
    [{ field: 'name', value: 'img', condition: 'EQUAL' }, 'name is "img"'],
    [{ field: 'actorUrn', value: 'urn:li:corpuser:jdoe', condition: 'EQUAL' }, 'acts as jdoe'],
    [{ field: 'ownerUrn', value: 'urn:li:corpGroup:ops', condition: 'EQUAL' }, 'created by urn:li:corpGroup:ops'],
  ] as const) {
    test(words, () => assert.equal(text(filter), words));
  }

  test('says how many tokens were read if it applies only to these', () => {
    const never: TokenListQuery = { scope: 'all', filters: [{ kind: 'neverExpires' }] };
    assert.equal(tokenQueryText(never, 'en', 1_040), 'never expires, of 1,040 loaded, all');
  });
});
