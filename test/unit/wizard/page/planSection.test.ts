import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planLine } from '../../../../src/wizard/page/planSection.ts';
import { formatsOf } from '../../../../src/ui/formats.ts';
import { DRAFT } from '../../truncation/samples.ts';

const VIEW = { defaultBatchSize: 10_000, forceFlagsKnown: true };
const formats = formatsOf('en', 'Europe/Berlin');

test('A plan is summarized in one line: cutoff, strategy, batch size and any timeout', () => {
  const draft = { ...DRAFT, endTimeMillis: Date.UTC(2026, 4, 23, 12, 5) };
  assert.equal(
    planLine({ ...draft, strategy: 'server' }, VIEW, formats),
    'Rows up to May 23, 2026, 2:05 PM · As the server decides · batches of 10,000',
  );
  assert.equal(
    planLine(
      { ...draft, strategy: 'deleteByQuery', batchSize: '', timeoutSeconds: ' 60 ' },
      { ...VIEW, defaultBatchSize: 5_000 },
      formats,
    ),
    'Rows up to May 23, 2026, 2:05 PM · Delete by query · batches of 5,000 · timeout 60 s',
  );
  assert.match(planLine({ ...draft, strategy: 'reindex', batchSize: '7' }, VIEW, formats), /· Reindex · batches of 7$/);
});

test('The summary names no strategy if the server supports no choice', () => {
  const draft = { ...DRAFT, strategy: 'deleteByQuery' } as const;
  assert.match(planLine(draft, { ...VIEW, forceFlagsKnown: false }, formats), / · As the server decides · batches of /);
});
