import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { GC_RELEASES } from '../../../src/recipe/gcReleases.ts';
import {
  ageForRecipe,
  reindexRefusal,
  releasesForRecipe,
  type IndexWithCutoff,
} from '../../../src/recipe/recipeRefusal.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const NOW = Date.UTC(2026, 7, 21, 12, 5);

function older(index: string, millis: number): IndexWithCutoff {
  const [entityType = '', aspect = ''] = index.split('/');
  return { entityType, aspect, endTimeMillis: NOW - millis, chosenAt: NOW };
}

function sentence(refusal: object | undefined): string {
  return refusal !== undefined && 'sentence' in refusal ? String(refusal.sentence) : '';
}

suite('Cutoffs that the cleanup can apply', () => {
  test('are of listed indices in any case, at one age', () => {
    const cutoffs = ['dataset/operation', 'Dataset/DatasetUsageStatistics', 'query/queryUsageStatistics'].map((index) =>
      older(index, 90 * DAY),
    );
    assert.deepEqual(ageForRecipe(cutoffs), { olderThanDays: 90 });
  });

  test('must have the same age', () => {
    const refusal = ageForRecipe([older('dataset/operation', 30 * DAY), older('chart/chartUsageStatistics', 90 * DAY)]);
    assert.match(sentence(refusal), /isn't a whole number of days ago/);
  });

  test('are whole days ago, with some tolerance', () => {
    const days = (millis: number): unknown => {
      const age = ageForRecipe([older('dataset/operation', millis)]);
      return 'olderThanDays' in age ? age.olderThanDays : sentence(age);
    };
    assert.equal(days(90 * DAY), 90);
    assert.equal(days(90 * DAY - HOUR), 90);
    assert.equal(days(90 * DAY + 1.5 * HOUR), 90);
    for (const millis of [90.5 * DAY, 90 * DAY + 3 * HOUR, HOUR, 0, -100 * DAY]) {
      assert.match(String(days(millis)), /isn't a whole number of days ago/, String(millis / DAY));
    }
  });

  test('keep their age while the page shows their dry run', () => {
    const cutoff = { ...older('dataset/operation', 100.4 * DAY), chosenAt: NOW - 10.4 * DAY };
    assert.deepEqual(ageForRecipe([cutoff]), { olderThanDays: 90 });
  });

  test('never get a much shorter age, and never less than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * DAY, max: 4_000 * DAY }), (millis) => {
        const age = ageForRecipe([older('dataset/operation', millis)]);
        assert.ok(
          'sentence' in age || (age.olderThanDays >= 1 && Math.abs(age.olderThanDays * DAY - millis) <= 2 * HOUR),
        );
      }),
    );
  });
});

suite('Releases for a recipe', () => {
  const QUERIES = [older('query/queryUsageStatistics', 90 * DAY)];

  test("are the server's if they truncate the chosen indices", () => {
    for (const releases of GC_RELEASES) {
      const chosen = [older('dataset/operation', DAY)];
      assert.equal(releasesForRecipe(releases, releases.first, chosen), releases);
    }
    assert.equal(releasesForRecipe(GC_RELEASES[1] ?? 'none', undefined, QUERIES), GC_RELEASES[1]);
  });

  test('are refused if only later ones truncate an index, with the last of those that were picked', () => {
    const picked = releasesForRecipe(GC_RELEASES.at(-1) ?? 'none', undefined, QUERIES);
    assert.match(sentence(picked), /^datahub-gc 0\.14\.1\.12 doesn't/);
  });

  test('are refused before datahub-gc existed', () => {
    assert.deepEqual(releasesForRecipe('none', '0.12.1', QUERIES), {
      sentence: 'This server runs DataHub ingestion 0.12.1, which has no datahub-gc.',
      next: 'datahub-gc was added in release 0.13.1.3.',
    });
  });
});

suite('A first run of the cleanup', () => {
  const CHARTS = { entityType: 'chart', aspect: 'chartUsageStatistics' };
  const refusalOf = (
    rows: { readonly toDelete: number; readonly total: number } | undefined,
    strategy: 'reindex' | 'deleteByQuery' | 'unknown',
  ): ReturnType<typeof reindexRefusal> => reindexRefusal(CHARTS, { rows, strategy }, 90, true);

  for (const [toDelete, total, strategy, isRefused] of [
    [50, 100, 'deleteByQuery', false],
    // As PostgreSQL always does.
    [100, 100, 'deleteByQuery', false],
    [0, 0, 'deleteByQuery', false],
    [51, 100, 'unknown', true],
    [50, 100, 'unknown', false],
  ] as const) {
    test(`is ${isRefused ? 'refused' : 'allowed'} to delete ${toDelete} of ${total} rows: ${strategy}`, () =>
      assert.equal(refusalOf({ toDelete, total }, strategy) !== undefined, isRefused));
  }

  test('is refused if the server would reindex', () => {
    assert.deepEqual(refusalOf({ toDelete: 5_100, total: 10_000 }, 'reindex'), {
      sentence:
        'The first run would reindex chart/chartUsageStatistics, which can hide all of its rows: 5,100 of 10,000 rows are older than 90 days.',
      next: 'Truncate this index once using delete by query, then copy the recipe.',
    });
  });

  test('is refused without counts', () => {
    assert.match(sentence(refusalOf(undefined, 'unknown')), /couldn't interpret/);
    assert.match(sentence(refusalOf(undefined, 'deleteByQuery')), /couldn't interpret/);
  });
});
