import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Emitter } from '../../../src/platform/events.ts';

suite('An event', () => {
  test('reaches its listeners until they are disposed, also by another one', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push('first');
      second.dispose();
    });
    const second = emitter.event(() => heard.push('second'));
    emitter.fire();
    emitter.dispose();
    emitter.fire();
    assert.deepEqual(heard, ['first']);
  });

  test('reaches the other listeners if one throws', (context) => {
    const later: (() => void)[] = [];
    context.mock.method(globalThis, 'queueMicrotask', (run: () => void) => later.push(run));
    const emitter = new Emitter<void>();
    let heard = 0;
    emitter.event(() => {
      throw new Error('a bug');
    });
    emitter.event(() => heard++);
    emitter.fire();
    assert.equal(heard, 1);
    assert.throws(() => later.forEach((run) => run()), /a bug/);
  });
});
