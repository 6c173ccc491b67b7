import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FIELDS, VisibleProblems } from '../../../../src/wizard/page/visibleProblems.ts';

suite('The problem of a field', () => {
  test('is not told while nobody has typed there', () => {
    const told = new VisibleProblems();
    told.left('aspect');
    told.answered(true);
    assert.equal(told.has('aspect'), false);
  });

  test('is told once its field is left and the host has seen the edit', () => {
    const told = new VisibleProblems();
    told.edited(['aspect']);
    told.left('aspect');
    assert.equal(told.has('aspect'), false);
    told.answered(false);
    assert.equal(told.has('aspect'), false, 'a view that does not know the last edit');
    told.answered(true);
    assert.equal(told.has('aspect'), true);
    assert.equal(told.has('entityType'), false);
  });

  test('stays told while it is being mended', () => {
    const told = new VisibleProblems();
    told.asked();
    told.edited(['aspect']);
    assert.equal(told.has('aspect'), true);
  });

  test('is told for all when a person asked to go on', () => {
    const told = new VisibleProblems();
    told.asked();
    assert.ok(FIELDS.every((field) => told.has(field)));
  });

  test('is forgotten when the host starts over', () => {
    const told = new VisibleProblems();
    told.edited(['aspect']);
    told.asked();
    told.reset();
    told.answered(true);
    assert.ok(!FIELDS.some((field) => told.has(field)));
    assert.equal(told.unanswered, false);
  });
});
