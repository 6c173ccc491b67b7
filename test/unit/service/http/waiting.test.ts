import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../../src/service/http/network.ts';
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
