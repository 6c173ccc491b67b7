import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING } from '../views.ts';
import { FIELDS, VisibleProblems, firstProblemId } from '../../../../src/wizard/page/visibleProblems.ts';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import type { WizardView } from '../../../../src/wizard/protocol.ts';

suite('The problem of a field', () => {
  test('stays hidden until the user types there', () => {
    const problems = new VisibleProblems();
    problems.markLeft('aspect');
    problems.markAnswered(true);
    assert.equal(problems.has('aspect'), false);
  });

  test('appears once the user leaves the field and the host knows the edit', () => {
    const problems = new VisibleProblems();
    problems.markEdited(['aspect']);
    problems.markLeft('aspect');
    assert.equal(problems.has('aspect'), false);
    problems.markAnswered(false);
    assert.equal(problems.has('aspect'), false, 'a view that does not know the last edit');
    problems.markAnswered(true);
    assert.equal(problems.has('aspect'), true);
    assert.equal(problems.has('entityType'), false);
  });

  test('stays visible while the user fixes it', () => {
    const problems = new VisibleProblems();
    problems.showAll();
    problems.markEdited(['aspect']);
    assert.equal(problems.has('aspect'), true);
  });

  test('appears for all fields when the user continues', () => {
    const problems = new VisibleProblems();
    problems.showAll();
    assert.ok(FIELDS.every((field) => problems.has(field)));
  });

  test('disappears when the host starts over', () => {
    const problems = new VisibleProblems();
    problems.markEdited(['aspect']);
    problems.showAll();
    problems.reset();
    problems.markAnswered(true);
    assert.ok(!FIELDS.some((field) => problems.has(field)));
    assert.equal(problems.isUnanswered, false);
  });
});

suite('The first problem', () => {
  test('is the first field in reading order', () => {
    assert.equal(firstProblemId({ ...EDITING, problems: { batchSize: 'x', aspect: 'y' } }, emptyDraft()), 'aspect');
    assert.equal(
      firstProblemId({ ...EDITING, problems: { batchSize: 'x', endTimeMillis: 'y' } }, emptyDraft()),
      'date',
    );
  });

  test('is the unconfirmed risky cutoff if all fields are valid', () => {
    const primary = { intent: 'execute', label: 'Delete', enabled: false, reason: undefined } as const;
    const cautioned: WizardView = { ...EDITING, phase: 'reviewed', primary, caution: { kind: 'future', text: '' } };
    assert.equal(firstProblemId(cautioned, emptyDraft()), 'caution');
    assert.equal(firstProblemId(cautioned, { ...emptyDraft(), cautionAccepted: true }), undefined);
  });

  test('ignores an unconfirmed risky cutoff while only a dry run is next', () => {
    assert.equal(firstProblemId({ ...EDITING, caution: { kind: 'future', text: '' } }, emptyDraft()), undefined);
  });

  test('does not exist in a valid plan', () => assert.equal(firstProblemId(EDITING, emptyDraft()), undefined));
});
