import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletedRowsText } from '../../../../../src/pages/truncation/page/rowsByAgeSection.ts';
import type { RowsByAgeState } from '../../../../../src/rowsByAge/ageHistogram.ts';
import { NOTHING_COUNTED } from '../pageViews.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const formats = formatsOf('en', 'UTC');
const AUGUST_23 = Date.UTC(2026, 7, 23);
const DAY = 86_400_000;
const VIEW: RowsByAgeState = {
  ...NOTHING_COUNTED,
  phase: 'complete',
  samples: [
    { endTimeMillis: AUGUST_23 - DAY, rows: 134_000 },
    { endTimeMillis: AUGUST_23 + DAY, rows: 135_000 },
  ],
  total: 236_000,
  at: AUGUST_23 + DAY,
};

for (const [what, cutoff, bytes, text] of [
  ['"about" between two dry runs', AUGUST_23, undefined, 'about 134,500 of 236,000 rows (about 57%)'],
  ['exact where there was a dry run', AUGUST_23 - DAY, undefined, '134,000 of 236,000 rows (57%)'],
  ['of about a size', AUGUST_23 - DAY, 2e9, '134,000 of 236,000 rows (about 1.1 GB)'],
] as const) {
  test(`The rows that a cutoff would delete are ${what}`, () =>
    assert.equal(deletedRowsText(VIEW, cutoff, bytes, formats), text));
}
