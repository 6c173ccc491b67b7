import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  parseRetentions,
  type RetentionDays,
  type RetentionLookup,
} from '../../../../src/service/ingestion/cleanups.ts';

const BUILT_IN = [
  ['dataset', 'operation'],
  ['dataset', 'datasetusagestatistics'],
  ['chart', 'chartusagestatistics'],
  ['dashboard', 'dashboardusagestatistics'],
] as const;

/** Retention of an index by a recipe with this configuration. */
function kept(config: unknown, entityType = 'dataset', aspect = 'operation', release?: string): RetentionDays {
  return parseRetentions(JSON.stringify({ source: { type: 'datahub-gc', config } }), release)(entityType, aspect);
}

suite('A recipe of the garbage collector', () => {
  test('keeps 30 days of the built-in indices by default', () => {
    for (const [entityType, aspect] of BUILT_IN) {
      assert.equal(kept({}, entityType, aspect), 30);
      assert.equal(kept({ truncate_index_older_than_days: 7 }, entityType, aspect), 7);
      assert.equal(kept({ truncate_indices: false }, entityType, aspect), 'none');
    }
    assert.equal(kept({}, 'dataset', 'datasetprofile'), 'none');
  });

  test('names indices in any case', () => {
    assert.equal(kept({}, 'CHART', 'chartUsageStatistics'), 30);
  });

  test('does not truncate an index that it spells differently if case matters', () => {
    const recipeOf = (config: unknown): RetentionLookup =>
      parseRetentions(JSON.stringify({ source: { type: 'datahub-gc', config } }));
    const builtIn = recipeOf({});
    assert.equal(builtIn('dataset', 'operation', true), 30);
    assert.equal(builtIn('chart', 'chartUsageStatistics', true), 30);
    assert.equal(builtIn('dataset', 'datasetUsageStatistics', true), 'none');
    assert.equal(builtIn('query', 'queryUsageStatistics', true), 'none');
    assert.equal(builtIn('dataset', 'datasetProfile', true), 'none');
  });

  test('may truncate the usage of queries, depending on the version that runs', () => {
    assert.equal(kept({}, 'query', 'queryusagestatistics'), 'unknown');
    assert.equal(kept({ truncate_indices: false }, 'query', 'queryusagestatistics'), 'none');
  });

  for (const [release, queries, operations] of [
    ['1.6.0.15', 30, 30],
    ['0.15.0.1', 30, 30],
    ['0.14.0', 'none', 30],
    ['0.12.0', 'none', 'none'],
    ['1.8.0', 30, 30],
    ['our-own-build', 'unknown', 30],
  ] as const) {
    test(`truncates the usage of queries as release ${release} does: ${queries}`, () => {
      assert.equal(kept({}, 'query', 'queryusagestatistics', release), queries);
      assert.equal(kept({}, 'dataset', 'operation', release), operations);
      assert.equal(kept({ truncate_indices: false }, 'query', 'queryusagestatistics', release), 'none');
    });
  }

  test('means nothing if it lists indices, which no release accepts', () => {
    const config = {
      truncate_aspect_retentions: [{ entity_type: 'dataset', aspect: 'operation', older_than_days: 90 }],
    };
    assert.equal(kept(config), 'unknown');
    assert.equal(kept(config, 'dataset', 'datasetprofile'), 'unknown');
    assert.equal(kept({ truncate_aspect_retentions: [] }), 'unknown');
  });

  test('is read as the collector reads it', () => {
    assert.equal(kept({ truncate_index_older_than_days: '14' }), 14);
    assert.equal(kept({ truncate_index_older_than_days: 0 }), 0);
    for (const no of [false, 0, 'false', 'False', 'no', 'OFF', '0', 'f', 'n']) {
      assert.equal(kept({ truncate_indices: no }), 'none', String(no));
    }
    for (const yes of [true, 1, 'true', 'Yes', 'on', '1', 't', 'Y']) {
      assert.equal(kept({ truncate_indices: yes }), 30, String(yes));
    }
    assert.equal(kept({ dry_run: true }), 30, 'its dry run does not cover truncation');
    assert.equal(kept({ cleanup_expired_tokens: false, soft_deleted_entities_cleanup: { enabled: true } }), 30);
  });

  for (const [what, config] of Object.entries({
    'no configuration': undefined,
    'an invalid configuration': 'x',
    'nothing for the days': { truncate_index_older_than_days: null },
    'a variable for the days': { truncate_index_older_than_days: '${DAYS}' },
    'days with a fraction': { truncate_index_older_than_days: 1.5 },
    'days ahead': { truncate_index_older_than_days: -1 },
    'a variable for a switch': { truncate_indices: '${TRUNCATE}' },
    'a number for a switch': { truncate_indices: 2 },
  })) {
    test(`with ${what} means nothing`, () => assert.equal(kept(config), 'unknown'));
  }

  test('of another source truncates nothing', () => {
    const recipe = JSON.stringify({ source: { type: 'snowflake', config: { truncate_indices: true } } });
    assert.equal(parseRetentions(recipe)('dataset', 'operation'), 'none');
  });

  for (const [what, recipe] of Object.entries({
    'nothing in it': '',
    'YAML in it': 'source:\n  type: datahub-gc\n  config: {}\n',
    'truncated JSON': '{"source": {"type": "datahub-gc", "config": {',
    'JSON of another shape': '[1, {"source": null}]',
    'too much in it': JSON.stringify({ source: { type: 'datahub-gc', config: {} }, more: 'x'.repeat(100_001) }),
    'endless brackets': '['.repeat(99_999),
  })) {
    test(`with ${what} means nothing`, () => assert.equal(parseRetentions(recipe)('dataset', 'operation'), 'unknown'));
  }

  const FIELDS = ['truncate_indices', 'truncate_index_older_than_days', 'truncate_aspect_retentions', 'password'];
  const VALUES = fc.oneof(fc.jsonValue(), fc.nat(), fc.boolean());
  const RECIPES = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom(...FIELDS), VALUES)
      .map((config) => JSON.stringify({ source: { type: 'datahub-gc', config } })),
  );

  test('always results in a number of days, or says that there is none', () => {
    fc.assert(
      fc.property(
        RECIPES,
        fc.constantFrom(...BUILT_IN),
        fc.string(),
        fc.string(),
        (recipe, known, entityType, aspect) => {
          const retentions = parseRetentions(recipe);
          for (const retention of [retentions(known[0], known[1]), retentions(entityType, aspect)]) {
            assert.ok(
              retention === 'none' || retention === 'unknown' || (Number.isInteger(retention) && retention >= 0),
              String(retention),
            );
          }
          assert.deepEqual(Object.entries(retentions), [], 'nothing can be read out of it');
          assert.equal(JSON.stringify({ retentions }), '{}');
        },
      ),
    );
  });
});
