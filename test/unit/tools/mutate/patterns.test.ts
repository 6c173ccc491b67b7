import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { patternChanges } from '../../../../tools/mutate/patterns.ts';

suite('Changed patterns', () => {
  for (const [pattern, ...expected] of [
    ['/^a$/', '/a$/', '/^a/'],
    ['/a+/', '/a/'],
    ['/a*?b/', '/a?b/', '/a*b/'],
    ['/[a-z]{2,}/', '/[^a-z]{2,}/', '/[a-z]/'],
    [String.raw`/[^\]]/`, String.raw`/[\]]/`],
    [String.raw`/\d\.\p{C}/u`, String.raw`/\D\.\p{C}/u`, String.raw`/\d\.\P{C}/u`],
    ['/(?=a)(?<!b)(?:c)(?<d>e)/', '/(?!a)(?<!b)(?:c)(?<d>e)/', '/(?=a)(?<=b)(?:c)(?<d>e)/'],
    ['/a/gi', '/a/g'],
    [String.raw`/\//`],
  ] as const) {
    test(pattern, () => {
      assert.deepEqual(patternChanges(pattern), expected);
    });
  }
});
