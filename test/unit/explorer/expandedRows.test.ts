import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ExpandedRows } from '../../../src/explorer/expandedRows.ts';
import { Memory } from '../memory.ts';

suite('Expanded rows', () => {
  test('are remembered beyond the window, and so are collapsed ones', async () => {
    const memory = new Memory();
    const rows = new ExpandedRows(memory);
    await rows.remember('one', 'one/tokens', true);
    await rows.remember('one', 'one/entityType/dataset', false);
    await rows.remember('other', 'other/tokens', true);
    const later = new ExpandedRows(memory);
    assert.equal(later.isExpanded('one', 'one/tokens'), true);
    assert.equal(later.isExpanded('one', 'one/entityType/dataset'), false);
    assert.equal(later.isExpanded('one', 'one/indices'), undefined);

    await later.remember('one', 'one/tokens', false);
    await later.forgetConnection('other');
    assert.equal(later.isExpanded('one', 'one/tokens'), false);
    assert.equal(later.isExpanded('other', 'other/tokens'), undefined);
  });

  test('have their default state if what is stored is damaged', async () => {
    const memory = new Memory();
    await memory.update('expandedRows.one', { 'one/tokens': 'yes' });
    const rows = new ExpandedRows(memory);
    assert.equal(rows.isExpanded('one', 'one/tokens'), undefined);
    await rows.remember('one', 'one/tokens', true);
    assert.equal(rows.isExpanded('one', 'one/tokens'), true);
  });
});
