import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cautionText, strategyTexts } from '../../../../src/truncation/texts/reviewTexts.ts';

suite('What is said in a review', () => {
  test('a cut-off that takes more than is expected is told with what goes', () => {
    assert.match(cautionText('future'), /in the future\. Every existing row will be deleted/);
    assert.match(cautionText('last24Hours'), /less than 24 hours ago\. Very recent rows will be deleted too/);
  });

  test('each strategy has a name and a meaning; that of the dangerous one says who stops seeing what', () => {
    for (const { name, meaning } of Object.values(strategyTexts)) {
      assert.ok(name().length > 0 && meaning().endsWith('.'));
    }
    assert.match(strategyTexts.reindex.meaning(), /hidden until an administrator refreshes it.*only in the old index/);
  });
});
