import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sourceDate } from '../../../../tools/package/sourceDate.ts';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n- 2030-01-01\n\n## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-11-21\n';

suite('The date of a package', () => {
  test('is that of the latest release', () => {
    assert.equal(sourceDate(CHANGELOG, undefined), Date.UTC(2026, 11, 1) / 1_000);
    assert.equal(sourceDate(CHANGELOG, ''), Date.UTC(2026, 11, 1) / 1_000);
  });

  test('is SOURCE_DATE_EPOCH where that is set', () =>
    assert.equal(sourceDate(CHANGELOG, '1000000000'), 1_000_000_000));

  for (const given of ['0', '-1', '1e9', '1000000000.5', '10000000000', 'now', ' 1000000000', '1000000000;id'])
    test(`is not ${JSON.stringify(given)}`, () => {
      assert.throws(() => sourceDate(CHANGELOG, given), /^Error: SOURCE_DATE_EPOCH is Unix time in seconds/);
    });

  test('is missing without a release', () => {
    const message = 'CHANGELOG.md has no release with a date.';
    assert.throws(() => sourceDate('# Changelog\n\n## [Unreleased]\n', undefined), { message });
    assert.throws(() => sourceDate('## [0.1.0] - 2026-13-01\n', undefined), { message });
  });
});
