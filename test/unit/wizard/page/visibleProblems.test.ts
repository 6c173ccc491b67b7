import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING } from '../views.ts';
import { FIELDS, VisibleProblems, firstProblemId } from '../../../../src/wizard/page/visibleProblems.ts';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import type { WizardView } from '../../../../src/wizard/protocol.ts';

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

suite('The first thing that is wrong or missing', () => {
  test('is the first field in reading order, whatever the order of the problems', () => {
    assert.equal(firstProblemId({ ...EDITING, problems: { batchSize: 'x', aspect: 'y' } }, emptyDraft()), 'aspect');
    assert.equal(
      firstProblemId({ ...EDITING, problems: { batchSize: 'x', endTimeMillis: 'y' } }, emptyDraft()),
      'date',
    );
  });

  test('is the second yes when all fields are right and a caution waits for it', () => {
    const primary = { intent: 'execute', label: 'Delete', enabled: false, reason: undefined } as const;
    const cautioned: WizardView = { ...EDITING, phase: 'reviewed', primary, caution: { kind: 'future', text: '' } };
    assert.equal(firstProblemId(cautioned, emptyDraft()), 'caution');
    assert.equal(firstProblemId(cautioned, { ...emptyDraft(), cautionAccepted: true }), undefined);
  });

  test('is no yes to a caution while only a dry run is next', () => {
    assert.equal(firstProblemId({ ...EDITING, caution: { kind: 'future', text: '' } }, emptyDraft()), undefined);
  });

  test('is nothing in a plan without faults', () => assert.equal(firstProblemId(EDITING, emptyDraft()), undefined));
});
