import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { RetryingMemento } from '../../../src/platform/memento.ts';

/**
 * An extension's memento as in VS Code 1.139: all keys are one value, written a turn after the first change,
 * and replaced by every value that the workbench reports, even the window's own.
 */
class HostMemento {
  #value: Record<string, unknown> = {};
  #flush: Promise<void> | undefined;
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    workbench.hosts.push((text) => (this.#value = JSON.parse(text) as Record<string, unknown>));
  }

  keys(): readonly string[] {
    return Object.keys(this.#value).filter((key) => this.#value[key] !== undefined);
  }

  get<T>(key: string): T | undefined {
    return this.#value[key] as T | undefined;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#value[key] = value;
    this.#flush ??= pause(0).then(() => {
      this.#flush = undefined;
      return this.#workbench.write(JSON.stringify(this.#value));
    });
    return this.#flush;
  }
}

class Workbench {
  text = '{}';
  readonly hosts: ((text: string) => void)[] = [];
  /** Awaited by each write. */
  gate: Promise<void> = Promise.resolve();

  async write(text: string): Promise<void> {
    await this.gate;
    this.text = text;
    this.tell(text);
  }

  tell(text: string): void {
    for (const tell of this.hosts) {
      tell(text);
    }
  }

  get stored(): Record<string, unknown> {
    return JSON.parse(this.text) as Record<string, unknown>;
  }
}

suite('A steady memento', () => {
  for (const [who, wrap, isKept] of [
    ["VS Code's own", (memento: HostMemento) => memento, false],
    ['ours', (memento: HostMemento) => new RetryingMemento(memento), true],
  ] as const) {
    test(`${who} ${isKept ? 'keeps' : 'loses'} a key set just before the event of an earlier write`, async () => {
      const workbench = new Workbench();
      const memento = wrap(new HostMemento(workbench));
      let answer = (): void => undefined;
      workbench.gate = new Promise((resolve) => (answer = resolve));
      const first = memento.update('first', 1);
      await pause(5);
      const second = memento.update('second', 2);
      answer();
      await Promise.all([first, second]);
      assert.deepEqual(workbench.stored, { first: 1, ...(isKept ? { second: 2 } : {}) });
      assert.equal(memento.get('second'), isKept ? 2 : undefined);
    });
  }

  test('loses no key, and has each at once', async () => {
    const change = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      value: fc.option(fc.nat(), { nil: undefined }),
      pause: fc.nat(4),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const workbench = new Workbench();
        workbench.gate = pause(1);
        const steady = new RetryingMemento(new HostMemento(workbench));
        const expected: Record<string, unknown> = {};
        const updates: Promise<void>[] = [];
        for (const { key, value, pause: millis } of changes) {
          updates.push(steady.update(key, value));
          expected[key] = value;
          assert.equal(steady.get(key), value);
          assert.equal(steady.keys().includes(key), value !== undefined);
          workbench.gate = pause(millis);
          await pause(4 - millis);
          for (const [known, wanted] of Object.entries(expected)) {
            assert.equal(steady.get(known), wanted);
          }
        }
        await Promise.all(updates);
        assert.deepEqual(workbench.stored, JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 60 },
    );
  });

  test('writes a key again that another window overwrote, but not forever', async () => {
    const workbench = new Workbench();
    let news = 2;
    class Disturbed extends HostMemento {
      override update(key: string, value: unknown): Promise<void> {
        const written = super.update(key, value);
        if (news-- > 0) {
          workbench.tell('{"theirs":1}');
        }
        return written;
      }
    }
    const steady = new RetryingMemento(new Disturbed(workbench));
    await steady.update('mine', 1);
    assert.deepEqual(workbench.stored, { theirs: 1, mine: 1 });
    news = Number.POSITIVE_INFINITY;
    await assert.rejects(steady.update('mine', 2), { kind: 'storage' });
  });

  test('reports a failure, returns the former value again, and continues with the next write', async () => {
    const memory = new HostMemento(new Workbench());
    await memory.update('key', 'before');
    const failing = Object.assign(Object.create(memory) as HostMemento, {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) =>
        value === 'bad' ? Promise.reject(new Error('full')) : memory.update(key, value),
    });
    const steady = new RetryingMemento(failing);
    const refused = steady.update('key', 'bad');
    const next = steady.update('other', 1);
    await assert.rejects(refused, /full/);
    await next;
    assert.equal(steady.get('key'), 'before');
    assert.equal(steady.get('other'), 1);
  });

  test('keeps a value as it was when passed', async () => {
    const steady = new RetryingMemento(new HostMemento(new Workbench()));
    const value = { list: [1] };
    const update = steady.update('key', value);
    value.list.push(2);
    assert.deepEqual(steady.get('key'), { list: [1] });
    await update;
    assert.deepEqual(steady.get('key'), { list: [1] });
  });
});
