import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { sleep, untilAborted, withRetries } from '../../../../src/service/http/waiting.ts';
import { systemClock, type Clock } from '../../../../src/time.ts';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import type { TransportRequest } from '../../../../src/service/http/transport.ts';
import { ALWAYS, failureOf, READING, recordedPauses, transportAt } from '../clients.ts';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';

suite('A cancellable wait', () => {
  test('removes its listener, however the work ends', async () => {
    const { signal } = new AbortController();
    await untilAborted(Promise.resolve(7), signal);
    await assert.rejects(untilAborted(Promise.reject(new Error('no')), signal), /no/);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

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
  const change: TransportRequest = { operation: READING, method: 'POST', path: '/x', body: '{}', mayStillSend: ALWAYS };

  for (const [what, network, mayHaveActed] of [
    ['before it sends', waiting, false],
    ['before it returns the response', stalled, true],
  ] as const) {
    test(`${what} is abandoned at the limit of a request`, PATIENCE, async () => {
      const transport = transportAt('http://localhost:1', { network: { ...network, clock: hasty } });
      const failure = await failureOf(transport.exchange(change));
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
      const failure = await failureOf(transport.exchange({ ...change, signal: control.signal }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], [mayHaveActed ? 'cancelled' : 'notSent', mayHaveActed]);
    });
  }
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
    assert.equal(tries(), 3);
    assert.equal(pauses.length, 2);
    assert.ok(pauses[0] !== undefined && pauses[0] >= 250 && pauses[0] < 500, String(pauses[0]));
    assert.ok(pauses[1] !== undefined && pauses[1] >= 500 && pauses[1] < 1_000, String(pauses[1]));
    for (let again = 0; again < 9; again++) {
      await withRetries(failing(busy()).read, undefined, pause);
    }
    assert.equal(new Set(pauses).size, 11, 'clients that failed at once do not come back at once');
  });

  test('may succeed after a few attempts', async () => {
    const { read, tries } = failing(busy(), busy());
    assert.equal(await withRetries(read, undefined, recordedPauses().pause), 'read');
    assert.equal(tries(), 3);
  });

  test('waits as long as the server demands, unless that is too long for the user', async () => {
    const patient = recordedPauses();
    await withRetries(failing(busy(4_000)).read, undefined, patient.pause);
    await withRetries(failing(busy(5_000)).read, undefined, patient.pause);
    assert.deepEqual(patient.pauses, [4_000, 5_000]);
    await failureOf(withRetries(failing(busy(5_001)).read, undefined, patient.pause));
    const { read, tries } = failing(busy(60_000));
    await failureOf(withRetries(read, undefined, patient.pause));
    assert.equal(tries(), 1);
  });

  test('pauses briefly even if the server demands no pause', async () => {
    const { pauses, pause } = recordedPauses();
    await withRetries(failing(busy(0)).read, undefined, pause);
    assert.ok((pauses[0] ?? 0) >= 250, String(pauses[0]));
  });

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

suite('A pause', () => {
  test('ends by itself', async () => {
    await sleep(1, undefined);
    await sleep(1, new AbortController().signal);
  });

  test('ends at once when it is cancelled, before or meanwhile', async () => {
    assert.equal((await failureOf(sleep(1_000_000, AbortSignal.abort()))).kind, 'cancelled');
    const control = new AbortController();
    const work = sleep(1_000_000, control.signal);
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
  });
});

suite('A wait for work that continues', () => {
  test('returns the result of the work', async () => {
    assert.equal(await untilAborted(Promise.resolve(7), undefined), 7);
    assert.equal(await untilAborted(Promise.resolve(7), new AbortController().signal), 7);
    await assert.rejects(untilAborted(Promise.reject(new RangeError('x')), new AbortController().signal), RangeError);
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

suite('The number of attempts', () => {
  test('is limited, whatever goes wrong', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ transient: fc.boolean(), retryAfterMillis: fc.option(fc.nat(100_000), { nil: undefined }) }),
        ),
        async (facts) => {
          const { read, tries } = failing(...facts.map((fact) => new ServiceFailure('throttled', 'Busy.', fact)));
          const { pauses, pause } = recordedPauses();
          await withRetries(read, undefined, pause).catch(() => undefined);
          assert.ok(tries() <= 3 && pauses.every((millis) => millis >= 250 && millis <= 5_000), pauses.join());
        },
      ),
    );
  });
});

suite('After a pause', () => {
  test('no listener and no timer is left behind', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    const stopped: number[] = [];
    const clock: Clock = { ...systemClock, after: (millis) => () => void stopped.push(millis) };
    const control = new AbortController();
    const work = sleep(7_000, control.signal, clock);
    control.abort();
    assert.equal((await failureOf(work)).kind, 'cancelled');
    assert.deepEqual(stopped, [7_000]);
    assert.deepEqual(getEventListeners(control.signal, 'abort'), []);
  });
});
