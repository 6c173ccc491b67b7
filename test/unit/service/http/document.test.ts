import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { documentFor } from '../../../../src/service/http/document.ts';

suite('A document', () => {
  test('is named after its field', () => {
    assert.equal(
      documentFor('query', 'me', { fields: ['urn', 'rights { all }'] }),
      'query me { me { urn rights { all } } }',
    );
  });

  test('passes each variable as the argument of its name, and selects nothing of a scalar', () => {
    assert.equal(
      documentFor('mutation', 'revoke', { variables: { id: 'String!', now: 'Boolean' } }),
      'mutation revoke($id: String!, $now: Boolean) { revoke(id: $id, now: $now) }',
    );
  });

  test('passes an input that is made of its variables', () => {
    assert.equal(
      documentFor('query', 'list', {
        variables: { count: 'Int!' },
        input: '{start: 0, count: $count}',
        fields: ['total'],
      }),
      'query list($count: Int!) { list(input: {start: 0, count: $count}) { total } }',
    );
  });
});
