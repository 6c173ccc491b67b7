import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { inOneLine, wrapped } from '../../../src/ui/textLines.ts';

test('what is empty or not known leaves no trace on the line', () => {
  assert.equal(inOneLine(['8.1 GB', '', '62%', undefined]), '8.1 GB · 62%');
  assert.equal(inOneLine([undefined, '8.1 GB']), '8.1 GB');
  assert.equal(inOneLine(['', undefined]), '');
});

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

suite('A text as lines', () => {
  test('breaks at spaces', () => {
    assert.deepEqual(wrapped('Check that the server is running and that the port is correct.', 30), [
      'Check that the server is',
      'running and that the port is',
      'correct.',
    ]);
  });

  test('of one line is that line', () => {
    assert.deepEqual(wrapped('Cancelled.', 10), ['Cancelled.']);
    assert.deepEqual(wrapped('', 10), []);
  });

  test('breaks a name that is longer than a line, and nothing else within words', () => {
    assert.deepEqual(wrapped('at metadata.example.com for now', 12), ['at metadata.', 'example.com', 'for now']);
    assert.ok(wrapped('a'.repeat(100), 40).every((line) => line.length <= 40));
  });

  test('breaks where letters are wide and no spaces are written', () => {
    const lines = wrapped('アクセストークンが拒否されました。期限が切れているか、取り消された可能性があります。', 20);
    assert.ok(lines.length > 3);
    assert.ok(
      lines.every((line) => line.length <= 10),
      lines.join('\n'),
    );
  });

  test('loses nothing, and no line is longer than it may be', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 10, max: 80 }), (text, columns) => {
        const lines = wrapped(text, columns);
        assert.equal(withoutSpaces(lines.join('')), withoutSpaces(text));
        for (const line of lines) {
          assert.ok(line !== '' && line === line.trim());
          assert.ok(line.length <= columns, `${line.length} > ${columns}`);
        }
      }),
    );
  });

  test('keeps letters that are made of several characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const line of wrapped(text, 10)) {
          assert.ok(line.isWellFormed());
          assert.ok(withoutSpaces(text).includes(withoutSpaces(line)));
        }
      }),
    );
  });
});
