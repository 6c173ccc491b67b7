import assert from 'node:assert/strict';
import { test, suite } from 'node:test';
import {
  planSummaryLine,
  aspectSuggestions,
  entityTypeSuggestions,
} from '../../../../../src/pages/truncation/page/planSection.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';
import { DRAFT } from '../../../truncation/samples.ts';
import { matchingSuggestions } from '../../../../../src/pages/kit/page/suggestField.ts';

const VIEW = { defaultBatchSize: 10_000, forceFlagsKnown: true };
const formats = formatsOf('en', 'Europe/Berlin');

test('A plan is summarized in one line: cutoff, strategy, batch size and any timeout', () => {
  const draft = { ...DRAFT, endTimeMillis: Date.UTC(2026, 4, 23, 12, 5) };
  assert.equal(
    planSummaryLine({ ...draft, strategy: 'server' }, VIEW, formats),
    'Rows up to May 23, 2026, 2:05 PM · As the server decides · batches of 10,000',
  );
  assert.equal(
    planSummaryLine(
      { ...draft, strategy: 'deleteByQuery', batchSize: '', timeoutSeconds: ' 60 ' },
      { ...VIEW, defaultBatchSize: 5_000 },
      formats,
    ),
    'Rows up to May 23, 2026, 2:05 PM · Delete by query · batches of 5,000 · timeout 60 s',
  );
  assert.match(
    planSummaryLine({ ...draft, strategy: 'reindex', batchSize: '7' }, VIEW, formats),
    /· Reindex · batches of 7$/,
  );
});

test('The summary names no strategy if the server supports no choice', () => {
  const draft = { ...DRAFT, strategy: 'deleteByQuery' } as const;
  assert.match(
    planSummaryLine(draft, { ...VIEW, forceFlagsKnown: false }, formats),
    / · As the server decides · batches of /,
  );
});

const INDICES = [
  { entityType: 'dataset', aspect: 'datasetprofile', size: '8.1 GB' },
  { entityType: 'dataset', aspect: 'operation', size: '812 MB' },
  { entityType: 'chart', aspect: 'chartusagestatistics', size: '97 MB' },
];

suite('Suggestions', () => {
  test('list each entity type once, with its aspects', () => {
    assert.deepEqual(entityTypeSuggestions(INDICES), [
      { value: 'dataset', detail: 'datasetprofile, operation' },
      { value: 'chart', detail: 'chartusagestatistics' },
    ]);
  });

  test('list the aspects of the entity type in any case', () => {
    assert.deepEqual(aspectSuggestions(INDICES, ' Chart '), [{ value: 'chartusagestatistics', detail: '97 MB' }]);
  });

  test('list all aspects with their entity types if none is typed', () => {
    const all = aspectSuggestions(INDICES, '');
    assert.equal(all.length, 3);
    assert.deepEqual(all[1], { value: 'operation', detail: 'dataset · 812 MB', entityType: 'dataset' });
  });

  test('come first if they start with the typed text', () => {
    const offered = ['dashboardchart', 'Chart', 'job'].map((value) => ({ value, detail: '' }));
    const found = matchingSuggestions(offered, 'chart');
    assert.deepEqual(
      found.map(({ value }) => value),
      ['Chart', 'dashboardchart'],
    );
  });

  test('are limited in number', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ value: `aspect${index}`, detail: '' }));
    assert.equal(matchingSuggestions(many, 'aspect').length, 50);
  });
});
