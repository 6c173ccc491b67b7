import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cautionText, strategyTexts } from '../../../../src/truncation/texts/reviewTexts.ts';

suite('Texts of a review', () => {
  test('describe what a risky cutoff deletes', () => {
    assert.match(cautionText('future'), /in the future\. Every row dated up to then will be deleted/);
    assert.match(cautionText('last24Hours'), /less than 24 hours ago\. Very recent rows will be deleted too/);
  });

  test('describe each strategy, and the risk of a reindex', () => {
    for (const { name, meaning } of Object.values(strategyTexts)) {
      assert.ok(name().length > 0 && meaning().endsWith('.'));
    }
    assert.match(
      strategyTexts.reindex.meaning(),
      /hidden until an administrator refreshes the new index.*only in the old index/,
    );
  });
});
