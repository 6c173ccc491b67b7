import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenNodesParts } from '../../../src/explorer/tokenNodes.ts';
import type { ExplorerNode } from '../../../src/explorer/node.ts';
import { MILLIS_PER_HOUR } from '../../../src/time.ts';
import '../ui/window.ts';

const { TokenGroupNode } = await import('../../../src/explorer/tokenNodes.ts');

test('Rows of tokens are outdated once they say another time than when they were drawn', async ({ mock }) => {
  mock.timers.enable({ apis: ['Date'] });
  const tokens = [
    { id: 'a', expiresAt: 3 * MILLIS_PER_HOUR },
    { id: 'b', expiresAt: null },
  ];
  const list = { tokens, query: {}, isLoaded: true, ensureShown: () => Promise.resolve() };
  const parts = { tokenLists: { get: () => list } } as unknown as TokenNodesParts;
  const row = new TokenGroupNode({ connectionId: 'c' } as ExplorerNode, parts);
  assert.equal(row.isOutdated, false, 'not drawn yet');
  await row.children();
  mock.timers.setTime(MILLIS_PER_HOUR / 100);
  assert.equal(row.isOutdated, false);
  mock.timers.setTime(2 * MILLIS_PER_HOUR);
  assert.equal(row.isOutdated, true);
  await row.children();
  assert.equal(row.isOutdated, false);
});
