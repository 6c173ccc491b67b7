import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { aspectSuggestions, entityTypeSuggestions } from '../../../../src/wizard/page/indexFields.ts';
import { matching } from '../../../../src/webview/page/suggestField.ts';

const INDICES = [
  { entityType: 'dataset', aspect: 'datasetprofile', size: '8.1 GB' },
  { entityType: 'dataset', aspect: 'operation', size: '812 MB' },
  { entityType: 'chart', aspect: 'chartusagestatistics', size: '97 MB' },
];

suite('Suggestions', () => {
  test('name each entity type once, with its aspects', () => {
    assert.deepEqual(entityTypeSuggestions(INDICES), [
      { value: 'dataset', detail: 'datasetprofile, operation' },
      { value: 'chart', detail: 'chartusagestatistics' },
    ]);
  });

  test('offer the aspects of the entity type, however it is spelled', () => {
    assert.deepEqual(aspectSuggestions(INDICES, ' Chart '), [{ value: 'chartusagestatistics', detail: '97 MB' }]);
  });

  test('offer all aspects, each settling its entity type, while that one is not known', () => {
    const all = aspectSuggestions(INDICES, '');
    assert.equal(all.length, 3);
    assert.deepEqual(all[1], { value: 'operation', detail: 'dataset · 812 MB', entityType: 'dataset' });
  });

  test('that start with the typed text come before those that hold it', () => {
    const offered = ['dashboardchart', 'Chart', 'job'].map((value) => ({ value, detail: '' }));
    const found = matching(offered, 'chart');
    assert.deepEqual(
      found.map(({ value }) => value),
      ['Chart', 'dashboardchart'],
    );
  });

  test('are never more than a person looks through', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ value: `aspect${index}`, detail: '' }));
    assert.equal(matching(many, 'aspect').length, 50);
  });
});
