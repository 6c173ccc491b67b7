import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { readTokenClaims } from '../../../../src/service/tokens/tokenClaims.ts';

/** A token with these claims, as text or to be written as JSON. */
function tokenWith(claims: unknown): string {
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
  return `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(text).toString('base64url')}.c2lnbmF0dXJl`;
}

suite('The claims of a token', () => {
  test('say kind, user and end', () => {
    const claims = { version: '2', type: 'PERSONAL', actorType: 'USER', actorId: 'jdoe', exp: 1_790_000_000 };
    assert.deepEqual(readTokenClaims(tokenWith(claims)), {
      type: 'PERSONAL',
      actorId: 'jdoe',
      expiresAtMillis: 1_790_000_000_000,
    });
  });

  test('without an end: it never expires', () =>
    assert.equal(readTokenClaims(tokenWith({ type: 'SESSION' }))?.expiresAtMillis, null));

  test('are those of no other text', () => {
    const long = tokenWith({ actorId: 'x'.repeat(20_000) });
    for (const text of ['', 'opaque', 'a.b', tokenWith('no JSON'), tokenWith('[]'), tokenWith('null'), long]) {
      assert.equal(readTokenClaims(text), undefined, text.slice(0, 40));
    }
  });

  test('with an impossible end are none', () => {
    for (const exp of [-1, 1e300, '1790000000', null, {}]) {
      assert.equal(readTokenClaims(tokenWith({ exp })), undefined, JSON.stringify(exp));
    }
  });

  test('of any text are none or possible, and reading them throws nothing', () => {
    const claims = fc.record({ type: fc.anything(), actorId: fc.anything(), exp: fc.anything() }, { requiredKeys: [] });
    const texts = fc.oneof(
      fc.string(),
      fc.json().map(tokenWith),
      claims.map((one) => tokenWith(fc.stringify(one))),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = readTokenClaims(text);
        const end = read?.expiresAtMillis ?? 0;
        assert.ok(!Number.isNaN(new Date(end).getTime()));
        assert.ok([read?.type, read?.actorId].every((one) => one === undefined || typeof one === 'string'));
      }),
    );
  });
});
