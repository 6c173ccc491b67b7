import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { knownWords } from '../../../../src/service/failure/serverWords.ts';
import { readable } from '../../../../src/service/failure/redaction.ts';
import { statusFailure } from '../../../../src/service/failure/statusFailure.ts';
import { READING, assertTellable } from '../clients.ts';

/** What a search cluster takes as the name of an index. */
const indexName = fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,60}$/);
/** Words of a program around those that are known; they end with a space, as names do. */
const around = fc.constantFrom(
  '',
  'OpenSearchStatusException[OpenSearch exception ',
  'java.lang.RuntimeException: org.elasticsearch.ElasticsearchStatusException: ',
  'Truncation failed. Root cause: ',
);

suite('Words of a server that are known', () => {
  test('an index that is not there is named, whatever exception says so', () => {
    fc.assert(
      fc.property(indexName, around, (index, before) => {
        const text = `${before}[type=index_not_found_exception, reason=no such index [${index}]]]`;
        assert.deepEqual(knownWords(text), {
          headline: 'No such index',
          sentence: `The server has no index "${index}".`,
          next: 'Check the entity type and the aspect.',
        });
      }),
    );
  });

  test('an index whose name was cut off is told without it', () => {
    assert.equal(
      knownWords('[type=index_not_found_exception, reason=no s…')?.sentence,
      'The server has no such index.',
    );
    assert.equal(
      knownWords('[type=index_not_found_exception, reason=no such index [dataset_oper…')?.sentence,
      'The server has no such index.',
    );
  });

  test('an entity type that is not there is named', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,60}$/), around, (entityType, before) => {
        const known = knownWords(`${before}Failed to find entity with name ${entityType} in EntityRegistry`);
        assert.equal(known?.headline, 'No such entity type');
        assert.equal(known.sentence, `The server has no entity type "${entityType}".`);
      }),
    );
  });

  test('a search cluster that refuses a request is told by its status', () => {
    const text =
      'java.lang.RuntimeException: org.opensearch.client.ResponseException: method [GET], host [https://search.example.com:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request] ';
    assert.equal(knownWords(text)?.headline, 'Search cluster error (400)');
    assert.equal(knownWords(text)?.sentence, "The server's search cluster reported an error (HTTP 400).");
  });

  test('others are left to be quoted', () => {
    assert.equal(knownWords(undefined), undefined);
    for (const text of [
      '',
      'Async reindex failed',
      'no such index',
      'no such index []',
      'Failed to find entity with name in EntityRegistry',
      'status line [HTTP/1.1 400 Bad Request]',
      'An unknown error occurred.',
    ]) {
      assert.equal(knownWords(text), undefined, text);
    }
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/index|EntityRegistry|status line/.test(text)),
        (text) => assert.equal(knownWords(text), undefined),
      ),
    );
  });
});

suite('A status with such words', () => {
  const failureFor = (status: number, message: string): ReturnType<typeof statusFailure> =>
    statusFailure(
      { status, text: JSON.stringify({ message, status }), headers: new Headers(), withCredential: true },
      READING,
      (text) => readable(text, []),
    );

  test('says them in ours, and keeps the words themselves for the details', () => {
    const message =
      'OpenSearchStatusException[OpenSearch exception [type=index_not_found_exception, reason=no such index [dataset_nothingaspect_v1]]]';
    const failure = failureFor(500, message);
    assertTellable(failure);
    assert.deepEqual(
      [failure.headline, failure.message, failure.next, failure.serverText, failure.kind, failure.mayHaveActed],
      [
        'No such index',
        'The server has no index "dataset_nothingaspect_v1".',
        'Check the entity type and the aspect.',
        message,
        'server',
        true,
      ],
    );
  });

  test('is a bad request as before where it is one', () => {
    const failure = failureFor(400, 'Failed to find entity with name nothing in EntityRegistry');
    assertTellable(failure);
    assert.deepEqual(
      [failure.kind, failure.message, failure.next],
      ['badRequest', 'The server has no entity type "nothing".', 'Check the entity type.'],
    );
  });

  test('that are not known quotes them', () => {
    assert.match(failureFor(500, 'java.lang.IllegalStateException: out of paper').message, /out of paper$/);
  });
});
