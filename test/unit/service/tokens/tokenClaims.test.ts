import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { readTokenClaims } from '../../../../src/service/tokens/tokenClaims.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const tokenWith = (claims: unknown, header: unknown = { alg: 'HS256' }): string =>
  `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claims))}.c2lnbmF0dXJl`;

suite('The claims of an access token', () => {
  test('may be missing or of another type, except the expiry, which must not look like never', () => {
    const none = { type: undefined, actorId: undefined, expiresAtMillis: null };
    for (const claims of [{}, { type: 7, actorId: ['x'] }, { type: '', actorId: 'x'.repeat(1_001) }]) {
      assert.deepEqual(readTokenClaims(tokenWith(claims)), none);
    }
    for (const exp of [null, '1790000000', -1, 1e300, {}, [], true]) {
      assert.equal(readTokenClaims(tokenWith({ exp })), undefined, JSON.stringify(exp));
    }
  });

  for (const [what, text] of [
    ['an empty text', ''],
    ['two parts', tokenWith({}).split('.').slice(0, 2).join('.')],
    ['no signature', tokenWith({}).replace(/[^.]*$/, '')],
    ['four parts', `${tokenWith({})}.x`],
    ['a list of claims', tokenWith([])],
    ['a header without algorithm', tokenWith({}, {})],
    ['a payload that is no JSON', `${encode('{"alg":"HS256"}')}.${encode('{"a')}.x`],
    [
      'a payload that is no UTF-8',
      `${encode('{"alg":"HS256"}')}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.x`,
    ],
    ['a space before it', ` ${tokenWith({})}`],
    ['a line break after it', `${tokenWith({})}\n`],
    ['a text that is too long', `${tokenWith({})}${'x'.repeat(16_384)}`],
    ['nesting without end', `${encode('{"alg":"HS256"}')}.${encode('['.repeat(9_000))}.x`],
  ] as const) {
    test(`are not read from ${what}`, () => assert.equal(readTokenClaims(text), undefined));
  }

  test('are what was written', () => {
    const name = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' });
    fc.assert(
      fc.property(name, name, fc.option(fc.nat(), { nil: undefined }), (type, actorId, exp) => {
        assert.deepEqual(readTokenClaims(tokenWith({ type, actorId, exp })), {
          type,
          actorId,
          expiresAtMillis: exp === undefined ? null : exp * 1_000,
        });
      }),
    );
  });
});
