import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { createFormats, fill, utcTime } from '../../../../src/webview/page/formats.ts';

suite('Numbers and times', () => {
  before(() => {
    process.env['TZ'] = 'America/New_York';
  });

  test('are grouped and written as the language does', () => {
    assert.equal(createFormats('en').count(134_517), '134,517');
    assert.equal(createFormats('de').count(134_517), '134.517');
    assert.equal(createFormats('en').percent(99.2), '99.2%');
    assert.equal(createFormats('en').percent(0), '0%');
    assert.equal(createFormats('pt-br').percent(9.95), '9,95%');
  });

  test('fall back to the default language where Intl knows no such one', () => {
    assert.doesNotThrow(() => createFormats('qps-ploc').count(1));
    assert.doesNotThrow(() => createFormats('not a language').count(1));
  });

  test('name their zone', () => {
    const formats = createFormats('en');
    assert.equal(formats.timeZone, 'America/New_York');
    assert.match(formats.longTime(Date.UTC(2026, 4, 23, 12, 5)), /^Saturday, May 23, 2026.*8:05.AM EDT$/);
    assert.match(formats.shortTime(Date.UTC(2026, 0, 3, 12, 5, 9)), /^Jan 3, 2026.*7:05:09.AM EST$/);
  });

  test('tell a distance in whole days, hours or minutes', () => {
    const { distance } = createFormats('en');
    const now = Date.UTC(2026, 10, 21);
    assert.equal(distance(now - 182.9 * 86_400_000, now), '182 days ago');
    assert.equal(distance(now - 3 * 3_600_000, now), '3 hours ago');
    assert.equal(distance(now - 90_000, now), '1 minute ago');
    assert.equal(distance(now + 3 * 86_400_000, now), 'in 3 days');
  });

  test('in UTC show seconds only where there are any', () => {
    assert.equal(utcTime(Date.UTC(2026, 4, 23, 12, 5)), '2026-05-23 12:05 UTC');
    assert.equal(utcTime(Date.UTC(2026, 4, 23, 12, 5, 9)), '2026-05-23 12:05:09 UTC');
    assert.equal(utcTime(Date.UTC(2026, 4, 23, 12, 5, 0, 250)), '2026-05-23 12:05:00.250 UTC');
  });
});

suite('A word with placeholders', () => {
  test('is filled in any order, and a value is never filled itself', () => {
    assert.equal(fill('{1} of {0}', 'a', '{0}'), '{0} of a');
  });

  test('keeps what has no value', () => assert.equal(fill('{0} {7}', 'a'), 'a {7}'));
});
