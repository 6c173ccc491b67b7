import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSince, SINCE } from '../../../../src/service/server/releases.ts';

for (const [difference, numbers] of Object.entries(SINCE)) {
  test(`A difference is there in its first release and in every later one: ${difference}`, () => {
    const name = difference as keyof typeof SINCE;
    const first = numbers.join('.');
    const before = [...numbers.slice(0, 1), (numbers[1] ?? 0) - 1, 99].join('.');
    for (const [has, releases] of [
      [true, [first, `v${first}`, `${first}.1`, `${first}rc6`, '1.10', '2.0', 'v9.9-SNAPSHOT']],
      [false, [before, `v${before}`, `${before}rc6`, '0.14.0', 'v0.15']],
      [undefined, [undefined, '', '2024.01.3', 'v10.0', '5a7c2b90', 'a build of our own', '1']],
    ] as const) {
      for (const release of releases) {
        assert.equal(hasSince(name, release), has, release);
      }
    }
  });
}

test('A difference may have come with the fourth number alone', () => {
  assert.deepEqual(
    ['1.2.0', '1.2.0.1', '1.2.0.2', '1.2.0.10', '1.2.1'].map((release) => hasSince('createsWeeks', release)),
    [false, false, true, true, true],
  );
});
