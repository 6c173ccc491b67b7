import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  accessOf,
  consentedOrigin,
  hostOf,
  identityOf,
  lacksConsent,
  originOf,
  parseConnection,
  sessionOf,
  withConsentTo,
  withNewCredential,
} from '../../../src/connections/connection.ts';
import { checkBaseUrl } from '../../../src/service/http/baseUrl.ts';
import { checkTypedActor } from '../../../src/service/server/identifiers.ts';

const STORED = {
  id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01',
  name: 'Production',
  baseUrl: 'https://datahub.example.com:8080/base',
  actorUrn: 'urn:li:corpuser:jdoe',
  plainHttpConsent: false,
  createdAt: 1_790_000_000_000,
};

suite('A stored connection', () => {
  test('is parsed unchanged', () => {
    assert.deepEqual(parseConnection(STORED), STORED);
    const more = { ...STORED, product: 'DataHub', credentialTokenId: 'HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A=' };
    assert.deepEqual(parseConnection(more), more);
  });

  test('has the chosen role, or none, as in 0.1.0', () => {
    for (const role of ['development', 'production', 'readOnly']) {
      assert.equal(parseConnection({ ...STORED, role })?.role, role);
    }
    assert.equal(parseConnection(STORED)?.role, undefined);
    assert.equal(parseConnection({ ...STORED, role: undefined })?.role, undefined);
  });

  // A connection's own role never says that the user chose it.
  for (const role of ['developmentChosen', 'staging', '', null, 1, {}, ['development'], 'constructor']) {
    test(`becomes read-only with the unknown role ${JSON.stringify(role)}`, () =>
      assert.equal(parseConnection({ ...STORED, role })?.role, 'readOnly'));
  }

  test('gets a name that can be typed', () => {
    const nameOf = (name: string): string | undefined => parseConnection({ ...STORED, name })?.name;
    assert.equal(nameOf(' Main\u00A0EU\u200B '), 'Main EU');
    assert.equal(nameOf('\u200B\u2060'), 'datahub.example.com:8080');
    // Composed letters may be longer.
    const longest = nameOf('\u0958'.repeat(100)) ?? '';
    assert.ok(longest.length > 90 && nameOf(longest) === longest);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (name) => {
        const read = name.length > 100 ? undefined : nameOf(name);
        assert.ok(read === undefined ? name.length > 100 : read !== '' && nameOf(read) === read);
      }),
    );
  });

  test('drops unknown fields, such as a credential', () => {
    assert.deepEqual(parseConnection({ ...STORED, token: 'eyJhbGciOi', credential: { token: 'x' } }), STORED);
  });

  for (const [which, damage] of Object.entries({
    'no id': { id: undefined },
    'an id that could be the key of something else': { id: '../credential' },
    'no name': { name: '' },
    'a name of a length that nobody types': { name: 'a'.repeat(101) },
    'no address': { baseUrl: undefined },
    'a host alone': { baseUrl: 'datahub.example.com' },
    'a host and a port alone': { baseUrl: 'localhost:8080' },
    'another scheme': { baseUrl: 'ftp://datahub.example.com' },
    'a file for an address': { baseUrl: 'file:///etc/passwd' },
    'a password in its address': { baseUrl: 'https://jdoe:secret@datahub.example.com' },
    'a query in its address': { baseUrl: 'https://datahub.example.com/api/graphql?x=1' },
    'a slash at the end of its address': { baseUrl: 'https://datahub.example.com/' },
    'blanks around its address': { baseUrl: ' https://datahub.example.com' },
    'no actor': { actorUrn: undefined },
    'an actor that would break the header': { actorUrn: 'urn:li:corpuser:a\r\nX-Evil: 1' },
    'an actor that is no URN': { actorUrn: 'jdoe' },
    'an actor that is no user': { actorUrn: 'urn:li:corpGroup:all' },
    'a product that would break the header': { product: 'Data Hub' },
    'a consent that is no boolean': { plainHttpConsent: 'yes' },
    'no time': { createdAt: null },
  })) {
    test(`is not used with ${which}`, () => assert.equal(parseConnection({ ...STORED, ...damage }), undefined));
  }

  for (const damaged of [undefined, null, 'x', 1, [], {}]) {
    test(`is not ${JSON.stringify(damaged)}`, () => assert.equal(parseConnection(damaged), undefined));
  }

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
          const connection = { ...STORED, baseUrl: url.baseUrl, actorUrn: who.actorUrn };
          assert.deepEqual(parseConnection(connection), connection);
          assert.equal(originOf(connection), new URL(url.baseUrl).origin);
        }
      }),
    );
  });
});

