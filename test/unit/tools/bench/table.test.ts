import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { comparisonTable, figureTable } from '../../../../tools/bench/table.ts';

suite('Tables of the bench', () => {
  test('times are compared by a factor of their medians', () => {
    const [, , line] = comparisonTable([
      { what: 'activation', unit: 'ms', ours: [20, 22, 60], beside: [5, 4, 90], aim: 3 },
    ]).split('\n');
    assert.equal(line, '| activation, ms | 22.0 (20.0–60.0) | 5.0 (4.0–90.0) | 4.40 × | ≤ 3 × |');
  });

  test('sizes are compared by the difference of their medians, which may be below zero', () => {
    const line = (ours: number): string | undefined =>
      comparisonTable([{ what: 'heap', unit: 'MB', ours: [ours], beside: [36.7], aim: 2 }]).split('\n')[2];
    assert.equal(line(40), '| heap, MB | 40.00 (40.00–40.00) | 36.70 (36.70–36.70) | +3.30 MB | ≤ +2 MB |');
    assert.match(line(36.6) ?? '', /\| -0\.10 MB \|/);
  });

  test('what has no aim has an empty cell for it, so that every line has all columns', () => {
    const lines = comparisonTable([{ what: 'loading', unit: 'ms', ours: [1], beside: [1] }]).split('\n');
    assert.equal(lines.at(-1), '| loading, ms | 1.0 (1.0–1.0) | 1.0 (1.0–1.0) | 1.00 × |  |');
    assert.deepEqual([...new Set(lines.map((line) => line.split('|').length))], [7]);
  });

  test('a figure that speaks for itself has a line of its own', () => {
    assert.equal(figureTable([{ what: 'requests', figure: '7' }]), '| what | figure |\n|---|---:|\n| requests | 7 |');
  });
});
