import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import '../ui/window.ts';

const { truncationIcon } = await import('../../../src/explorer/truncationNodes.ts');

suite('The icon of a truncation', () => {
  test('spins while rows are deleted, and stands still otherwise', () => {
    assert.equal(truncationIcon('running', false).id, 'sync~spin');
    assert.equal(truncationIcon('running', true).id, 'sync');
  });

  test('shows how it ended', () => {
    const ids = (['finished', 'failed', 'unknown', 'lost', 'unanswered'] as const).map(
      (status) => truncationIcon(status, false).id,
    );
    assert.deepEqual(ids, ['pass', 'error', 'question', 'question', 'question']);
  });
});
