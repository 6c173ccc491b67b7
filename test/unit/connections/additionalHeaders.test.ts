import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  headersLeftOut,
  importedHeaders,
  withHeader,
  type AdditionalHeaders,
} from '../../../src/connections/additionalHeaders.ts';

const ACCESS: AdditionalHeaders = { 'CF-Access-Client-Id': 'id.access', 'CF-Access-Client-Secret': 'secret' };

function added(headers: AdditionalHeaders, text: string): AdditionalHeaders {
  const result = withHeader(headers, text);
  assert.ok('headers' in result, text);
  return result.headers;
}

function problemOf(headers: AdditionalHeaders, text: string): string {
  const result = withHeader(headers, text);
  assert.ok('problem' in result, text);
  return result.problem;
}

suite('A typed header', () => {
  test('is added, replaces the one of its name in any letters, and is removed without a value', () => {
    assert.deepEqual(added({}, ' X-Key :  a: b  '), { 'X-Key': 'a: b' });
    assert.deepEqual(added(ACCESS, 'cf-access-client-id: another'), {
      'CF-Access-Client-Secret': 'secret',
      'cf-access-client-id': 'another',
    });
    assert.deepEqual(added(ACCESS, 'CF-Access-Client-ID:'), { 'CF-Access-Client-Secret': 'secret' });
    assert.deepEqual(added({}, 'X-Key:'), {});
  });

  test('may be what identity-aware proxies ask for', () => {
    for (const text of ['Proxy-Authorization: Bearer eyJ', 'Cookie: _oauth2_proxy=abc; a=b', 'X-Goog-IAP-JWT: 1']) {
      assert.equal(Object.keys(added({}, text)).length, 1);
    }
  });

  for (const name of [
    'Authorization',
    'host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'User-Agent',
    'Accept',
    'X-DataHub-Actor',
    'x-service-actor',
    'X-RestLi-Protocol-Version',
  ]) {
    test(`is refused where it would be one of this extension's or the connection's: ${name}`, () => {
      assert.match(problemOf({}, `${name}: 1`), new RegExp(`^The header ${name} can't be added`));
    });
  }

  for (const text of ['', 'X-Key', ': value', 'X Key: 1', 'X-Kéy: 1', 'X[Key]: 1', `${'x'.repeat(101)}: 1`]) {
    test(`needs a name: ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.match(problemOf({}, text), /^Enter it as Name: value/);
    });
  }

  test('has a value that can be sent', () => {
    for (const value of ['a\nb', 'a\rX-Other: 1', 'a\0', 'ä', '\u{1F600}']) {
      assert.match(problemOf({}, `X-Key: ${value}!`), /line breaks or accented/);
    }
    assert.match(problemOf({}, `X-Key: ${'x'.repeat(8_193)}`), /^Too long/);
  });

  test('is one of ten at most', () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`X-${at}`, '1']));
    assert.match(problemOf(ten, 'X-Key: 1'), /^At most 10 headers/);
    assert.equal(added(ten, 'X-3: another')['X-3'], 'another');
  });

  test('can be sent whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const result = withHeader({}, text);
        assert.doesNotThrow(() => new Headers('headers' in result ? result.headers : {}));
      }),
    );
  });
});

suite('What is handed to another program', () => {
  test('says which headers are not in it', () => {
    const origin = 'https://a.example.com';
    assert.deepEqual(headersLeftOut({ signIn: { origin, storedAt: 1, headerNames: ['X-Key', 'X-Id'] } }), [
      "This connection's additional headers aren't included: X-Key, X-Id.",
    ]);
    assert.deepEqual([headersLeftOut({}), headersLeftOut({ signIn: { origin, storedAt: 1 } })], [[], []]);
  });
});

suite('Headers of a file', () => {
  test('are taken if they can be sent, and named if not', () => {
    assert.deepEqual(
      importedHeaders({ 'X-Key': 'a', 'X-Number': 7, Authorization: 'b', 'X-None': null, 'X-Empty': '' }),
      {
        headers: { 'X-Key': 'a', 'X-Number': '7' },
        refused: ['Authorization', 'X-None', 'X-Empty'],
      },
    );
  });
});
