import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ExplorerNode } from '../../../src/explorer/node.ts';
import { AwaitedRows } from '../../../src/explorer/awaitedRows.ts';
import { SteppedClock } from '../steppedClock.ts';

const LONG_MILLIS = 10_000;

function rowBelow(parent: ExplorerNode | undefined, children?: ExplorerNode['children']): ExplorerNode {
  return { parent, connectionId: 'a', item: () => assert.fail('not drawn here'), ...(children && { children }) };
}

suite('Rows that VS Code waits for', () => {
  test('are refreshed after it has drawn them: once, however often they change', async () => {
    const clock = new SteppedClock();
    const rows = new AwaitedRows(clock);
    const loaded = Promise.withResolvers<ExplorerNode[]>();
    const top = rowBelow(undefined, () => Promise.resolve([]));
    const row = rowBelow(top, () => loaded.promise);
    const refreshed: string[] = [];
    const asked = rows.childrenOf(row);
    rows.refresh(row, () => refreshed.push('row'));
    rows.refresh(row, () => refreshed.push('row'));
    rows.refresh(top, () => refreshed.push('the one above'));
    loaded.resolve([]);
    assert.deepEqual(await asked, []);
    assert.deepEqual(refreshed, []);
    clock.advance(LONG_MILLIS);
    assert.deepEqual(refreshed, ['row', 'the one above']);
  });

  test('are refreshed only then, however long the server takes, and so is every row above', async () => {
    const clock = new SteppedClock();
    const rows = new AwaitedRows(clock);
    const loaded = Promise.withResolvers<ExplorerNode[]>();
    const top = rowBelow(undefined);
    const row = rowBelow(rowBelow(top), () => loaded.promise);
    const refreshed: string[] = [];
    const asked = rows.childrenOf(row);
    rows.refresh(top, () => refreshed.push('top'));
    clock.advance(LONG_MILLIS);
    assert.deepEqual(refreshed, []);
    loaded.resolve([]);
    await asked;
    // VS Code may ask for the children of those it has just got.
    assert.deepEqual(refreshed, []);
    clock.advance(LONG_MILLIS);
    assert.deepEqual(refreshed, ['top']);
  });

  test('leave others alone, which are refreshed at once, as they are themselves once they are drawn', async () => {
    const clock = new SteppedClock();
    const rows = new AwaitedRows(clock);
    const top = rowBelow(undefined);
    const row = rowBelow(top, () => Promise.reject(new Error('no rows')));
    const refreshed: string[] = [];
    const asked = rows.childrenOf(row);
    rows.refresh(rowBelow(top), () => refreshed.push('another'));
    await assert.rejects(asked, /no rows/);
    clock.advance(LONG_MILLIS);
    rows.refresh(row, () => refreshed.push('row'));
    assert.deepEqual(refreshed, ['another', 'row']);
  });

  test('are not refreshed any more once the tree is gone', () => {
    const clock = new SteppedClock();
    const rows = new AwaitedRows(clock);
    const row = rowBelow(undefined, () => new Promise(() => undefined));
    void rows.childrenOf(row);
    rows.refresh(row, () => assert.fail('refreshed'));
    rows.dispose();
    clock.advance(LONG_MILLIS);
  });
});
