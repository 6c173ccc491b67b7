import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { GC_RELEASES, gcReleasesOf } from '../../../src/service/ingestion/gcReleases.ts';
import {
  ageForRecipe,
  reindexRefusal,
  releasesForRecipe,
  type ChosenCutOff,
} from '../../../src/recipe/recipeRefusal.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const NOW = Date.UTC(2026, 7, 21, 12, 5);

function older(index: string, millis: number): ChosenCutOff {
  const [entityType = '', aspect = ''] = index.split('/');
  return { entityType, aspect, endTimeMillis: NOW - millis, chosenAt: NOW };
}

function sentence(refusal: object | undefined): string {
  return refusal !== undefined && 'sentence' in refusal ? String(refusal.sentence) : '';
}

suite('Cut-offs that the garbage collector can apply', () => {
  test('are of indices in its list, in any case, at one age', () => {
    const cutOffs = ['dataset/operation', 'Dataset/DatasetUsageStatistics', 'query/queryUsageStatistics'].map((index) =>
      older(index, 90 * DAY),
    );
    assert.deepEqual(ageForRecipe(cutOffs, false), { olderThanDays: 90 });
  });

  test('are spelled as in its list where the case matters', () => {
    assert.deepEqual(ageForRecipe([older('chart/chartUsageStatistics', DAY)], true), { olderThanDays: 1 });
    const refusal = ageForRecipe([older('dataset/datasetUsageStatistics', DAY)], true);
    assert.match(sentence(refusal), /^No release of DataHub truncates dataset\/datasetUsageStatistics by itself\.$/);
  });

  test('are none of an index that no release truncates, and the reason names it', () => {
    const refusal = ageForRecipe(
      ['dataset/operation', 'dataset/datasetProfile', 'dataJob/datahubIngestionCheckpoint'].map((index) =>
        older(index, 90 * DAY),
      ),
      false,
    );
    assert.deepEqual(refusal, {
      sentence: 'No release of DataHub truncates dataset/datasetProfile, dataJob/datahubIngestionCheckpoint by itself.',
      next: `A recipe for datahub-gc only covers ${GC_RELEASES[0].truncated.join(', ')}.`,
    });
  });

  test('are none of different ages', () => {
    const refusal = ageForRecipe(
      [older('dataset/operation', 30 * DAY), older('chart/chartUsageStatistics', 90 * DAY)],
      false,
    );
    assert.match(sentence(refusal), /one age for all indices, and your cut-offs differ/);
  });

  test('are a whole number of days ago, give or take a change of clocks and what a dry run takes', () => {
    const days = (millis: number): unknown => {
      const age = ageForRecipe([older('dataset/operation', millis)], false);
      return 'olderThanDays' in age ? age.olderThanDays : sentence(age);
    };
    assert.equal(days(90 * DAY), 90);
    assert.equal(days(90 * DAY - HOUR), 90);
    assert.equal(days(90 * DAY + 1.5 * HOUR), 90);
    for (const millis of [90.5 * DAY, 90 * DAY + 3 * HOUR, HOUR, 0, -100 * DAY]) {
      assert.match(String(days(millis)), /isn't a whole number of days ago/, String(millis / DAY));
    }
  });

  test('keep their age while their dry run stays on the page', () => {
    const cutOff = { ...older('dataset/operation', 100.4 * DAY), chosenAt: NOW - 10.4 * DAY };
    assert.deepEqual(ageForRecipe([cutOff], false), { olderThanDays: 90 });
  });

  test('never become a shorter age than was chosen by more than the tolerance, and never less than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * DAY, max: 4_000 * DAY }), (millis) => {
        const age = ageForRecipe([older('dataset/operation', millis)], false);
        assert.ok(
          'sentence' in age || (age.olderThanDays >= 1 && Math.abs(age.olderThanDays * DAY - millis) <= 2 * HOUR),
        );
      }),
    );
  });
});

suite('Releases that the garbage collector runs with', () => {
  const QUERIES = [older('query/queryUsageStatistics', 90 * DAY)];

  test('are those of the server if they truncate what was chosen', () => {
    for (const releases of GC_RELEASES) {
      const chosen = [older('dataset/operation', DAY)];
      assert.equal(releasesForRecipe(releases, releases.first, chosen, false), releases);
    }
    assert.equal(releasesForRecipe(GC_RELEASES[1] ?? 'none', undefined, QUERIES, false), GC_RELEASES[1]);
  });

  test('are none where only later ones truncate it', () => {
    assert.deepEqual(releasesForRecipe(gcReleasesOf('0.14.0') ?? 'none', '0.14.0', QUERIES, false), {
      sentence: "datahub-gc 0.14.0 doesn't truncate query/queryUsageStatistics.",
      next: 'Releases from 0.15.0.1 on do.',
    });
    const picked = releasesForRecipe(GC_RELEASES.at(-1) ?? 'none', undefined, QUERIES, false);
    assert.match(sentence(picked), /^datahub-gc 0\.14\.1\.12 doesn't/);
  });

  test('are none before it came', () => {
    assert.deepEqual(releasesForRecipe('none', '0.12.1', QUERIES, false), {
      sentence: 'This server runs DataHub ingestion 0.12.1, which has no datahub-gc.',
      next: 'It came with 0.13.1.3.',
    });
  });
});

suite('A first run of the garbage collector', () => {
  const CHARTS = { entityType: 'chart', aspect: 'chartUsageStatistics' };
  const refusalOf = (
    rows: { readonly toDelete: number; readonly total: number } | undefined,
    strategy: 'reindex' | 'deleteByQuery' | 'unknown',
    isChosen = true,
  ): ReturnType<typeof reindexRefusal> => reindexRefusal(CHARTS, { rows, strategy }, 90, isChosen);

  test('may delete by query', () => {
    assert.equal(refusalOf({ toDelete: 50, total: 100 }, 'deleteByQuery'), undefined);
    assert.equal(refusalOf({ toDelete: 100, total: 100 }, 'deleteByQuery'), undefined, 'as PostgreSQL always does');
    assert.equal(refusalOf({ toDelete: 0, total: 0 }, 'deleteByQuery'), undefined);
  });

  test('is refused where the server would reindex, and the index is to be truncated first', () => {
    assert.deepEqual(refusalOf({ toDelete: 5_100, total: 10_000 }, 'reindex'), {
      sentence:
        'The first run would reindex chart/chartUsageStatistics, which can hide all of its rows: 5,100 of 10,000 rows are older than 90 days.',
      next: 'Truncate it once by delete by query, then copy the recipe.',
      truncateFirst: CHARTS,
    });
  });

  test('is refused for an index that was not chosen too, since the run truncates it as well', () => {
    const refusal = refusalOf({ toDelete: 51, total: 100 }, 'reindex', false);
    assert.match(
      refusal?.next ?? '',
      /^datahub-gc truncates every index of its list, chosen or not\. Truncate it once/,
    );
  });

  test('is refused by the counts where the dry run does not say how it deletes', () => {
    assert.notEqual(refusalOf({ toDelete: 51, total: 100 }, 'unknown'), undefined);
    assert.equal(refusalOf({ toDelete: 50, total: 100 }, 'unknown'), undefined);
    assert.match(sentence(refusalOf(undefined, 'unknown')), /couldn't be read/);
    assert.deepEqual(refusalOf(undefined, 'deleteByQuery')?.truncateFirst, CHARTS);
  });
});
