import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  headerProblem,
  headersLeftOut,
  importedHeaders,
  parseHeader,
  withHeader,
} from '../../../src/connections/additionalHeaders.ts';
import type { AdditionalHeaders } from '../../../src/service/http/transport.ts';

const ACCESS: AdditionalHeaders = { 'CF-Access-Client-Id': 'id.access', 'CF-Access-Client-Secret': 'secret' };

function added(headers: AdditionalHeaders, text: string): AdditionalHeaders {
  const header = parseHeader(text);
  assert.equal(headerProblem(header), undefined, text);
  return withHeader(headers, header ?? assert.fail(text));
}

suite('A typed header', () => {
  test('is added, replaces the one of its name in any letters, and is removed without a value', () => {
    assert.deepEqual(added({}, ' X-Key :  a: b  '), { 'X-Key': 'a: b' });
    assert.deepEqual(added(ACCESS, 'cf-access-client-id: another'), {
      'CF-Access-Client-Secret': 'secret',
      'cf-access-client-id': 'another',
    });
    assert.deepEqual(added(ACCESS, 'CF-Access-Client-ID:'), { 'CF-Access-Client-Secret': 'secret' });
  });

  test('may be what identity-aware proxies ask for', () => {
    for (const text of ['Proxy-Authorization: Bearer eyJ', 'Cookie: _oauth2_proxy=abc; a=b', 'X-Goog-IAP-JWT: 1']) {
      assert.equal(Object.keys(added({}, text)).length, 1);
    }
  });

  const access = 'eyJhbGciOiJIUzI1NiJ9.eyJhY3RvciI6ImoifQ.c2lnbmF0dXJlc2ln';
  for (const [what, reason, texts] of [
    [
      "would be one of this extension's or the connection's",
      /^The header [\w-]+ is reserved and can't be added/,
      [
        'Authorization',
        'host',
        'Content-Length',
        'Transfer-Encoding',
        'x-service-actor',
        'X-RestLi-Protocol-Version',
        'X-HTTP-Method-Override',
        '__proto__',
      ].map((name) => `${name}: 1`),
    ],
    [
      'has no name',
      /^Enter a header as Name: value/,
      ['', 'X-Key', ': value', 'jdoe:hunter2', 'X Key: 1', 'X-Kéy: 1', 'X[Key]: 1'],
    ],
    ['has an access token as its name', /^This looks like an access token/, [`${access}: 1`]],
    [
      'can’t be sent',
      /line breaks or accented/,
      ['a\nb', 'a\rX-Other: 1', 'a\0', 'ä', '\u{1F600}'].map((value) => `X-Key: ${value}!`),
    ],
  ] as const) {
    test(`is refused if it ${what}`, () => {
      for (const text of texts) assert.match(headerProblem(parseHeader(text)) ?? '', reason, text);
    });
  }

  test('can be sent whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const header = parseHeader(text);
        if (header !== undefined && headerProblem(header) === undefined) {
          assert.doesNotThrow(() => new Headers(withHeader({}, header)));
        }
      }),
    );
  });
});

test('What is handed to another program says which headers are not in it', () => {
  const origin = 'https://a.example.com';
  assert.deepEqual(headersLeftOut({ signIn: { origin, storedAt: 1, headerNames: ['X-Key', 'X-Id'] } }), [
    "This connection's additional headers aren't included: X-Key, X-Id.",
  ]);
  assert.deepEqual([headersLeftOut({}), headersLeftOut({ signIn: { origin, storedAt: 1 } })], [[], []]);
});

test('Headers of a file are taken if they can be sent', () => {
  assert.deepEqual(
    importedHeaders({ Key: 'a', 'X-Number': 7, 'X-A: b': 'c', Authorization: 'b', 'X-None': null, 'X-Empty': '' }),
    { Key: 'a', 'X-Number': '7' },
  );
});
