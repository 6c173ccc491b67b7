import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SignIn } from '../../../src/connections/connection.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { credentialMatches } from '../../../src/tokens/credentialToken.ts';
import { tokenWith } from '../connections/tokens.ts';

/** As listed and as issued by release 1.6: the claim is in seconds. */
const EXPIRES_AT = 1_796_313_012_794;
const LISTED: AccessToken = { urn: '', id: 'a', actorUrn: 'urn:li:corpuser:carol', expiresAt: EXPIRES_AT };

const SIGN_IN = { origin: 'https://a.example.com', storedAt: 1 };
const OF_CAROL = tokenWith({ type: 'PERSONAL', actorId: 'carol', exp: 1_796_313_012 });

function matchOf(token: AccessToken, signIn: SignIn, credential: string | undefined): unknown {
  return credentialMatches([token], { signIn }, credential).get(token.id);
}

suite('The credential of a connection', () => {
  test('is one token for certain if its ID is known', () => {
    assert.equal(matchOf(LISTED, { ...SIGN_IN, tokenId: 'a' }, OF_CAROL), 'yes');
    assert.equal(matchOf(LISTED, { ...SIGN_IN, tokenId: 'b' }, OF_CAROL), undefined);
  });

  test('may be a token with its user and its end, to the second', () => {
    assert.equal(matchOf(LISTED, SIGN_IN, OF_CAROL), 'maybe');
    for (const [what, token] of [
      ['another end', { ...LISTED, expiresAt: EXPIRES_AT + 1_000 }],
      ['no end', { ...LISTED, expiresAt: null }],
      ['an unknown end', { ...LISTED, expiresAt: undefined }],
      ['another user', { ...LISTED, actorUrn: 'urn:li:corpuser:notcarol' }],
      ['an unlisted user', { ...LISTED, actorUrn: '' }],
    ] as const) {
      assert.equal(matchOf(token, SIGN_IN, OF_CAROL), undefined, what);
    }
  });

  test('may be one that never ends, like the credential', () => {
    const endless = tokenWith({ type: 'PERSONAL', actorId: 'carol' });
    assert.equal(matchOf({ ...LISTED, expiresAt: null }, SIGN_IN, endless), 'maybe');
    assert.equal(matchOf({ ...LISTED, expiresAt: undefined }, SIGN_IN, endless), undefined);
  });

  test('is unknown if signed out, or if it is no token that says whose it is', () => {
    for (const credential of [undefined, 'opaque', tokenWith({ exp: 1_796_313_012 })]) {
      assert.equal(matchOf(LISTED, SIGN_IN, credential), undefined);
    }
  });
});
