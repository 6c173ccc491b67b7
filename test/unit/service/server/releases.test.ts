import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasSince, SINCE } from '../../../../src/service/server/releases.ts';

suite('A difference that came with a release', () => {
  for (const [difference, numbers] of Object.entries(SINCE)) {
    const name = difference as keyof typeof SINCE;
    const first = numbers.join('.');
    const before = [...numbers.slice(0, 1), (numbers[1] ?? 0) - 1, 99].join('.');

    test(`is there in that release and in every later one: ${name}`, () => {
      for (const release of [first, `v${first}`, `${first}.1`, `${first}rc6`, '1.10', '2.0', 'v9.9-SNAPSHOT']) {
        assert.equal(hasSince(name, release), true, release);
      }
    });

    test(`is not there before: ${name}`, () => {
      for (const release of [before, `v${before}`, `${before}rc6`, '0.14.0', 'v0.15']) {
        assert.equal(hasSince(name, release), false, release);
      }
    });

    test(`is not known of anything else: ${name}`, () => {
      for (const release of [undefined, '', '2024.01.3', 'v10.0', '5a7c2b90', 'a build of our own', '1']) {
        assert.equal(hasSince(name, release), undefined, release);
      }
    });
  }

  test('may have come with the fourth number alone', () => {
    assert.deepEqual(
      ['1.2.0', '1.2.0.1', '1.2.0.2', '1.2.0.10', '1.2.1'].map((release) => hasSince('createsWeeks', release)),
      [false, false, true, true, true],
    );
  });
});
