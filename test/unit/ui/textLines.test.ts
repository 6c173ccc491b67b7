import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { inOneLine, wrappedLines } from '../../../src/ui/textLines.ts';

test('one line leaves out empty and unknown parts', () => {
  assert.equal(inOneLine(['8.1 GB', '', '62%', undefined]), '8.1 GB · 62%');
  assert.equal(inOneLine([undefined, '8.1 GB']), '8.1 GB');
  assert.equal(inOneLine(['', undefined]), '');
});

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

suite('A wrapped text', () => {
  test('breaks at spaces', () => {
    assert.deepEqual(wrappedLines('Check that the server is running and that the port is correct.', 30), [
      'Check that the server is',
      'running and that the port is',
      'correct.',
    ]);
  });

  test('breaks a name longer than a line, and no other word', () => {
    assert.deepEqual(wrappedLines('at metadata.example.com for now', 12), ['at metadata.', 'example.com', 'for now']);
    assert.ok(wrappedLines('a'.repeat(100), 40).every((line) => line.length <= 40));
  });

  test('loses nothing, and has no line that is too long', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 10, max: 80 }), (text, columns) => {
        const lines = wrappedLines(text, columns);
        assert.equal(withoutSpaces(lines.join('')), withoutSpaces(text));
        for (const line of lines) {
          assert.ok(line !== '' && line === line.trim());
          assert.ok(line.length <= columns, `${line.length} > ${columns}`);
        }
      }),
    );
  });

  test('keeps letters of several characters whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const line of wrappedLines(text, 10)) {
          assert.ok(line.isWellFormed());
          assert.ok(withoutSpaces(text).includes(withoutSpaces(line)));
        }
      }),
    );
  });
});
