import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  hasSameSpelling,
  indexNameKey,
  indexNameOf,
  indexNameText,
  isSameIndex,
} from '../../../src/indices/indexName.ts';

const LISTED = { entityType: 'dataset', aspect: 'datasetprofile' };
const TYPED = { entityType: 'Dataset', aspect: 'datasetProfile' };

suite('The name of an index', () => {
  test('is shown in the spelling given', () => assert.equal(indexNameText(TYPED), 'Dataset/datasetProfile'));

  test('means one index in every spelling', () => {
    assert.equal(indexNameKey(TYPED), indexNameKey(LISTED));
    assert.ok(isSameIndex(TYPED, LISTED));
    assert.ok(!isSameIndex(TYPED, { ...TYPED, aspect: 'operation' }));
    assert.ok(!hasSameSpelling(TYPED, LISTED));
    assert.ok(hasSameSpelling(TYPED, { ...TYPED }));
  });

  test('is undefined where the server does not report both parts', () => {
    assert.deepEqual(indexNameOf({ ...LISTED, aspect: 'operation' }), { entityType: 'dataset', aspect: 'operation' });
    assert.equal(indexNameOf({ entityType: 'dataset', aspect: undefined }), undefined);
    assert.equal(indexNameOf({ entityType: undefined, aspect: 'operation' }), undefined);
  });
});
