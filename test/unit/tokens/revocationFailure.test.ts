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

  test('is otherwise the failure of the server or network', () => {
    const refused = new ServiceFailure('refused', 'No.', { next: 'Ask.' });
    assert.equal(mutationFailure(refused), refused);
  });
});

const refused = new ServiceFailure('refused', 'The server refused.', {
  serverText: 'Unauthorized to revoke',
  next: 'Ask an administrator.',
});
const broken = new ServiceFailure('server', 'The server failed: disk full', { serverText: 'disk full' });
const lost = new ServiceFailure('timedOut', 'No answer came.', { mayHaveActed: true, next: 'Try again.' });

suite('Failed revocations', () => {
  test("are reported with the server's reason", () => {
    const failure = revocationFailure([{ label: 'nightly', failure: refused }], 1);
    assert.equal(
      failure.message,
      '"nightly" wasn\'t revoked: The server refused. The server says: Unauthorized to revoke',
    );
    assert.deepEqual([failure.next, failure.kind], [refused.next, 'refused']);
  });

  test('quote the server once', () => {
    assert.equal(
      revocationFailure([{ label: 'a', failure: broken }], 1).message,
      '"a" wasn\'t revoked: The server failed: disk full',
    );
  });

  test("with an unknown outcome aren't called failed, and suggest no immediate retry", () => {
    const failure = revocationFailure([{ label: 'a', failure: lost }], 1);
    assert.equal(failure.message, '"a" may or may not have been revoked: No answer came.');
    assert.match(failure.next ?? '', /^Refresh/);
  });

  test('are reported one by one, each with its reason', () => {
    const both = [
      { label: 'a', failure: refused },
      { label: 'b', failure: broken },
    ] as const;
    const failure = revocationFailure(both, 3);
    assert.equal(
      failure.message,
      '2 of 3 access tokens weren\'t revoked: "a": The server refused. The server says: Unauthorized to revoke "b": The server failed: disk full',
    );
    const mixed = revocationFailure([...both, { label: 'c', failure: lost }], 3);
    assert.match(mixed.message, /or the result is unknown: .*"c": No answer came\.$/);
    assert.equal(mixed.mayHaveActed, true);
    assert.match(mixed.next ?? '', /^Refresh/);
  });
});
