import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { neverRefreshesReindexed } from '../../../../src/service/indices/reindexedIndex.ts';

suite('New index of a reindex', () => {
  for (const release of [
    'v1.2.0',
    '1.2.0',
    'v1.2.0.2',
    '1.6.0',
    'v1.6.0.16rc6',
    'v1.7.1-SNAPSHOT',
    'v1.10.0',
    'v2.0.0',
  ]) {
    test(`is never refreshed by ${release}`, () => assert.equal(neverRefreshesReindexed(release), true));
  }

  for (const release of [
    'v0.14.0',
    '0.15.0.1',
    'v1.0.0',
    'v1.1.0.6',
    '1.1.20',
    'null',
    '1',
    '5a7c2b90',
    '2024.01.3',
    undefined,
  ]) {
    test(`may be refreshed by ${String(release)}`, () => assert.equal(neverRefreshesReindexed(release), false));
  }
});