suite('The address of a connection', () => {
  test('has an origin for credentials and a host for display', () => {
    assert.equal(originOf(STORED), 'https://datahub.example.com:8080');
    assert.equal(hostOf(STORED), 'datahub.example.com:8080');
    assert.equal(hostOf({ baseUrl: 'http://[::1]:9002' }), '[::1]:9002');
  });

  for (const [baseUrl, plainHttpConsent, lacks] of [
    ['https://datahub.example.com', false, false],
    ['http://datahub.example.com', false, true],
    ['http://datahub.example.com', true, false],
    ['http://10.0.0.7:8080', false, true],
    ['http://localhost:8080', false, false],
    ['http://127.0.0.1:8080', false, false],
    ['http://[::1]:8080', false, false],
    ['http://localhost.example.com', false, true],
    ['ftp://datahub.example.com', true, true],
  ] as const) {
    test(`${baseUrl} ${lacks ? 'needs' : 'needs no'} consent${plainHttpConsent ? ' after it was given' : ''}`, () => {
      assert.equal(lacksConsent({ baseUrl, plainHttpConsent }), lacks);
    });
  }
});

suite('The consent to plain HTTP', () => {
  const plain = { ...STORED, baseUrl: 'http://a.example.com/datahub' };

  test('without an origin, as stored by 0.1.0, counts for the origin of the address', () => {
    const stored = parseConnection({ ...plain, plainHttpConsent: true }) ?? assert.fail();
    assert.equal(lacksConsent(stored), false);
    assert.equal(consentedOrigin(stored), 'http://a.example.com');
  });

  test('to one origin excludes other origins and ports', () => {
    const agreed = withConsentTo('http://a.example.com', plain);
    assert.deepEqual(parseConnection(agreed), agreed);
    assert.equal(lacksConsent(agreed), false);
    assert.equal(lacksConsent({ ...agreed, baseUrl: 'http://a.example.com/other/path' }), false);
    for (const baseUrl of [
      'http://b.example.com',
      'http://a.example.com:8080',
      'http://a.example.com.evil.example.com',
    ]) {
      assert.equal(lacksConsent({ ...agreed, baseUrl }), true, baseUrl);
    }
  });

  test('is needed again after it was revoked', () => {
    const agreed = { ...withConsentTo('http://a.example.com', plain), plainHttpConsent: false };
    assert.equal(lacksConsent(agreed), true);
    assert.equal(consentedOrigin(agreed), undefined);
  });

  test('changes the session, so that a review from before is discarded', () => {
    assert.notEqual(accessOf(withConsentTo('http://a.example.com', plain)), accessOf(plain));
    // Renaming stores the origin, which 0.1.0 didn't, and must not close the session.
    assert.equal(
      accessOf(withConsentTo('http://a.example.com', plain)),
      accessOf({ ...plain, plainHttpConsent: true }),
    );
  });
});

suite('The identity of a connection', () => {
  test('stays the same with a new name', () => {
    const renamed = { ...STORED, name: 'Renamed' };
    assert.equal(identityOf(renamed), identityOf(STORED));
    assert.equal(accessOf(renamed), accessOf(STORED));
  });

  test('stays the same with another role, which only discards a review', () => {
    const roles = ['developmentChosen', 'development', 'production', 'readOnly'] as const;
    assert.equal(new Set(roles.map((role) => accessOf({ ...STORED, role }))).size, 4);
    assert.equal(new Set(roles.map((role) => sessionOf({ ...STORED, role }))).size, 1);
    // Development asks no more than no role.
    assert.equal(accessOf({ ...STORED, role: 'development' }), accessOf(STORED));
  });

  test('changes with the address, the user and the product', () => {
    for (const change of [
      { baseUrl: 'https://datahub.example.com' },
      { actorUrn: 'urn:li:corpuser:other' },
      { product: 'DataHub' },
    ]) {
      assert.notEqual(identityOf({ ...STORED, ...change }), identityOf(STORED));
      assert.notEqual(accessOf({ ...STORED, ...change }), accessOf(STORED));
    }
  });

  test('stays the same after a sign-in or sign-out, which gives a new credential ID each time', () => {
    const first = withNewCredential(STORED);
    const second = withNewCredential(first);
    assert.deepEqual([first, second].map(identityOf), [identityOf(STORED), identityOf(STORED)]);
    assert.equal(new Set([STORED, first, second].map(accessOf)).size, 3);
    assert.deepEqual(parseConnection(second), second);
  });
});
