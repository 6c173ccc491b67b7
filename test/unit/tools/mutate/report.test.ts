import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Mutant } from '../../../../tools/mutate/mutant.ts';
import { isGoodEnough, table, unnoticed } from '../../../../tools/mutate/report.ts';
import type { Tried } from '../../../../tools/mutate/report.ts';

type Status = Tried['outcome']['status'];

const MUTANT: Mutant = {
  file: 'src/a.ts',
  start: 0,
  end: 1,
  replacement: '',
  line: 7,
  lineText: 'a < b',
  change: 'a < b → a <= b',
};

function tried(counts: Partial<Record<Status, number>>): Tried[] {
  return Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, (): Tried => ({ mutant: MUTANT, outcome: { status: status as Status } })),
  );
}

suite('The report on mutants', () => {
  test('95 of 100 noticed are enough, and a test that hangs has noticed', () => {
    assert.ok(isGoodEnough(tried({ killed: 90, timeout: 5, survived: 5 })));
    assert.ok(!isGoodEnough(tried({ killed: 94, survived: 6 })));
  });

  test('what no test reaches is not noticed', () => {
    assert.ok(!isGoodEnough(tried({ killed: 94, uncovered: 6 })));
  });

  test('equivalents count for nothing, but there may be only 5 of 100', () => {
    assert.ok(isGoodEnough(tried({ killed: 95, equivalent: 5 })));
    assert.ok(!isGoodEnough(tried({ killed: 94, equivalent: 6 })));
    assert.ok(!isGoodEnough(tried({ killed: 85, survived: 10, equivalent: 5 })));
  });

  test('shows each file with its counts, and each survivor with its place', () => {
    const all = tried({ killed: 2, survived: 1, equivalent: 1 });
    assert.match(table(all), /^\| src\/a\.ts \| 4 \| 2 \| 0 \| 1 \| 0 \| 1 \| 66\.7% \|$/m);
    assert.equal(unnoticed(all), 'src/a.ts:7 survived\n    a < b\n    a < b → a <= b');
  });
});
