import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { indexNameOf, indexNameProblem, isSameIndex } from '../../../src/indices/indexName.ts';

suite('Name of an entity type or aspect', () => {
  test('has its own message if it is missing', () => {
    assert.equal(indexNameProblem(' '), 'Enter a value.');
  });

  test('has a letter first and no character of a path, a list or a pattern: it could reach other indices', () => {
    for (const name of ['dataset', 'data-job', 'ns.entity_2', ' dataset ', 'D']) {
      assert.equal(indexNameProblem(name), undefined, name);
    }
    const odd = [...'*,?{}[]\\/%\u00E4\n"\' '].map((letter) => `a${letter}b`);
    for (const name of [...odd, '*', '../x', '_all', '-all', '.kibana', '9lives', 'a/../b', 'a%2f']) {
      assert.match(indexNameProblem(name) ?? '', /Wildcards and slashes aren't allowed/, name);
    }
  });
});

suite('The name of an index', () => {
  const listed = { entityType: 'dataset', aspect: 'datasetprofile' };

  test('means one index in every spelling', () => {
    assert.ok(isSameIndex({ entityType: 'Dataset', aspect: 'datasetProfile' }, listed));
    assert.ok(!isSameIndex(listed, { ...listed, aspect: 'operation' }));
  });

  test('is undefined where the server does not report both parts', () => {
    assert.deepEqual(indexNameOf(listed), listed);
    assert.equal(indexNameOf({ ...listed, aspect: undefined }), undefined);
    assert.equal(indexNameOf({ ...listed, entityType: undefined }), undefined);
  });
});
