import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Emitter, type Disposable } from '../../../src/platform/events.ts';

suite('An event', () => {
  test('accepts a this value and a list of disposables, as VS Code’s events do', () => {
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

  test('skips listeners that were disposed or added by another listener', () => {
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

  test('reaches the other listeners if one throws, and reports the error', () => {
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
