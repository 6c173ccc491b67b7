import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOneLine } from '../../../src/ui/oneLine.ts';

test('what is empty or not known leaves no trace on the line', () => {
  assert.equal(inOneLine(['8.1 GB', '', '62%', undefined]), '8.1 GB · 62%');
  assert.equal(inOneLine([undefined, '8.1 GB']), '8.1 GB');
  assert.equal(inOneLine(['', undefined]), '');
});
