import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletedText } from '../../../../../src/pages/truncation/page/rowsByAgeSection.ts';
import type { RowsByAgeView } from '../../../../../src/pages/truncation/protocol.ts';
import { NOTHING_COUNTED } from '../pageViews.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';

const formats = formatsOf('en', 'UTC');
const AUGUST_23 = Date.UTC(2026, 7, 23);
const DAY = 86_400_000;
const VIEW: RowsByAgeView = {
  ...NOTHING_COUNTED,
  state: 'complete',
  samples: [
    { endTimeMillis: AUGUST_23 - DAY, rows: 134_000 },
    { endTimeMillis: AUGUST_23 + DAY, rows: 135_000 },
  ],
  total: 236_000,
  at: AUGUST_23 + DAY,
};

for (const [what, cutoff, text] of [
  ['"about" between two dry runs', AUGUST_23, 'Aug 23, 2026: about 134,500 rows would be deleted, about 57%'],
  ['exact where there was a dry run', AUGUST_23 - DAY, 'Aug 22, 2026: 134,000 rows would be deleted, 57%'],
] as const) {
  test(`The rows that a cutoff would delete are ${what}`, () => assert.equal(deletedText(cutoff, VIEW, formats), text));
}
