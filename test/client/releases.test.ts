import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { timeSeriesAspects } from '../service/timeseries/entityRegistry.ts';
import { profiles } from '../service/profiles.ts';
import { drive, type DriverAnswers } from './driver.ts';
import { CLIENT_RELEASES } from './releases.ts';

for (const { version, sameModel, collectorKeys } of CLIENT_RELEASES) {
  suite(`acryl-datahub ${version}`, () => {
    let answers: DriverAnswers;
    before(async () => {
      answers = await drive(version, { command: 'describe' });
    });

    test('has the time series aspects of the local service', () => {
      const aspects = answers.value('time series aspects') as string[][];
      assert.deepEqual(sortedNames(aspects), sortedNames(timeSeriesAspects(profiles[sameModel])));
    });

    test('has a datahub-gc with exactly the known keys', () => {
      assert.deepEqual((answers.value('keys') as string[]).toSorted(), collectorKeys.toSorted());
    });
  });
}

function sortedNames(aspects: readonly (readonly string[])[]): string[] {
  return aspects.map((names) => names.join('/')).toSorted();
}
