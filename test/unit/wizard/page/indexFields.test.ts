import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { aspectSuggestions, entityTypeSuggestions } from '../../../../src/wizard/page/indexFields.ts';
import { matchingSuggestions } from '../../../../src/webview/page/suggestField.ts';

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
