import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { BARE_ITEM, BARE_ROW } from '../rows.ts';
import type { OverviewTableRow } from '../../../../../src/pages/overview/protocol.ts';
import {
  canSelectRow,
  parseSelection,
  selectableRange,
  selectionAfterJob,
  toggleSelection,
  LONGEST_AGE,
  USUAL_AGE,
  parseStoredAge,
} from '../../../../../src/pages/overview/page/jobSelection.ts';
import { jobTableRows } from '../../../../../src/pages/overview/page/jobRows.ts';
import type { JobItemView } from '../../../../../src/pages/overview/jobProtocol.ts';
import { MAX_ITEMS } from '../../../../../src/truncation/jobSize.ts';
import { readDays } from '../../../../../src/truncation/cutoff.ts';

const IDS = fc.array(fc.constantFrom(...Array.from({ length: 40 }, (_, index) => `index${index}`)), { maxLength: 60 });

suite('Selected indices', () => {
  test('can be truncated in a job', () => {
    const row: OverviewTableRow = { ...BARE_ROW, id: 'a', indexName: 'a', canTruncate: true };
    assert.deepEqual(
      [row, { ...row, onlyAlone: 'It holds state.' }, { ...row, canTruncate: false }].map(canSelectRow),
      [true, false, false],
    );
  });

  test('are unique, and limited to the size of a job', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(IDS, fc.boolean())), (changes) => {
        const ids = changes.reduce<readonly string[]>(
          (before, [some, isTicked]) => toggleSelection(before, some, isTicked),
          [],
        );
        assert.equal(new Set(ids).size, ids.length);
        assert.ok(ids.length <= MAX_ITEMS);
      }),
    );
  });

  test('keep their order, and lose only removed ones', () => {
    assert.deepEqual(toggleSelection(['a', 'b'], ['c', 'a'], true), ['a', 'b', 'c']);
    assert.deepEqual(toggleSelection(['a', 'b', 'c'], ['b', 'd'], false), ['a', 'c']);
  });

  test('are taken as a range from the one ticked last, in both directions, without those that only go alone', () => {
    const selectable = (id: string): OverviewTableRow => ({ ...BARE_ROW, id, canTruncate: true });
    const alone = { ...selectable('c'), onlyAlone: 'It holds state.' };
    const rows = [selectable('a'), selectable('b'), alone, selectable('d')];
    assert.deepEqual(selectableRange(rows, 'b', 'd'), ['b', 'd']);
    assert.deepEqual(selectableRange(rows, 'd', 'a'), ['a', 'b', 'd']);
    assert.deepEqual(selectableRange(rows, undefined, 'd'), ['d'], 'the first one');
    assert.deepEqual(selectableRange(rows, 'gone', 'd'), ['d'], 'the last one is filtered out');
  });

  const ASPECTS = ['done', 'running', 'left', 'failed', 'out', 'empty', 'never'];
  const rowOf = (aspect: string): OverviewTableRow => ({
    ...BARE_ROW,
    id: `dataset_${aspect}aspect_v1`,
    entityType: 'dataset',
    aspect,
    indexName: `dataset_${aspect}aspect_v1`,
    canTruncate: true,
  });
  const item = (aspect: string, rest: Partial<JobItemView>): JobItemView => ({
    ...BARE_ITEM,
    name: `dataset/${aspect}`,
    ...rest,
  });
  const idsOf = (aspects: readonly string[]): string[] => aspects.map((aspect) => rowOf(aspect).id);
  const itemsOf = (items: readonly JobItemView[]) => jobTableRows(ASPECTS.map(rowOf), items).items;

  test('lose truncated, running and excluded ones at the end, but keep unsent and failed ones', () => {
    const items = itemsOf([
      item('Done', { status: { text: 'finished', kind: 'done' } }),
      item('running', { status: { text: '5%', kind: 'working' } }),
      item('left', { status: { text: 'not sent', kind: 'trouble', isUnsent: true } }),
      item('failed', { status: { text: 'failed', kind: 'trouble' } }),
      item('out', { isSelected: false }),
      item('empty', { isSelected: false, canBeSelected: false }),
    ]);
    assert.deepEqual(selectionAfterJob(idsOf(ASPECTS), 'ended', items), idsOf(['left', 'failed', 'never']));
    for (const phase of ['choosing', 'dryRunning', 'executing'] as const) {
      assert.deepEqual(selectionAfterJob(idsOf(ASPECTS), phase, items), idsOf(ASPECTS), phase);
    }
  });

  test('follow the boxes of the review, and keep what was not counted', () => {
    const ticked = idsOf(['done', 'out', 'failed']);
    const deselected = itemsOf([
      item('done', {}),
      item('out', { isSelected: false }),
      item('empty', { isSelected: false, canBeSelected: false }),
      item('failed', { isSelected: false, canBeSelected: false, isCounted: false }),
    ]);
    const left = selectionAfterJob([...ticked, ...idsOf(['empty'])], 'planned', deselected);
    assert.deepEqual(left, idsOf(['done', 'failed']));
    const again = itemsOf([item('done', {}), item('out', {})]);
    assert.deepEqual(new Set(selectionAfterJob(left, 'planned', again)), new Set(ticked));
  });

  test('are none if the stored state is damaged', () => {
    for (const kept of [undefined, 'a', { 0: 'a' }, [1], null]) {
      assert.deepEqual(parseSelection(kept), []);
    }
    assert.deepEqual(parseSelection(['a', 'a', 'b']), ['a', 'b']);
  });
});

suite('The age of a job', () => {
  test('is 90 days before the user types another', () => {
    assert.deepEqual(readDays(USUAL_AGE), { days: 90 });
  });

  test('is restored as typed, valid or not', () => {
    for (const typed of ['30', '', 'many']) assert.equal(parseStoredAge(typed), typed);
  });

  test('is the usual one if the stored state is damaged', () => {
    for (const kept of [undefined, 90, { kind: 'keepDays', texts: { keepDays: '30' } }, '9'.repeat(LONGEST_AGE + 1)]) {
      assert.equal(parseStoredAge(kept), USUAL_AGE);
    }
  });
});
