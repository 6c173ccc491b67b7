import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { GC_RELEASES, gcReleasesOf, type GcReleaseRange } from '../../../../src/integrations/recipe/gcReleases.ts';
import { gcRecipeText } from '../../../../src/integrations/recipe/recipeText.ts';

/** The package has no types. */
const yaml = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

const COUNTED_AT = Date.UTC(2026, 7, 21, 12, 5, 7, 31);
const [NEWEST] = GC_RELEASES;
const WITHOUT_QUERIES = releasesOf('0.15.0');

function releasesOf(release: string): GcReleaseRange {
  const releases = gcReleasesOf(release);
  assert.ok(typeof releases === 'object', release);
  return releases;
}

function text(options: Partial<Parameters<typeof gcRecipeText>[0]> = {}): string {
  return gcRecipeText({ releases: NEWEST, olderThanDays: 90, countedAt: COUNTED_AT, ...options });
}

function configFor(release: string): unknown {
  const recipe = yaml.load(text({ releases: releasesOf(release) })) as { source: { type: string; config: unknown } };
  assert.deepEqual(Object.keys(recipe), ['source']);
  assert.equal(recipe.source.type, 'datahub-gc');
  return recipe.source.config;
}

const TRUNCATION = { truncate_indices: true, truncate_index_older_than_days: 90, cleanup_expired_tokens: false };
const OFF = { enabled: false };

suite('A recipe of the garbage collector', () => {
  test('only truncates, with keys that its releases support', () => {
    assert.deepEqual(configFor('0.14.1.12'), TRUNCATION);
    const three = {
      ...TRUNCATION,
      dataprocess_cleanup: OFF,
      soft_deleted_entities_cleanup: OFF,
      execution_request_cleanup: OFF,
    };
    assert.deepEqual(configFor('1.6.0.14'), three);
    assert.deepEqual(configFor('1.7.0.17'), { ...three, query_cleanup: OFF });
  });

  test('says that every run deletes from all indices, without a preview', () => {
    const said = text();
    assert.match(said, /Every run deletes the rows older than 90 days from all of these indices:/);
    for (const index of NEWEST.truncated) assert.ok(said.includes(`\n#   ${index}\n`), index);
    assert.match(
      said,
      /There is no preview: "datahub ingest run --dry-run" deletes the rows as well, and so does .* dry_run/,
    );
    assert.match(text({ olderThanDays: 1 }), /older than 1 day from/);
    assert.doesNotMatch(text({ releases: WITHOUT_QUERIES }), /query\//);
  });

  test("mentions the server's own cleanup, the first failure and a reindex", () => {
    const said = text();
    assert.match(said, /keeps running at its own age, 30 days unless .*\n.* A longer age here has no effect\./);
    assert.doesNotMatch(
      text({ releases: releasesOf('0.14.0.5') }),
      /cleanup that DataHub creates/,
      'it came with 0.15.0',
    );
    assert.match(text({ releases: WITHOUT_QUERIES }), /cleanup that DataHub creates/);
    assert.match(said, /The first index that fails stops the rest/);
    assert.match(said, /more than half of an index makes the server reindex it, which can hide all of its/);
    assert.match(said, /At 2026-08-21 12:05 UTC dry runs showed no such index\./);
  });

  test("names its releases and the server's", () => {
    assert.match(text(), /run by acryl-datahub 1\.6\.0\.15 to 1\.7\.0\.17\.\n/);
    assert.match(text({ releases: WITHOUT_QUERIES }), /run by acryl-datahub 0\.15\.0\.\n/);
    assert.doesNotMatch(text(), /by default:/);
    assert.match(text({ serverRelease: '1.7.0.2' }), /# Release that this server runs by default: 1\.7\.0\.2\n#\n/);
    assert.match(text({ serverRelease: '1.8.0' }), /1\.8\.0\n# It is newer: if it has further cleanups, they are on/);
  });

  test('contains no address, and a variable instead of a token', () => {
    assert.match(text(), /# {3}server: "\$\{DATAHUB_GMS_URL\}"\n# {3}token: "\$\{DATAHUB_GMS_TOKEN\}"\n$/);
    assert.doesNotMatch(text(), /https?:/);
  });

  test('is valid YAML for every release and age', () => {
    fc.assert(
      fc.property(fc.constantFrom(...GC_RELEASES), fc.integer({ min: 1, max: 40_000 }), (releases, olderThanDays) => {
        const recipe = text({ releases, olderThanDays });
        const { source } = yaml.load(recipe) as { source: { type: string; config: Record<string, unknown> } };
        assert.equal(source.type, 'datahub-gc');
        assert.equal(source.config['truncate_indices'], true);
        assert.equal(source.config['truncate_index_older_than_days'], olderThanDays);
        assert.ok(recipe.split('\n').every((line) => line.length <= 120 && line === line.trimEnd()));
      }),
    );
  });
});
