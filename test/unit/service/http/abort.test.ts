import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { SingleFlight, untilAborted } from '../../../../src/service/http/abort.ts';

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
