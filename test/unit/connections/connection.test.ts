import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  accessOf,
  accountOf,
  identityOf,
  isSignInOf,
  lacksConsent,
  originOf,
  parseConnection,
  parseSignIn,
  sessionOf,
  type Connection,
} from '../../../src/connections/connection.ts';
import { checkBaseUrl } from '../../../src/service/http/baseUrl.ts';
import { checkTypedActor } from '../../../src/service/server/identifiers.ts';

const STORED = {
  name: 'Production',
  baseUrl: 'https://datahub.example.com:8080/base',
  typedUser: 'urn:li:corpuser:jdoe',
  createdAt: 1_790_000_000_000,
};
const CONNECTION: Connection = { ...STORED, id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01', role: 'development' };

suite('A stored connection', () => {
  test('is parsed unchanged', () => {
    assert.deepEqual(parseConnection(STORED), STORED);
    const more = { ...STORED, product: 'DataHub', plainHttpOrigin: 'http://a.example.com', signedOutAt: 1 };
    assert.deepEqual(parseConnection(more), more);
  });

  test('drops unknown fields, such as a role, which has a file of its own, or a credential', () => {
    const more = { id: 'x', role: 'development', token: 'eyJhbGciOi', credential: { token: 'x' } };
    assert.deepEqual(parseConnection({ ...STORED, ...more }), STORED);
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

  test('is none in anything else', () => {
    for (const damaged of [undefined, null, 'x', []]) assert.equal(parseConnection(damaged), undefined);
  });

  test('is always accepted if it was made of valid input', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
      fc.constant('localhost'),
    );
    const path = fc.constantFrom(
      '',
      '/',
      '/datahub',
      '/a//',
      '/a b',
      '/api/graphql',
      '/gms/gms',
      '/base/api/gms/operations/',
      '/ä/gms',
    );
    const typed = fc
      .tuple(fc.constantFrom('', 'http://', 'HTTPS://'), host, fc.constantFrom('', ':8080', ':443', ':80'), path)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(typed, fc.constantFrom('jdoe', 'urn:li:corpuser:j.doe@example.com', ' admin '), (address, actor) => {
        const [url, who] = [checkBaseUrl(address), checkTypedActor(actor)];
        if ('baseUrl' in url && 'actorUrn' in who) {
          const connection = { ...STORED, baseUrl: url.baseUrl, typedUser: who.actorUrn };
          assert.deepEqual(parseConnection(connection), connection);
          assert.equal(originOf(connection), new URL(url.baseUrl).origin);
        }
      }),
    );
  });
});

suite('Plain HTTP', () => {
  for (const [baseUrl, plainHttpOrigin, lacks] of [
    ['https://datahub.example.com', undefined, false],
    ['http://datahub.example.com', undefined, true],
    ['http://datahub.example.com', 'http://datahub.example.com', false],
    ['http://10.0.0.7:8080', undefined, true],
    ['http://localhost:8080', undefined, false],
    ['http://127.0.0.1:8080', undefined, false],
    ['http://[::1]:8080', undefined, false],
    ['http://localhost.example.com', undefined, true],
    ['http://datahub.example.com/any/path', 'http://datahub.example.com', false],
    ['http://datahub.example.com:8080', 'http://datahub.example.com', true],
    ['http://datahub.example.com.evil.example.com', 'http://datahub.example.com', true],
  ] as const) {
    test(`to ${baseUrl} ${lacks ? 'needs' : 'needs no'} consent beside that to ${plainHttpOrigin ?? 'nothing'}`, () => {
      assert.equal(lacksConsent({ baseUrl, plainHttpOrigin }), lacks);
    });
  }
});

suite('The identity of a connection', () => {
  test('stays the same with a new name', () => {
    const renamed = { ...CONNECTION, name: 'Renamed' };
    assert.equal(identityOf(renamed), identityOf(CONNECTION));
    assert.equal(accessOf(renamed), accessOf(CONNECTION));
  });

  test('stays the same with another role, which only discards a review', () => {
    const roles = ['developmentChosen', 'development', 'production', 'readOnly'] as const;
    const withRole = (role: (typeof roles)[number]): Connection => ({ ...CONNECTION, role });
    assert.equal(new Set(roles.map((role) => accessOf(withRole(role)))).size, 4);
    assert.equal(new Set(roles.map((role) => sessionOf(withRole(role)))).size, 1);
  });

  test('changes with the address, the user and the product', () => {
    for (const change of [
      { baseUrl: 'https://datahub.example.com' },
      { typedUser: 'urn:li:corpuser:other' },
      { product: 'DataHub' },
    ]) {
      assert.notEqual(identityOf({ ...CONNECTION, ...change }), identityOf(CONNECTION));
      assert.notEqual(accessOf({ ...CONNECTION, ...change }), accessOf(CONNECTION));
    }
  });

  test('stays the same after a sign-in, of which each begins a session', () => {
    const signedIn = (storedAt: number): Connection => ({
      ...CONNECTION,
      signIn: { origin: originOf(CONNECTION), storedAt },
    });
    const all = [CONNECTION, signedIn(1), signedIn(2)];
    assert.deepEqual(
      [identityOf, accountOf, sessionOf, accessOf].map((of) => new Set(all.map(of)).size),
      [1, 1, 3, 3],
    );
  });

  test('and its session stay the same when more is known of the same sign-in', () => {
    const signIn = { origin: originOf(CONNECTION), storedAt: 1 };
    const more = { ...signIn, tokenId: 'x', endsAt: 2, isSession: true, source: 'commandLineFile' } as const;
    assert.equal(accessOf({ ...CONNECTION, signIn: more }), accessOf({ ...CONNECTION, signIn }));
  });
});

suite('What is known of a credential', () => {
  const signIn = { origin: 'https://datahub.example.com:8080', storedAt: 10 };

  test('is parsed unchanged, and without a token', () => {
    const more = { ...signIn, tokenId: 'x', endsAt: 2, isSession: true, source: 'commandLineSession' };
    assert.deepEqual(parseSignIn(more), more);
    assert.deepEqual(parseSignIn({ ...signIn, token: 'eyJhbGciOi' }), signIn);
    for (const damaged of [undefined, 'x', { ...signIn, origin: 1 }, { ...signIn, source: 'elsewhere' }]) {
      assert.equal(parseSignIn(damaged), undefined);
    }
  });

  test('belongs to a connection of its origin that was not signed out since', () => {
    assert.equal(isSignInOf(signIn, STORED), true);
    assert.equal(isSignInOf(signIn, { ...STORED, baseUrl: 'https://datahub.example.com:8080/other' }), true);
    assert.equal(isSignInOf(signIn, { ...STORED, signedOutAt: 9 }), true);
    for (const change of [
      { signedOutAt: 10 },
      { signedOutAt: 11 },
      { baseUrl: 'https://datahub.example.com' },
      { baseUrl: 'http://datahub.example.com:8080' },
    ]) {
      assert.equal(isSignInOf(signIn, { ...STORED, ...change }), false, JSON.stringify(change));
    }
  });
});
