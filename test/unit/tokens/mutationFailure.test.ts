import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { mutationFailure } from '../../../src/tokens/mutationFailure.ts';

suite('A change that failed', () => {
  test('may have been made where a bug got in the way: nothing says to try again', () => {
    const failure = mutationFailure(new TypeError('a bug'));
    assert.equal(failure.mayHaveActed, true);
    assert.doesNotMatch(failure.advice, /try again/i);
  });

  test('is what the server or the network said otherwise', () => {
    const refused = new ServiceFailure('refused', 'No.', { next: 'Ask.' });
    assert.equal(mutationFailure(refused), refused);
  });
});
