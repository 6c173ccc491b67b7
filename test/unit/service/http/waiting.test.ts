import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
import { sleep, untilAborted } from '../../../../src/service/http/waiting.ts';
import { systemClock, type Clock } from '../../../../src/time.ts';
import { failureOf, transportAt, CHANGE } from '../clients.ts';

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
