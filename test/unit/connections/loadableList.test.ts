import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { identityOf } from '../../../src/connections/connection.ts';
import { LoadableList, currentList, onConnectionsChanged } from '../../../src/connections/loadableList.ts';
import { ServiceFailure, cancelledFailure } from '../../../src/service/failure/failure.ts';
import { machine, removeFrom } from './window.ts';

const REFUSED = new ServiceFailure('refused', 'You may not.');

/** Of the lists: Unix time in ms. */
let now: number;

class Letters extends LoadableList<string> {
  readonly asked: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = [];
  changes = 0;

  constructor() {
    super(
      () => this.changes++,
      () => now,
    );
  }

  get letters(): string {
    return this.listing ?? '';
  }

  /** Loads, one second after the last event. */
  async next(answer: string | Error): Promise<void> {
    now += 1_000;
    const loading = this.refresh();
    this.answer(answer);
    await loading;
  }

  /** Answers a request, the last one by default. */
  answer(answer: string | Error, at = -1): void {
    const { resolve, reject } = this.asked.at(at) ?? assert.fail('nothing was asked');
    if (typeof answer === 'string') {
      resolve(answer);
    } else {
      reject(answer);
    }
  }

  /** Another question was asked. */
  forget(): void {
    this.clearListing();
  }

  protected override readListing(signal: AbortSignal): Promise<string> {
    const answer = { ...Promise.withResolvers<string>(), signal };
    this.asked.push(answer);
    return answer.promise;
  }
}

beforeEach(() => (now = 1_000));

suite('A loadable list', () => {
  let list: Letters;
  beforeEach(() => (list = new Letters()));

  test('is loaded once, however often that is asked for, and reports a change when the load ends', async () => {
    const loads = [list.ensureLoaded(), list.ensureLoaded()];
    assert.deepEqual([list.isLoaded, list.isLoading, list.changes], [false, true, 0]);
    list.answer('abc');
    await Promise.all([...loads, list.ensureLoaded()]);
    assert.deepEqual([list.isLoaded, list.isLoading, list.changes, list.letters], [true, false, 1, 'abc']);
    assert.equal(list.asked.length, 1);
  });

  test('keeps its listing and the time of it after a failed load, until it loads again', async () => {
    assert.equal(list.loadedAt, undefined);
    await list.next('a');
    await list.next(REFUSED);
    assert.deepEqual([list.letters, list.failure, list.loadedAt], ['a', REFUSED, 2_000]);
    await list.ensureLoaded();
    assert.equal(list.asked.length, 2, 'it is not tried again by itself');
    const trying = list.ensureTried();
    await list.ensureShown();
    assert.equal(list.failure, REFUSED, 'it is shown while the list is tried again');
    list.answer('b');
    await trying;
    await list.ensureTried();
    assert.deepEqual([list.letters, list.failure, list.asked.length], ['b', undefined, 3]);
  });

  test('shows a failure caused by a bug without its message', async () => {
    await list.next(new TypeError('Bearer eyJhbGciOi'));
    assert.ok(list.failure instanceof ServiceFailure);
    assert.doesNotMatch(list.failure.advice, /eyJ/);
  });

  test('shows no failure for a cancelled request, which is repeated', async () => {
    await list.next(cancelledFailure());
    assert.deepEqual([list.failure, list.isLoaded], [undefined, false]);
    const loaded = list.ensureLoaded();
    list.answer('a');
    await loaded;
    assert.equal(list.letters, 'a');
  });

  for (const stale of ['stale', REFUSED]) {
    test(`is unchanged by an outdated answer that comes last: ${String(stale)}`, async () => {
      const loads = [list.refresh(), list.refresh()];
      assert.deepEqual(
        list.asked.map(({ signal }) => signal.aborted),
        [true, false],
      );
      list.answer('fresh', 1);
      await loads[1];
      list.answer(stale, 0);
      await loads[0];
      assert.deepEqual([list.letters, list.failure, list.changes], ['fresh', undefined, 1]);
    });
  }

  test('is waited for until no newer load replaces the one before', async () => {
    let isDone = false;
    const waiting = list.ensureLoaded().then(() => (isDone = true));
    const refreshed = list.refresh();
    list.answer('a', 0);
    await new Promise(setImmediate);
    const again = list.refresh();
    list.answer('b', 1);
    await refreshed;
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    list.answer('c', 2);
    await Promise.all([waiting, again]);
    assert.equal(list.letters, 'c');
  });

  test('is aborted on the wire when no longer needed', async () => {
    const waiting = list.ensureLoaded();
    list.abortLoading();
    assert.equal(list.asked[0]?.signal.aborted, true);
    list.answer('too late');
    await waiting;
    assert.equal(list.isLoaded, false);
  });

  test('is loaded again if it was cleared while a caller waited', async () => {
    const next = new Letters();
    let current = list;
    const waiting = currentList(() => current);
    current = next;
    list.answer('what another credential saw');
    await new Promise(setImmediate);
    next.answer('what this one sees');
    assert.equal((await waiting).letters, 'what this one sees');
  });
});

test('What is known of a connection is dropped once that leads elsewhere or is removed in any window, but not with a new name', async (context) => {
  const { window, connection, open } = await machine(context);
  const { id } = connection;
  const other = await open();
  const dropped: string[] = [];
  onConnectionsChanged(window.store, identityOf, (one) => dropped.push(one));
  await window.store.change(id, () => ({ name: 'Renamed' }));
  assert.deepEqual(dropped, []);
  await other.store.change(id, () => ({ baseUrl: 'https://other.example.com' }));
  await window.store.reload();
  assert.deepEqual(dropped, [id]);
  await removeFrom(other, id);
  await window.store.reload();
  assert.deepEqual(dropped, [id, id]);
});
