import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING } from '../views.ts';
import {
  FIELDS,
  VisibleProblems,
  firstProblemSelector,
} from '../../../../../src/pages/truncation/page/visibleProblems.ts';
import { emptyDraft } from '../../../../../src/truncation/plan.ts';
import type { WizardPageView } from '../../../../../src/pages/truncation/protocol.ts';

suite('The problem of a field', () => {
  test('stays hidden until the user types there', () => {
    const problems = new VisibleProblems();
    problems.markFieldLeft('aspect');
    problems.markAnswered(true);
    assert.equal(problems.isProblemVisible('aspect'), false);
  });

  test('appears once the user leaves the field and the host knows the edit', () => {
    const problems = new VisibleProblems();
    problems.markFieldsEdited(['aspect']);
    problems.markFieldLeft('aspect');
    assert.equal(problems.isProblemVisible('aspect'), false);
    problems.markAnswered(false);
    assert.equal(problems.isProblemVisible('aspect'), false, 'a view that does not know the last edit');
    problems.markAnswered(true);
    assert.equal(problems.isProblemVisible('aspect'), true);
    assert.equal(problems.isProblemVisible('entityType'), false);
  });

  test('stays visible while the user fixes it', () => {
    const problems = new VisibleProblems();
    problems.showAllProblems();
    problems.markFieldsEdited(['aspect']);
    assert.equal(problems.isProblemVisible('aspect'), true);
  });

  test('appears for all fields when the user continues', () => {
    const problems = new VisibleProblems();
    problems.showAllProblems();
    assert.ok(FIELDS.every((field) => problems.isProblemVisible(field)));
  });

  test('disappears when the host starts over', () => {
    const problems = new VisibleProblems();
    problems.markFieldsEdited(['aspect']);
    problems.showAllProblems();
    problems.resetFields();
    problems.markAnswered(true);
    assert.ok(!FIELDS.some((field) => problems.isProblemVisible(field)));
    assert.equal(problems.isUnanswered, false);
  });
});

suite('The first problem', () => {
  test('is the first field in reading order', () => {
    assert.equal(
      firstProblemSelector({ ...EDITING, problems: { batchSize: 'x', aspect: 'y' } }, emptyDraft()),
      '#aspect',
    );
    assert.equal(
      firstProblemSelector({ ...EDITING, problems: { batchSize: 'x', endTimeMillis: 'y' } }, emptyDraft()),
      '#cutoff input',
    );
  });

  test('is the unconfirmed risky cutoff if all fields are valid', () => {
    const primary = { intent: 'execute', label: 'Delete', enabled: false, reason: undefined } as const;
    const cautioned: WizardPageView = {
      ...EDITING,
      phase: 'reviewed',
      primary,
      cautions: [{ kind: 'future', text: '' }],
    };
    assert.equal(firstProblemSelector(cautioned, emptyDraft()), '#caution-future');
    assert.equal(firstProblemSelector(cautioned, { ...emptyDraft(), acceptedCautions: ['future'] }), undefined);
  });

  test('ignores an unconfirmed risky cutoff while only a dry run is next', () => {
    assert.equal(
      firstProblemSelector({ ...EDITING, cautions: [{ kind: 'future', text: '' }] }, emptyDraft()),
      undefined,
    );
  });

  test('does not exist in a valid plan', () => assert.equal(firstProblemSelector(EDITING, emptyDraft()), undefined));
});
