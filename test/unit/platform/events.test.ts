import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Emitter } from '../../../src/platform/events.ts';
import type { Disposable } from '../../../src/platform/events.ts';

suite('An event', () => {
  test('reaches those who listen, until they stop', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const subscription = emitter.event((value) => heard.push(value));
    emitter.fire(1);
    subscription.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, [1]);
  });

  test('is listened to as VS Code’s own events are: with a this, and a list to be disposed with', () => {
    const emitter = new Emitter<number>();
    const disposables: Disposable[] = [];
    const listener = {
      heard: 0,
      listen(value: number): void {
        this.heard += value;
      },
    };
    emitter.event(listener.listen, listener, disposables);
    emitter.fire(2);
    disposables.forEach((one) => one.dispose());
    emitter.fire(2);
    assert.equal(listener.heard, 2);
  });

  test('reaches nobody who stopped to listen because of it, and nobody who began', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push('first');
      second.dispose();
      emitter.event(() => heard.push('late'));
    });
    const second = emitter.event(() => heard.push('second'));
    emitter.fire();
    assert.deepEqual(heard, ['first']);
    emitter.dispose();
    emitter.fire();
    assert.deepEqual(heard, ['first']);
  });

  test('reaches the others when one who listens fails, and the failure is not lost', () => {
    const failures: unknown[] = [];
    const emitter = new Emitter<void>((thrown) => failures.push(thrown));
    let heard = 0;
    emitter.event(() => {
      throw new Error('a bug');
    });
    emitter.event(() => heard++);
    emitter.fire();
    assert.equal(heard, 1);
    assert.deepEqual(failures.map(String), ['Error: a bug']);
  });
});
