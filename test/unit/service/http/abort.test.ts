import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { SingleFlight, untilAborted } from '../../../../src/service/http/abort.ts';
import { systemClock } from '../../../../src/service/clock.ts';
import type { Clock } from '../../../../src/service/clock.ts';
import { systemNetwork } from '../../../../src/service/http/transport.ts';
import type { Network, Request } from '../../../../src/service/http/transport.ts';
import { READING, failureOf, transportAt } from '../clients.ts';

suite('A wait that can be given up', () => {
  test('leaves nothing behind at the signal, however the work ends', async () => {
    const { signal } = new AbortController();
    await untilAborted(Promise.resolve(7), signal);
    await assert.rejects(untilAborted(Promise.reject(new Error('no')), signal), /no/);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

suite('A shared request', () => {
  test('that was forgotten takes nothing from the one after it when it ends', async () => {
    const shared = new SingleFlight<string>();
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    const ask = (one: Promise<string>) => (): Promise<string> => {
      asked++;
      return one;
    };
    const old = shared.get(ask(first.promise));
    shared.forget();
    const fresh = shared.get(ask(second.promise));
    first.resolve('old');
    assert.equal(await old, 'old');
    const joined = shared.get(ask(Promise.resolve('a third')));
    second.resolve('fresh');
    assert.deepEqual([await fresh, await joined, asked], ['fresh', 'fresh', 2]);
  });
});

suite('A network stack that waits for something else', () => {
  /** As VS Code's, which asks the workbench for a proxy before anything is sent: a window that lost it waits for good. */
  const waiting: Network = { ...systemNetwork, fetch: () => new Promise(() => undefined) };
  const stalled: Network = { ...systemNetwork, fetch: () => Promise.resolve(new Response(new ReadableStream())) };
  /** A change has its 30 s, however few are set. */
  const hasty: Clock = { ...systemClock, after: (millis, work) => systemClock.after(millis / 1_000, work) };
  /** It would never end. */
  const PATIENCE = { timeout: 5_000 };
  const change: Request = { operation: READING, method: 'POST', path: '/x', body: '{}', mutates: true };

  for (const [what, network] of [
    ['before it sends', waiting],
    ['before it passes on what was answered', stalled],
  ] as const) {
    test(`${what} is not waited for longer than a request may take`, PATIENCE, async () => {
      const transport = transportAt('http://localhost:1', { network: { ...network, clock: hasty } });
      const failure = await failureOf(transport.exchange(change));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['timedOut', true]);
    });

    test(`${what} is left alone by who cancels`, PATIENCE, async () => {
      const control = new AbortController();
      const transport = transportAt('http://localhost:1', { network });
      const work = transport.exchange({ ...change, signal: control.signal });
      setTimeout(() => control.abort(), 20);
      assert.equal((await failureOf(work)).kind, 'cancelled');
    });
  }
});
