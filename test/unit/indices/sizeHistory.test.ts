import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { indexNameKey } from '../../../src/indices/indexName.ts';
import {
  dayOfMillis,
  historyFromStored,
  growthSinceFall,
  MOST_FIGURES,
  MOST_TRACKED,
  type DailySizeFigure,
  type IndexSizeHistory,
  storedHistory,
  withDailySizes,
} from '../../../src/indices/sizeHistory.ts';

const PROFILE = indexNameKey({ entityType: 'dataset', aspect: 'datasetProfile' });

function after(...looks: readonly (readonly [day: number, bytes: number])[]): IndexSizeHistory {
  return looks.reduce<IndexSizeHistory>(
    (history, [day, bytes]) => withDailySizes(history, day, [{ key: PROFILE, bytes }]),
    new Map(),
  );
}

suite('A size history', () => {
  test('has one figure a day, from the last look', () => {
    assert.deepEqual(after([7, 100], [7, 120], [8, 130]).get(PROFILE), [
      { day: 7, bytes: 120 },
      { day: 8, bytes: 130 },
    ]);
    assert.equal(dayOfMillis(Date.UTC(1970, 0, 2)), 1);
    assert.equal(dayOfMillis(Date.UTC(1970, 0, 2) - 1), 0);
  });

  test('identifies an index in any spelling, and adds up its parts', () => {
    assert.equal(PROFILE, 'dataset/datasetprofile');
    const history = withDailySizes(new Map(), 1, [
      { key: PROFILE, bytes: 100.4 },
      { key: PROFILE, bytes: 20 },
    ]);
    assert.deepEqual(history.get(PROFILE), [{ day: 1, bytes: 120 }]);
  });

  test("keeps indices that aren't listed today, for about a year", () => {
    assert.deepEqual(withDailySizes(after([1, 100]), 2, []).get(PROFILE), [{ day: 1, bytes: 100 }]);
    assert.equal(withDailySizes(after([1, 100]), 500, []).has(PROFILE), false);
  });

  test('accepts a clock that was set back', () => {
    assert.deepEqual(after([7, 100], [9, 120], [8, 110]).get(PROFILE), [
      { day: 7, bytes: 100 },
      { day: 8, bytes: 110 },
    ]);
  });

  test('is limited: the newest figures and the largest indices stay', () => {
    const looks = Array.from({ length: 2 * MOST_FIGURES }, (_, day) => [day, 1_000 + day] as const);
    const figures = after(...looks).get(PROFILE);
    assert.equal(figures?.length, MOST_FIGURES);
    assert.equal(figures.at(-1)?.day, 2 * MOST_FIGURES - 1);
    const many = Array.from({ length: 10_000 }, (_, bytes) => ({ key: `chart/a${bytes}`, bytes }));
    const history = withDailySizes(new Map(), 1, many);
    assert.equal(history.size, MOST_TRACKED);
    assert.ok(history.has('chart/a9999') && !history.has('chart/a5'));
  });

  test('is read back as stored', () => {
    const look = fc.record({ key: fc.constantFrom('a/b', 'a/c', '__proto__/x'), bytes: fc.nat() });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(300), fc.array(look))), (looks) => {
        const history = looks.reduce<IndexSizeHistory>(
          (before, [day, sizes]) => withDailySizes(before, day, sizes),
          new Map(),
        );
        assert.deepEqual(historyFromStored(JSON.parse(JSON.stringify(storedHistory(history)))), history);
        for (const figures of history.values()) {
          assert.deepEqual(
            figures,
            figures.toSorted((a, b) => a.day - b.day),
          );
          assert.equal(new Set(figures.map(({ day }) => day)).size, figures.length);
        }
      }),
    );
  });

  test('survives damage: readable parts are kept, and nothing throws', () => {
    const damaged = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.array(fc.oneof(fc.nat(), fc.jsonValue()))))),
    );
    fc.assert(
      fc.property(damaged, (stored) => {
        for (const figures of historyFromStored(stored).values()) {
          assert.ok(figures.length > 0 && figures.length <= MOST_FIGURES);
        }
      }),
    );
    assert.deepEqual(
      historyFromStored({ 'a/b': [[2, 5], [1, 4], 'x', [3], [4, -1], [5, 0.5], [null, 1]], 'a/c': 7, 'a/d': [] }),
      new Map([
        [
          'a/b',
          [
            { day: 1, bytes: 4 },
            { day: 2, bytes: 5 },
          ],
        ],
      ]),
    );
  });
});

const MB = 1_000_000;

/** Figures of these sizes in MB, ten days apart. */
function seen(...sizes: readonly number[]): DailySizeFigure[] {
  return sizes.map((size, at) => ({ day: 20_000 + 10 * at, bytes: size * MB }));
}

suite('Growth of an index', () => {
  test('is the difference between the first and the last figure', () => {
    assert.deepEqual(growthSinceFall(seen(100, 130, 160)), { bytes: 60 * MB, days: 20 });
    assert.deepEqual(growthSinceFall(seen(100, 98)), { bytes: -2 * MB, days: 10 });
    assert.deepEqual(growthSinceFall(seen(100, 100)), { bytes: 0, days: 10 });
  });

  test('starts after the last fall, which is a truncation, but ignores merged segments', () => {
    assert.deepEqual(growthSinceFall(seen(500, 600, 100, 130)), { bytes: 30 * MB, days: 10 });
    assert.deepEqual(growthSinceFall(seen(500, 100, 200, 50, 70, 90)), { bytes: 40 * MB, days: 20 });
    assert.deepEqual(growthSinceFall(seen(100, 130, 125, 160)), { bytes: 60 * MB, days: 30 });
  });

  test('is unknown from one figure, and right after a fall', () => {
    for (const figures of [[], seen(100), seen(100, 200, 50)]) assert.equal(growthSinceFall(figures), undefined);
  });

  test('is never less than the tolerated fall, for any figures', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e12 })), (sizes) => {
        const growth = growthSinceFall(seen(...sizes));
        assert.ok(growth === undefined || (growth.days >= 1 && Number.isFinite(growth.bytes)));
      }),
    );
  });
});
