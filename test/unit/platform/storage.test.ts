import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Storage } from '../../../src/platform/storage.ts';
import { Memory } from '../memory.ts';

function numbersIn(memory: Memory, prefix = 'number.'): Storage<number> {
  return new Storage(memory, prefix, (stored) => (typeof stored === 'number' ? stored : undefined));
}

suite('A value in VS Code’s storage', () => {
  test('is known once it is set, to every window', async () => {
    const memory = new Memory();
    const numbers = numbersIn(memory);
    assert.equal(numbers.get('a'), undefined);
    await numbers.set('a', 1);
    await numbers.set('b', 2);
    assert.deepEqual([numbers.get('a'), numbers.get('b')], [1, 2]);
    await numbers.set('a', 3);
    assert.deepEqual([numbersIn(memory).get('a'), numbersIn(memory).get('b')], [3, 2]);
  });

  test('is deleted by undefined', async () => {
    const memory = new Memory();
    const numbers = numbersIn(memory);
    await numbers.set('a', 1);
    await numbers.set('b', 2);
    await numbers.set('a', undefined);
    assert.equal(numbers.get('a'), undefined);
    assert.deepEqual(memory.keys(), ['number.b']);
  });

  test('is what its reader makes of it', async () => {
    const memory = new Memory();
    await memory.update('number.a', 'damaged');
    await memory.update('number.b', 2);
    assert.deepEqual([numbersIn(memory).get('a'), numbersIn(memory).get('b')], [undefined, 2]);
    const seen: unknown[] = [];
    const texts = new Storage(memory, 'number.', (stored) => {
      seen.push(stored);
      return `read ${String(stored)}`;
    });
    assert.deepEqual([texts.get('a'), texts.get('missing')], ['read damaged', 'read undefined']);
    assert.deepEqual(seen, ['damaged', undefined]);
  });

  test('is apart from those of other kinds', async () => {
    const memory = new Memory();
    const [numbers, others] = [numbersIn(memory, 'number.'), numbersIn(memory, 'other.')];
    await numbers.set('a', 1);
    await others.set('a', 2);
    assert.deepEqual([numbers.get('a'), others.get('a')], [1, 2]);
    assert.deepEqual(memory.keys(), ['number.a', 'other.a']);
    await others.set('a', undefined);
    assert.deepEqual([numbers.get('a'), others.get('a')], [1, undefined]);
  });

  test('is set only when VS Code says so', async () => {
    const memory = new Memory();
    const answer = Promise.withResolvers<void>();
    memory.update = () => answer.promise;
    const setting = numbersIn(memory).set('a', 1);
    answer.reject(new Error('full'));
    await assert.rejects(setting, /full/);
  });
});
