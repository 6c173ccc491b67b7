import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { mutationFailure, revocationFailure } from '../../../src/tokens/tokenTexts.ts';

suite('A failed change', () => {
  test('may have been made if a bug got in the way, so nothing suggests a retry', () => {
    const failure = mutationFailure(new TypeError('a bug'));
    assert.equal(failure.mayHaveActed, true);
    assert.doesNotMatch(failure.advice, /try again/i);
  });
});

const refused = new ServiceFailure('refused', 'The server refused.', {
  serverText: 'Unauthorized to revoke',
  next: 'Ask an administrator.',
});
const broken = new ServiceFailure('server', 'The server failed: disk full', { serverText: 'disk full' });
const lost = new ServiceFailure('timedOut', 'No answer came.', { mayHaveActed: true, next: 'Try again.' });

suite('Failed revocations', () => {
  test("with an unknown outcome aren't called failed, and suggest no immediate retry", () => {
    const failure = revocationFailure([{ label: 'a', failure: lost, isListed: true }], 1, 'prod');
    assert.equal(failure.message, '"a" may or may not have been revoked on "prod": No answer came.');
    assert.match(failure.next ?? '', /^Refresh/);
  });

  test('are reported one by one, each with its reason', () => {
    const both = [
      { label: 'a', failure: refused, isListed: true },
      { label: 'b', failure: broken, isListed: true },
    ] as const;
    const failure = revocationFailure(both, 3, 'prod');
    assert.equal(
      failure.message,
      '2 of 3 access tokens weren\'t revoked on "prod": "a": The server refused. Server response: Unauthorized to revoke. "b": The server failed: disk full',
    );
    const mixed = revocationFailure([...both, { label: 'c', failure: lost, isListed: true }], 3, 'prod');
    assert.match(mixed.message, /on "prod", or the result is unknown: .*"c": No answer came\.$/);
    assert.equal(mixed.mayHaveActed, true);
    assert.match(mixed.next ?? '', /^Refresh/);
  });

  test('of a token that the tree does not list are looked up by its value, since refreshing shows nothing', () => {
    const failure = revocationFailure([{ label: 'a', failure: lost, isListed: false }], 1, 'prod');
    assert.match(failure.next ?? '', /^It may still work\. .*"Inspect Access Token"/);
  });
});
