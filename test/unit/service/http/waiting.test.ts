import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import { sleep, untilAborted, withRetries } from '../../../../src/service/http/waiting.ts';
import { systemClock, type Clock } from '../../../../src/time.ts';
import { failureOf, transportAt, CHANGE, recordedPauses } from '../clients.ts';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';

suite('A network stack that waits for something else', () => {
  /**
   * Like VS Code's, which asks the workbench for a proxy before sending: a window that lost the workbench waits for
   * ever.
   */
  const waiting: NetworkAccess = { ...systemNetwork, fetch: () => new Promise(() => undefined) };
  const stalled: NetworkAccess = {
    ...systemNetwork,
    fetch: async (_, init) => {
      await new Response(init?.body ?? null).text();
      return new Response(new ReadableStream());
    },
  };
  /** A change has at least 30 s, whatever limit is set. */
  const hasty: Clock = { ...systemClock, after: (millis, work) => systemClock.after(millis / 1_000, work) };
  /** A failing test would never end. */
  const PATIENCE = { timeout: 5_000 };

  for (const [what, network, mayHaveActed] of [
    ['before it sends', waiting, false],
    ['before it returns the response', stalled, true],
  ] as const) {
    test(`${what} is abandoned at the limit of a request`, PATIENCE, async () => {
      const transport = transportAt('http://localhost:1', { network: { ...network, clock: hasty } });
      const failure = await failureOf(transport.exchange(CHANGE));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['timedOut', mayHaveActed]);
    });

    test(`${what} is abandoned if its service is closed`, PATIENCE, async () => {
      const control = new AbortController();
      const cancelling: NetworkAccess = {
        ...network,
        fetch: (...request) => {
          setImmediate(() => control.abort());
          return network.fetch(...request);
        },
      };
      const transport = transportAt('http://localhost:1', { network: cancelling });
      const failure = await failureOf(transport.exchange({ ...CHANGE, signal: control.signal }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], [mayHaveActed ? 'cancelled' : 'notSent', mayHaveActed]);
    });
  }
});

suite('A pause', () => {
  test('ends at once when it is cancelled, before or meanwhile, without its timer', async () => {
    assert.equal((await failureOf(sleep(1_000_000, AbortSignal.abort()))).kind, 'cancelled');
    const stopped: number[] = [];
    const clock: Clock = { ...systemClock, after: (millis) => () => void stopped.push(millis) };
    const control = new AbortController();
    const work = sleep(7_000, control.signal, clock);
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.deepEqual(stopped, [7_000]);
  });

  test('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

suite('A wait for work that continues', () => {
  test('returns the result of the work, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(7), undefined), 7);
    assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
    await assert.rejects(untilAborted(Promise.reject(new RangeError('x')), signal), RangeError);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  test('ends on cancellation, and a later result has no effect', async () => {
    const work = Promise.withResolvers<never>();
    const control = new AbortController();
    const waiting = untilAborted(work.promise, control.signal);
    control.abort();
    assert.equal((await failureOf(waiting)).kind, 'cancelled');
    assert.equal((await failureOf(untilAborted(work.promise, control.signal))).kind, 'cancelled');
    work.reject(new Error('too late'));
  });
});

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

  test('is repeated a limited number of times, whatever goes wrong, after a pause that is never too short', async () => {
    const facts = fc.record({
      transient: fc.boolean(),
      retryAfterMillis: fc.option(fc.nat(100_000), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(facts), async (failures) => {
        const { read, tries } = failing(...failures.map((fact) => new ServiceFailure('throttled', 'Busy.', fact)));
        const { pauses, pause } = recordedPauses();
        await withRetries(read, undefined, pause).catch(() => undefined);
        assert.ok(tries() <= 3 && pauses.every((millis) => millis >= 250 && millis <= 5_000), pauses.join());
      }),
    );
  });
});
