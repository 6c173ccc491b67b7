import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { knownServerMessage } from '../../../../src/service/failure/serverWords.ts';

/** Valid index names of a search cluster. */
const indexName = fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,60}$/);
/** Words of a program around the known ones. They end with a space, as names do. */
const around = fc.constantFrom(
  '',
  'OpenSearchStatusException[OpenSearch exception ',
  'java.lang.RuntimeException: org.elasticsearch.ElasticsearchStatusException: ',
  'Truncation failed. Root cause: ',
);

suite('Known words of a server', () => {
  test('name a missing index, whatever the exception', () => {
    fc.assert(
      fc.property(indexName, around, (index, before) => {
        const text = `${before}[type=index_not_found_exception, reason=no such index [${index}]]]`;
        assert.deepEqual(knownServerMessage(text), {
          headline: 'No such index',
          sentence: `The server has no index "${index}".`,
          next: 'Check the entity type and the aspect.',
        });
      }),
    );
  });

  test('report an index with a shortened name without that name', () => {
    assert.equal(
      knownServerMessage('[type=index_not_found_exception, reason=no s…')?.sentence,
      'The server has no such index.',
    );
    assert.equal(
      knownServerMessage('[type=index_not_found_exception, reason=no such index [dataset_oper…')?.sentence,
      'The server has no such index.',
    );
  });

  test('name a missing entity type', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,60}$/), around, (entityType, before) => {
        const known = knownServerMessage(`${before}Failed to find entity with name ${entityType} in EntityRegistry`);
        assert.equal(known?.headline, 'No such entity type');
        assert.equal(known.sentence, `The server has no entity type "${entityType}".`);
      }),
    );
  });

  test('report the status of a search cluster that refuses a request', () => {
    const text =
      'java.lang.RuntimeException: org.opensearch.client.ResponseException: method [GET], host [https://search.example.com:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request] ';
    assert.equal(knownServerMessage(text)?.headline, 'Search cluster error (400)');
    assert.equal(knownServerMessage(text)?.sentence, "The server's search cluster reported an error (HTTP 400).");
  });

  test('do not include others, which are quoted', () => {
    assert.equal(knownServerMessage(undefined), undefined);
    for (const text of [
      '',
      'Async reindex failed',
      'no such index',
      'no such index []',
      'Failed to find entity with name in EntityRegistry',
      'status line [HTTP/1.1 400 Bad Request]',
      'An unknown error occurred.',
    ]) {
      assert.equal(knownServerMessage(text), undefined, text);
    }
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/index|EntityRegistry|status line/.test(text)),
        (text) => assert.equal(knownServerMessage(text), undefined),
      ),
    );
  });
});
