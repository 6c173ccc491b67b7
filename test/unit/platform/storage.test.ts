import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { QueuedMemento, Storage, type Memento } from '../../../src/platform/storage.ts';
import { Memory } from '../memory.ts';

function numbersIn(memory: Memory, prefix = 'number.'): Storage<number> {
  return new Storage(memory, prefix, (stored) => (typeof stored === 'number' ? stored : undefined));
}

test('A value in VS Code’s storage is known to every window until undefined deletes it, apart from those of other kinds', async () => {
  const memory = new Memory();
  const [numbers, others] = [numbersIn(memory, 'number.'), numbersIn(memory, 'other.')];
  await numbers.set('a', 1);
  await others.set('a', 2);
  assert.deepEqual([numbers.get('a'), others.get('a'), numbersIn(memory).get('a')], [1, 2, 1]);
  assert.deepEqual([numbers.get('b'), memory.keys()], [undefined, ['number.a', 'other.a']]);
  await others.set('a', undefined);
  assert.deepEqual([numbers.get('a'), others.get('a'), memory.keys()], [1, undefined, ['number.a']]);
});

/** As VS Code's global state: a write comes back to its window, and replaces all values there. */
class GlobalState implements Memento {
  #values: Record<string, unknown> = {};

  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  get<T>(key: string): T | undefined {
    return this.#values[key] as T | undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values[key] = value;
    await turn();
    const written = { ...this.#values };
    await turn();
    this.#values = written;
  }
}

suite('Writes to VS Code’s global state', () => {
  test('lose no value that is set while another is written', async () => {
    const values = new QueuedMemento(new GlobalState());
    await Promise.all([values.update('a', 1), turn().then(() => values.update('b', 2))]);
    assert.deepEqual([values.get('a'), values.get('b')], [1, 2]);
  });

  test('show at once what waits to be written, the newest of a key', async () => {
    const memory = new Memory();
    await memory.update('old', 0);
    const values = new QueuedMemento(memory);
    const writes = [values.update('a', 1), values.update('a', 2), values.update('old', undefined)];
    assert.deepEqual([values.get('a'), values.get('old'), values.keys()], [2, undefined, ['a']]);
    await Promise.all(writes);
    assert.deepEqual([memory.get('a'), memory.keys()], [2, ['a']]);
  });

  test('show the newest of a key although the one before was written, and another key comes first', async () => {
    const values = new QueuedMemento(new GlobalState());
    const [first, ...others] = [values.update('a', 1), values.update('b', 1), values.update('a', 2)];
    await first;
    assert.equal(values.get('a'), 2);
    await Promise.all(others);
  });

  test('go on after one that fails, which is told to its writer', async () => {
    const memory = new Memory();
    const values = new QueuedMemento(memory);
    const update = memory.update.bind(memory);
    memory.update = (key, value) => (key === 'a' ? Promise.reject(new Error('full')) : update(key, value));
    const failing = values.update('a', 1);
    const [failed] = await Promise.all([assert.rejects(failing, /full/), values.update('b', 2)]);
    assert.equal(failed, undefined);
    assert.deepEqual([values.get('a'), values.get('b')], [undefined, 2]);
  });
});
