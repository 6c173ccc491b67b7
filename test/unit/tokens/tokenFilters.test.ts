import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  tokenQueryText,
  conditionsOf,
  contradicts,
  OWN_TOKENS,
  listsAllUsers,
  type PropertyFilter,
  saidOfToken,
  type TokenQueryFilter,
  type TokenListQuery,
} from '../../../src/tokens/tokenFilters.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const END = String(new Date(2026, 10, 29).getTime());

const named = (value: string): TokenQueryFilter => ({ field: 'name', value, condition: 'CONTAIN' });
const before = (field: PropertyFilter['field']): TokenQueryFilter => ({ field, value: END, condition: 'LESS_THAN' });
const after = (field: PropertyFilter['field']): TokenQueryFilter => ({ field, value: END, condition: 'GREATER_THAN' });
const SOON: TokenQueryFilter = { kind: 'expiresSoon' };
const EXPIRED: TokenQueryFilter = { kind: 'expired' };

suite('A filter', () => {
  test('contradicts one of the same field, and none of others', () => {
    assert.equal(contradicts(named('img'), named('ci')), true);
    assert.equal(contradicts(named('img'), before('expiresAt')), false);
  });

  test('by expiry contradicts any other by expiry, relative or typed', () => {
    for (const one of [SOON, EXPIRED, before('expiresAt')]) {
      for (const other of [{ kind: 'neverExpires' } as const, EXPIRED, before('expiresAt')]) {
        assert.deepEqual([contradicts(one, other), contradicts(other, one)], [true, true]);
      }
    }
  });

  test('of "after" and one of "before" form a range, which an exact one contradicts', () => {
    assert.equal(contradicts(after('createdAt'), before('createdAt')), false);
    assert.equal(contradicts(after('createdAt'), after('createdAt')), true);
    assert.equal(contradicts(after('createdAt'), { field: 'createdAt', condition: 'EQUAL' }), true);
  });
});

test("What a filter says of a token is said only of one that meets it: a new one needn't", () => {
  const query: TokenListQuery = { scope: 'all', filters: [{ kind: 'neverExpires' }] };
  assert.deepEqual(saidOfToken(query, { expiresAt: null }, NOW), { expiry: true, user: false });
  assert.deepEqual(saidOfToken(query, { expiresAt: NOW + DAY }, NOW), { expiry: false, user: false });
  const expired: TokenListQuery = { scope: 'own', filters: [EXPIRED] };
  assert.equal(saidOfToken(expired, { expiresAt: NOW - 1 }, NOW).expiry, true);
  assert.equal(saidOfToken(expired, { expiresAt: NOW + 1 }, NOW).expiry, false);
});

test('A filter by creator lists the tokens of all users, as long as it is set', () => {
  const filter: TokenQueryFilter = { field: 'ownerUrn', value: 'urn:li:corpuser:jdoe', condition: 'EQUAL' };
  const query: TokenListQuery = { ...OWN_TOKENS, filters: [filter] };
  assert.deepEqual([listsAllUsers(query), query.scope], [true, 'own']);
  assert.equal(listsAllUsers({ ...query, filters: [] }), false);
});

suite('A request', () => {
  test('has no name that is only shown', () => {
    assert.deepEqual(conditionsOf([{ field: 'actorUrn', value: 'x', condition: 'EQUAL', name: 'dbt' }], NOW), [
      { field: 'actorUrn', value: 'x', condition: 'EQUAL' },
    ]);
  });

  test("counts relative filters from now: expired tokens don't expire within days", () => {
    assert.deepEqual(conditionsOf([EXPIRED, SOON], NOW), [
      { field: 'expiresAt', value: String(NOW), condition: 'LESS_THAN' },
      { field: 'expiresAt', value: String(NOW), condition: 'GREATER_THAN' },
      { field: 'expiresAt', value: String(NOW + 30 * DAY), condition: 'LESS_THAN' },
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
    [SOON, 'expires within 30 days'],
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
    assert.equal(tokenQueryText(never, 'en', 1_040), 'never expires (of 1,040 loaded), all');
  });
});
