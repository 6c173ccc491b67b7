import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { withRetries } from '../../../../src/service/http/retry.ts';
import { sleep } from '../../../../src/service/http/waiting.ts';
import { failureOf, recordedPauses } from '../clients.ts';

const busy = (retryAfterMillis?: number): ServiceFailure =>
  new ServiceFailure('throttled', 'Busy.', { next: 'Try again.', transient: true, retryAfterMillis });

/** A read that fails with these errors before it succeeds, and counts its attempts. */
function failing(...failures: Error[]): { readonly read: () => Promise<string>; readonly tries: () => number } {
  let tries = 0;
  return {
    read: () => {
      const failure = failures[tries++];
      return failure === undefined ? Promise.resolve('read') : Promise.reject(failure);
    },
    tries: () => tries,
  };
}

suite('A failed read', () => {
  test('is tried three times at most, with growing, random pauses', async () => {
    const { read, tries } = failing(busy(), busy(), busy());
    const { pauses, pause } = recordedPauses();
    assert.equal((await failureOf(withRetries(read, undefined, pause))).message, 'Busy.');
    assert.deepEqual([tries(), pauses.length], [3, 2]);
    const [first = 0, second = 0] = pauses;
    assert.ok(first >= 250 && first < 500 && second >= 500 && second < 1_000, pauses.join());
    for (let again = 0; again < 9; again++) {
      assert.equal(await withRetries(failing(busy()).read, undefined, pause), 'read');
    }
    assert.equal(new Set(pauses).size, 11, 'clients that failed at once do not come back at once');
  });

  for (const [asked, waited] of [
    [0, [250]],
    [4_000, [4_000]],
    [5_000, [5_000]],
    // Too long for the user.
    [5_001, []],
    [60_000, []],
  ] as const) {
    test(`waits as long as the server demands, within reason: ${asked} ms`, async () => {
      const { pauses, pause } = recordedPauses();
      const { read, tries } = failing(busy(asked));
      await withRetries(read, undefined, pause).catch(() => undefined);
      assert.deepEqual([pauses, tries()], [waited, waited.length + 1]);
    });
  }

  test('is not repeated if the failure is permanent, or a bug of the extension', async () => {
    for (const failure of [
      new ServiceFailure('refused', 'No.'),
      new TypeError('a bug'),
      Object.assign(new Error('of another'), { transient: true }),
    ]) {
      const { read, tries } = failing(failure);
      await assert.rejects(withRetries(read, undefined, recordedPauses().pause), (thrown) => thrown === failure);
      assert.equal(tries(), 1);
    }
  });

  test('is not repeated once it is cancelled', async () => {
    const control = new AbortController();
    const { read, tries } = failing(busy(), busy());
    const work = withRetries(read, control.signal, async (_, signal) => {
      control.abort();
      return sleep(1_000_000, signal);
    });
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.equal(tries(), 1);
  });
});
