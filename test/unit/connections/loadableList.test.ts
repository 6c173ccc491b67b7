import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LoadableList, currentList } from '../../../src/connections/loadableList.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';

/** A list whose answers are controlled by the test. */
class Letters extends LoadableList<string> {
  readonly asked: PromiseWithResolvers<string>[] = [];

  get letters(): string {
    return this.listing ?? '';
  }

  protected override readListing(): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.asked.push(answer);
    return answer.promise;
  }
}

suite('A loadable list', () => {
  test('keeps its listing while it is loaded again', async () => {
    const list = await loaded('abc');
    const refreshed = list.refresh();
    await list.ensureShown();
    assert.deepEqual([list.letters, list.isLoading], ['abc', true]);
    list.asked.at(-1)?.resolve('abcd');
    await refreshed;
    assert.deepEqual([list.letters, list.isLoading], ['abcd', false]);
  });

  test('keeps the time of its listing after a failed load', async () => {
    let now = 1_000;
    const list = new Letters(
      () => undefined,
      () => now,
    );
    assert.equal(list.loadedAt, undefined);
    const first = list.ensureLoaded();
    list.asked[0]?.resolve('a');
    await first;
    assert.equal(list.loadedAt, 1_000);
    now = 2_000;
    const second = list.refresh();
    list.asked[1]?.reject(new ServiceFailure('unreachable', "Can't reach it."));
    await second;
    assert.deepEqual([list.letters, list.failure?.kind, list.loadedAt], ['a', 'unreachable', 1_000]);
    const third = list.refresh();
    list.asked[2]?.resolve('b');
    await third;
    assert.deepEqual([list.failure, list.loadedAt], [undefined, 2_000]);
  });

  test('keeps its failure while it is loaded again', async () => {
    const list = new Letters(() => undefined);
    const first = list.ensureShown();
    list.asked[0]?.reject(new ServiceFailure('server', 'It broke.'));
    await first;
    void list.refresh();
    await list.ensureShown();
    assert.equal(list.failure?.message, 'It broke.');
  });

  test('reports a change when a load ends', async () => {
    let changes = 0;
    const list = new Letters(() => changes++);
    const first = list.ensureLoaded();
    assert.equal(changes, 0);
    list.asked[0]?.resolve('a');
    await first;
    assert.equal(changes, 1);
    const refreshed = list.refresh();
    assert.equal(changes, 1);
    list.asked[1]?.resolve('b');
    await refreshed;
    assert.equal(changes, 2);
  });

  test('is loaded again if it was cleared while a caller waited', async () => {
    const dropped = new Letters(() => undefined);
    const next = new Letters(() => undefined);
    let current = dropped;
    const waiting = currentList(() => current);
    current = next;
    dropped.asked[0]?.resolve('what another credential saw');
    await new Promise(setImmediate);
    next.asked[0]?.resolve('what this one sees');
    assert.equal((await waiting).letters, 'what this one sees');
  });
});

async function loaded(letters: string): Promise<Letters> {
  const list = new Letters(() => undefined);
  const done = list.ensureLoaded();
  list.asked[0]?.resolve(letters);
  await done;
  return list;
}
