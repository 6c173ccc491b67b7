import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposedAge, reasonForProposedAge } from '../../../src/truncation/proposedCutoff.ts';

for (const [entityType, aspect, days, reason] of [
  ['dataJob', 'datahubIngestionCheckpoint', 2 * 365, /two years/],
  ['dataset', 'datasetprofile', 90, /^$/],
  ['acme', 'quality', 90, /^$/],
] as const) {
  test(`The proposed age is ${days} days for ${entityType}/${aspect}`, () => {
    assert.equal(proposedAge({ entityType, aspect }), days);
    assert.match(reasonForProposedAge({ entityType, aspect }) ?? '', reason);
  });
}
