import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { GC_RELEASES } from '../../src/integrations/recipe/gcReleases.ts';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import { gcRecipeText } from '../../src/integrations/recipe/recipeText.ts';
import { startService, type RunningService } from '../service/main.ts';
import { until } from '../service/testClient.ts';
import { drive, type DriverAnswers } from './driver.ts';
import { CLIENT_RELEASES, knownCollector } from './releases.ts';

interface Body {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
}

/** Long enough ago that less than half of the rows of each sample index are older. */
const OLDER_THAN_DAYS = 600;

suite('The recipe for datahub-gc', { concurrency: 2 }, () => {
  for (const release of CLIENT_RELEASES) {
    const known = knownCollector(release);
    const recipe = recipeFor(known);

    suite(`in ${release.version}`, () => {
      let service: RunningService;
      let read: DriverAnswers;
      let run: DriverAnswers;
      before(async () => {
        read = await drive(release.version, {
          command: 'readRecipes',
          recipes: Object.fromEntries(GC_RELEASES.map((releases) => [releases.first, recipeFor(releases)])),
        });
        service = await startService({ profile: 'next', rows: 2000, lagMillis: 0, refreshIntervalMillis: null });
        const { url: server, adminToken: token } = service;
        run = await drive(release.version, { command: 'runRecipe', server, token, recipe });
        await until('the tasks end', () => service.tasks().every(({ completed }) => completed));
      });
      after(() => service.close());

      test('is read as intended: only truncation is on', () => {
        const config = read.value(known.first) as Record<string, unknown>;
        assert.equal(config['truncate_index_older_than_days'], OLDER_THAN_DAYS);
        const switchedOn = Object.entries(config).flatMap(([key, value]) => (isOn(value) ? [key] : []));
        assert.deepEqual(switchedOn, ['truncate_indices']);
      });

      test('is refused if it has keys of a later release', () => {
        for (const later of GC_RELEASES.slice(0, GC_RELEASES.indexOf(known))) {
          const unknown = later.otherCleanups.filter((cleanup) => !known.otherCleanups.includes(cleanup));
          const error = read.error(later.first);
          assert.equal(error === undefined, unknown.length === 0, error);
          for (const key of unknown) assert.match(error ?? '', RegExp(`\\b${key}\\s+Extra inputs are not permitted`));
        }
      });

      test('runs without a failure, with server and token from the environment', () => {
        assert.deepEqual(run.value('collect'), { failures: [], expiredTokensRevoked: 0 });
      });

      test('truncates the indices it names', async () => {
        for (const index of known.truncated) {
          const [entity = '', aspect = ''] = index.toLowerCase().split('/');
          // Readers see the effect after a refresh.
          await until(`the oldest rows of ${index} are gone`, () => {
            const { min } = service.rows(entity, aspect);
            return min !== null && min > Date.now() - (OLDER_THAN_DAYS + 1) * MILLIS_PER_DAY;
          });
        }
      });

      test('sends no other request to the server, and leaves batch size and strategy to it', () => {
        const targets = service.requests
          .filter(({ path }) => path !== '/config')
          .map(({ path, body }) => {
            assert.match(path, /^\/operations\?action=truncateTimeseriesAspect$/);
            const { entityType, aspect, endTimeMillis: _cutoff, dryRun: _isDryRun, ...rest } = JSON.parse(body) as Body;
            assert.deepEqual(rest, {});
            return `${entityType}/${aspect}`;
          });
        assert.deepEqual([...new Set(targets)], known.truncated);
      });
    });
  }
});

function recipeFor(releases: (typeof GC_RELEASES)[number]): string {
  return gcRecipeText({ releases, olderThanDays: OLDER_THAN_DAYS, countedAt: Date.now() });
}

/** True if any switch or cleanup is on. */
function isOn(value: unknown): boolean {
  return (
    value === true || (typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === true)
  );
}
