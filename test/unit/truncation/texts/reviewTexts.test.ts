import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Caution } from '../../../../src/truncation/cautions.ts';
import { formatsOf } from '../../../../src/ui/formats.ts';
import { MILLIS_PER_DAY as DAY } from '../../../../src/time.ts';
import { cautionText } from '../../../../src/truncation/texts/reviewTexts.ts';
import { strategyTexts } from '../../../../src/truncation/texts/strategyTexts.ts';

suite('Texts of a review', () => {
  test('describe what a risky truncation deletes or hides', () => {
    const text = (caution: Caution): string => cautionText(caution, formatsOf('en', 'UTC'));
    assert.match(
      text({ kind: 'holdsState', endTimeMillis: Date.UTC(2026, 4, 23, 22, 30) }),
      /^Pipelines that last ran before May 23, 2026, 10:30\sPM start over/,
    );
    assert.match(text({ kind: 'unreadable' }), /couldn't interpret the dry run\. Read/);
    assert.equal(text({ kind: 'reindex' }), strategyTexts.reindex.meaning());
    assert.match(text({ kind: 'future' }), /in the future\. Every row dated up to then will be deleted/);
    assert.match(text({ kind: 'last24Hours' }), /less than 24 hours ago\. Very recent rows will be deleted too/);
    assert.equal(text({ kind: 'noRowStays' }), 'All rows of this index will be deleted.');
    assert.match(
      text({ kind: 'muchYounger', age: 9 * DAY, lastAge: 90 * DAY }),
      /older than 90 days; this one deletes rows older than 9 days\.$/,
    );
    assert.match(
      text({ kind: 'clock', answeredAt: Date.UTC(2026, 0, 2), at: Date.UTC(2026, 2, 3) }),
      /dated Jan.* 2, 2026.*, but this machine's clock says Mar.* 3, 2026.*A gateway may have dated the response\.$/,
    );
  });

  test('describe each strategy, and the risk of a reindex', () => {
    for (const { name, meaning } of Object.values(strategyTexts)) {
      assert.ok(name().length > 0 && meaning().endsWith('.'));
    }
    assert.match(
      strategyTexts.reindex.meaning(),
      /1\.2\.0 or later.*usually stay hidden until .* refreshes the new index or DataHub is upgraded.*only in the old index/,
    );
  });
});
