import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { timeSeriesAspects } from '../service/entityRegistry.ts';
import { profiles } from '../service/profiles.ts';
import { drive } from './driver.ts';
import type { DriverAnswers } from './driver.ts';
import { CLIENT_RELEASES } from './releases.ts';

for (const { version, sameModel, collectorKeys, cleanups } of CLIENT_RELEASES) {
  suite(`acryl-datahub ${version}`, () => {
    let described: DriverAnswers;
    let recipes: DriverAnswers;
    before(async () => {
      described = await drive(version, { command: 'describe' });
      recipes = await drive(version, {
        command: 'readRecipes',
        recipes: {
          'all cleanups off': recipe({ cleanups }),
          'an unknown key': recipe({ cleanups, more: ['    truncate_aspect_retentions: []'] }),
        },
      });
    });

    test('has the time series aspects of the local service', () => {
      const aspects = described.value('time series aspects') as string[][];
      assert.deepEqual(sortedNames(aspects), sortedNames(timeSeriesAspects(profiles[sameModel])));
    });

    test('has a datahub-gc with the keys that are known of it', () => {
      assert.deepEqual((described.value('keys') as string[]).toSorted(), collectorKeys.toSorted());
    });

    test('reads a recipe that switches off each cleanup', () => {
      const config = recipes.value('all cleanups off') as Record<string, unknown>;
      assert.equal(config['truncate_index_older_than_days'], 90);
      const on = Object.entries(config).flatMap(([key, value]) => (isOn(value) ? [key] : []));
      assert.deepEqual(on, ['truncate_indices']);
    });

    test('refuses a recipe with a key that it does not know', () => {
      assert.match(
        recipes.error('an unknown key') ?? '',
        /truncate_aspect_retentions\s+Extra inputs are not permitted/,
      );
    });
  });
}

function recipe({
  cleanups,
  more = [],
}: {
  readonly cleanups: readonly string[];
  readonly more?: readonly string[];
}): string {
  return [
    'source:',
    '  type: datahub-gc',
    '  config:',
    '    truncate_indices: true',
    '    truncate_index_older_than_days: 90',
    '    cleanup_expired_tokens: false',
    ...cleanups.flatMap((cleanup) => [`    ${cleanup}:`, '      enabled: false']),
    ...more,
  ].join('\n');
}

/** Whether a switch is on, or a cleanup. */
function isOn(value: unknown): boolean {
  return (
    value === true || (typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === true)
  );
}

function sortedNames(aspects: readonly (readonly string[])[]): string[] {
  return aspects.map((names) => names.join('/')).toSorted();
}
