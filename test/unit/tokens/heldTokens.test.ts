import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import { tokenUrn, type AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { HeldTokens } from '../../../src/tokens/heldTokens.ts';

const TOKEN_STRING = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqZG9lIn0.c2lnbmF0dXJl';
const ID = 'HnMJ+/=';

let held: HeldTokens;

function tokenWith(id: string, expiresAt?: number | null): AccessToken {
  return { urn: tokenUrn(id), id, actorUrn: 'urn:li:corpuser:jdoe', expiresAt };
}

beforeEach(() => {
  held = new HeldTokens();
});

suite('The value of a created token', () => {
  beforeEach(() => held.hold('a', tokenWith(ID), new TokenSecret(TOKEN_STRING)));

  test('is held for its own token until released', () => {
    assert.equal(held.secretOf('a', ID)?.reveal(), TOKEN_STRING);
    assert.equal(held.secretOf('b', ID), undefined);
    held.release('a', ID);
    assert.equal(held.secretOf('a', ID), undefined);
  });

  test('stays after it was copied, but is not counted as one that would be lost', () => {
    held.hold('a', tokenWith('another'), new TokenSecret(TOKEN_STRING));
    assert.equal(held.uncopiedCount('a'), 2);
    held.markCopied('a', ID);
    held.markCopied('a', 'of nothing');
    assert.equal(held.uncopiedCount('a'), 1);
    assert.equal(held.secretOf('a', ID)?.reveal(), TOKEN_STRING);
    held.hold('b', tokenWith(ID), new TokenSecret(TOKEN_STRING));
    held.releaseAll('a');
    assert.equal(held.secretOf('a', ID), undefined);
    assert.equal(held.uncopiedCount('b'), 1, 'that of another connection would be lost');
  });

  test('ends with the token, and would not be lost then', () => {
    let now = 1_000;
    const timed = new HeldTokens({ now: () => now });
    timed.hold('a', tokenWith('soon', 2_000), new TokenSecret(TOKEN_STRING));
    timed.hold('a', tokenWith('never', null), new TokenSecret(TOKEN_STRING));
    timed.hold('a', tokenWith('unknown'), new TokenSecret(TOKEN_STRING));
    const left = (): string[] => ['soon', 'never', 'unknown'].filter((id) => timed.secretOf('a', id) !== undefined);
    now = 1_999;
    assert.deepEqual([left(), timed.uncopiedCount('a')], [['soon', 'never', 'unknown'], 3]);
    now = 2_000;
    assert.deepEqual([left(), timed.uncopiedCount('a')], [['never', 'unknown'], 2]);
    now = 1_000;
    assert.deepEqual(left(), ['never', 'unknown'], 'although the clock was set back');
  });

  test('fires an event when held and when released, since rows offer it only in between', () => {
    const told: string[] = [];
    held.onDidChange((id) => told.push(id));
    held.release('a', ID);
    held.release('a', ID);
    held.releaseAll('b');
    assert.deepEqual(told, ['a'], 'nothing else changed');
    held.hold('b', tokenWith(ID), new TokenSecret(TOKEN_STRING));
    held.markCopied('b', ID);
    held.releaseAll('b');
    assert.deepEqual(told, ['a', 'b', 'b'], 'held, gone');
  });
});
