import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  TIMESERIES_ASPECTS,
  aspectLoss,
  aspectPurpose,
  holdsPipelineState,
  shownIndexName,
} from '../../../src/indices/timeseriesAspects.ts';
import type { IndexName } from '../../../src/indices/indexName.ts';

const NAMES = TIMESERIES_ASPECTS.map(({ name }) => name);

function targetOf(name: string): IndexName {
  const [entityType = '', aspect = ''] = name.split('/');
  return { entityType, aspect };
}

function shown(name: string, isAdded = false): IndexName | undefined {
  const index = { ...targetOf(name), indexName: name, sizeBytes: undefined, isTotal: false } as const;
  return shownIndexName({ ...index, isAdded });
}

suite('The spelling of an index', () => {
  test("is shown as in the platform's registry, however a server spells it", () => {
    for (const name of NAMES) {
      for (const spelled of [name, name.toLowerCase()]) {
        assert.deepEqual(shown(spelled), targetOf(name));
      }
    }
  });

  test("is the server's own for a custom aspect, and for a custom entity type", () => {
    assert.deepEqual(shown('datajob/costs'), targetOf('dataJob/costs'));
    assert.deepEqual(shown('robot/datasetprofile'), targetOf('robot/datasetprofile'));
  });

  test("is the user's own for an added index, which may be wrong", () =>
    assert.deepEqual(shown('dataset/datasetprofile', true), targetOf('dataset/datasetprofile')));
});

suite('The purpose of an index', () => {
  test('has its own words for each, in any spelling', () => {
    const sentences = NAMES.map((name) => aspectPurpose(targetOf(name)) ?? '');
    assert.ok(sentences.every((sentence) => /^[A-Z][^.:]*: [a-z][^.]*\.$/.test(sentence)));
    assert.equal(new Set(sentences).size, NAMES.length);
    for (const spelled of [(name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()]) {
      assert.deepEqual(
        NAMES.map((name) => aspectPurpose(targetOf(spelled(name)))),
        sentences,
      );
    }
    assert.equal(
      aspectPurpose({ entityType: ' dataset', aspect: 'datasetprofile ' }),
      sentences[NAMES.indexOf('dataset/datasetProfile')],
      'as it is typed',
    );
  });

  test('is never guessed for others', () => {
    for (const name of [
      'dataJob/operation',
      'dataset/datasetProfiles',
      'chart/datasetProfile',
      'acme/quality',
      '/',
      'constructor/prototype',
    ]) {
      assert.equal(aspectPurpose(targetOf(name)), undefined, name);
      assert.equal(holdsPipelineState(targetOf(name)), false, name);
      assert.equal(aspectLoss(targetOf(name), 'today'), undefined, name);
    }
  });

  test('names the cutoff in one sentence where the latest row matters, and else is the same with it', () => {
    const losses = NAMES.map((name) => [aspectPurpose(targetOf(name)), aspectLoss(targetOf(name), 'May 23')] as const);
    assert.deepEqual(
      losses.flatMap(([purpose, loss]) => (loss === purpose ? [] : [loss])),
      [
        'Feeds the results of assertions: one that last ran before May 23 is left without a result.',
        'Feeds the Stats tab and the column statistics of datasets: one last profiled before May 23 is left without a profile.',
      ],
    );
  });
});
