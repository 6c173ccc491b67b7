import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LARGEST_GOAL, goalProblem } from '../../../src/rowsByAge/fit.ts';
import type { FitGoal } from '../../../src/rowsByAge/fit.ts';

const KINDS: readonly FitGoal['kind'][] = ['keepDays', 'keepBytes', 'deleteRows'];

suite('What a cut-off can be fitted to', () => {
  for (const kind of KINDS) {
    test(`${kind}: whole numbers from 1 to a bound`, () => {
      for (const value of [1, 90, LARGEST_GOAL[kind]]) {
        assert.equal(goalProblem(kind, value), undefined);
      }
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, LARGEST_GOAL[kind] + 1]) {
        assert.match(goalProblem(kind, value) ?? '', /whole number/);
      }
      assert.ok(Number.isSafeInteger(LARGEST_GOAL[kind]));
    });
  }
});
