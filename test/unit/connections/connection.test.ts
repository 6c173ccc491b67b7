import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  accessOf,
  accountOf,
  identityOf,
  originOf,
  parseConnection,
  parseSignIn,
  sessionOf,
  type Connection,
  lacksConsent,
} from '../../../src/connections/connection.ts';

const STORED = {
  name: 'Production',
  baseUrl: 'https://datahub.example.com:8080/base',
  typedUser: 'urn:li:corpuser:jdoe',
  createdAt: 1_790_000_000_000,
};

suite('A stored connection', () => {
  test('is parsed without unknown fields, such as a role, which has a file of its own, or a credential', () => {
    const unknown = { id: 'x', role: 'development', token: 'eyJhbGciOi', credential: { token: 'x' } };
    const whole = { ...STORED, product: 'DataHub', plainHttpOrigin: 'http://a.example.com', signedOutAt: 1 };
    for (const stored of [STORED, whole]) assert.deepEqual(parseConnection({ ...stored, ...unknown }), stored);
  });

  for (const [which, damage] of Object.entries({
    'no name': { name: '' },
    'a name of a length that nobody types': { name: 'a'.repeat(101) },
    'no address': { baseUrl: undefined },
    'a host alone': { baseUrl: 'datahub.example.com' },
    'another scheme': { baseUrl: 'ftp://datahub.example.com' },
    'a password in its address': { baseUrl: 'https://jdoe:secret@datahub.example.com' },
    'a slash at the end of its address': { baseUrl: 'https://datahub.example.com/' },
    'an actor that would break the header': { typedUser: 'urn:li:corpuser:a\r\nX-Evil: 1' },
    'an actor that is no URN': { typedUser: 'jdoe' },
    'an actor that is no user': { typedUser: 'urn:li:corpGroup:all' },
    'a product that would break the header': { product: 'Data Hub' },
    'a consent that is no origin': { plainHttpOrigin: true },
    'no time': { createdAt: null },
    'a sign-out without a time': { signedOutAt: true },
  })) {
    test(`is not used with ${which}`, () => assert.equal(parseConnection({ ...STORED, ...damage }), undefined));
  }
});

for (const [baseUrl, plainHttpOrigin, lacks] of [
  ['https://datahub.example.com', undefined, false],
  ['http://datahub.example.com', undefined, true],
  ['http://datahub.example.com', 'http://datahub.example.com', false],
  ['http://localhost:8080', undefined, false],
  ['http://localhost.example.com', undefined, true],
  ['http://datahub.example.com/any/path', 'http://datahub.example.com', false],
  ['http://datahub.example.com:8080', 'http://datahub.example.com', true],
  ['http://datahub.example.com.evil.example.com', 'http://datahub.example.com', true],
] as const) {
  test(`Plain HTTP to ${baseUrl} ${lacks ? 'needs' : 'needs no'} consent beside that to ${plainHttpOrigin ?? 'nothing'}`, () => {
    assert.equal(lacksConsent({ baseUrl, plainHttpOrigin }), lacks);
  });
}

/** What tells connections apart: lists, requests, consents and reviews belong to one of these. */
const KEYS = { identityOf, sessionOf, accessOf, accountOf } as const;

suite('The identity of a connection', () => {
  const signIn = { origin: originOf(STORED), storedAt: 1 };
  const connection: Connection = { ...STORED, id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01', role: 'development', signIn };
  const more = { ...signIn, tokenId: 'x', endsAt: 2, isSession: true, source: 'commandLineFile' } as const;
  for (const [what, change, expected] of [
    ['a new name', { name: 'Renamed' }, []],
    ['more that is known of the same sign-in', { signIn: more }, []],
    ['another sign-in', { signIn: { ...signIn, storedAt: 2 } }, ['sessionOf', 'accessOf']],
    ['a sign-out', { signIn: undefined }, ['sessionOf', 'accessOf']],
    ['another role', { role: 'production' }, ['accessOf', 'accountOf']],
    ['another user of the token', { actorUrn: 'urn:li:corpuser:other' }, ['accountOf']],
    ['another typed user', { typedUser: undefined }, ['identityOf', 'sessionOf', 'accessOf']],
    ['another product', { product: 'DataHub' }, ['identityOf', 'sessionOf', 'accessOf']],
    ['a consent', { plainHttpOrigin: originOf(STORED) }, ['identityOf', 'sessionOf', 'accessOf']],
    ['another address', { baseUrl: 'https://datahub.example.com' }, Object.keys(KEYS)],
  ] as const) {
    test(`with ${what} is ${expected.length === 0 ? 'the same' : `another in ${expected.join(', ')}`}`, () => {
      const changed = { ...connection, ...change };
      const different = Object.entries(KEYS).filter(([, keyOf]) => keyOf(changed) !== keyOf(connection));
      assert.deepEqual(
        different.map(([name]) => name),
        expected,
      );
    });
  }
});

suite('What is known of a credential', () => {
  const signIn = { origin: 'https://datahub.example.com:8080', storedAt: 10 };

  test('is parsed unchanged, and without a token', () => {
    const more = { ...signIn, tokenId: 'x', endsAt: 2, isSession: true, source: 'commandLineFile' };
    assert.deepEqual(parseSignIn(more), more);
    assert.deepEqual(parseSignIn({ ...signIn, token: 'eyJhbGciOi' }), signIn);
    for (const damaged of [undefined, 'x', { ...signIn, origin: 1 }, { ...signIn, source: 'elsewhere' }]) {
      assert.equal(parseSignIn(damaged), undefined);
    }
  });
});
