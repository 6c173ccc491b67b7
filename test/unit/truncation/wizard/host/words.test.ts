import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { WORD_KEYS } from '../../../../../src/truncation/wizard/protocol.ts';
import { wizardWords } from '../../../../../src/truncation/wizard/host/words.ts';

suite("The wizard's words", () => {
  test('are there for each key and no other, none empty', () => {
    const words = wizardWords();
    assert.deepEqual(Object.keys(words).toSorted(), Object.keys(WORD_KEYS).toSorted());
    assert.ok(Object.values(words).every((word) => word.trim() !== ''));
  });
});
