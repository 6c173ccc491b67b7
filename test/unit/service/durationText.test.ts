import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useLanguage } from '../../../src/language.ts';
import { durationName, lengthName } from '../../../src/service/durationText.ts';
import { DURATIONS } from '../../../src/service/server/durations.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

suite('The name of a duration', () => {
  test('is its own, with its days where a month could mean several', () => {
    const names = DURATIONS.map(durationName);
    assert.equal(new Set(names).size, DURATIONS.length);
    assert.deepEqual(
      names.filter((name) => name.includes('days')),
      ['1 month (30 days)', '3 months (90 days)', '6 months (180 days)', '1 year (365 days)'],
    );
    assert.equal(durationName('NO_EXPIRY'), 'No expiry');
  });

  test('is empty where it says no length', () => assert.equal(durationName({ iso: 'forever' }), ''));

  test('of any other length says how long it is', () => {
    assert.equal(durationName({ iso: 'P45D' }), '45 days');
    assert.equal(durationName({ iso: 'PT12H' }), '12 hours');
    assert.equal(durationName({ iso: 'P1DT1H' }), '1 day 1 hour');
    assert.equal(lengthName(2 * DAY + 2 * HOUR + 120_000 + 1_000), '2 days 2 hours 2 minutes 1 second');
    assert.equal(lengthName(60_000 + 2_000), '1 minute 2 seconds');
  });

  test('is in the display language', (context) => {
    context.after(() => useLanguage('en', undefined));
    const names = ['de', 'es', 'pt-br', 'ja', 'zh-cn'].map((locale) => {
      useLanguage(locale, {});
      return [lengthName(3 * DAY), lengthName(DAY + HOUR)];
    });
    assert.deepEqual(names, [
      ['3 Tage', '1 Tag, 1 Stunde'],
      ['3 días', '1 día 1 hora'],
      ['3 dias', '1 dia 1 hora'],
      ['3 日', '1 日1 時間'],
      ['3天', '1天1小时'],
    ]);
  });

  test('is the same however the length was written', () => {
    assert.equal(durationName({ iso: 'P1M' }), durationName('ONE_MONTH'));
    assert.equal(lengthName(7 * DAY), '1 week');
  });
});
