import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { knownServerMessage } from '../../../../src/service/failure/serverWords.ts';

suite('Known words of a server', () => {
  for (const [words, headline, sentence] of [
    [
      'OpenSearchStatusException[[type=index_not_found_exception, reason=no such index [dataset_xaspect_v1]]]',
      'No such index',
      'The server has no index "dataset_xaspect_v1".',
    ],
    ['[type=index_not_found_exception, reason=no s…', 'No such index', 'The server has no such index.'],
    ['index_not_found_exception, reason=no such index [data…', 'No such index', 'The server has no such index.'],
    [
      'Root cause: Failed to find entity with name dataSets7 in EntityRegistry',
      'No such entity type',
      'The server has no entity type "dataSets7".',
    ],
    [
      'method [GET], host [https://x:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request] ',
      'Search cluster error (400)',
      "The server's search cluster reported an error (HTTP 400).",
    ],
  ] as const) {
    test(`are put in ours: ${words}`, () => {
      const known = knownServerMessage(words);
      assert.deepEqual([known?.headline, known?.sentence], [headline, sentence]);
      assert.match(known?.next ?? '', /^(?:Check|Ask) .*\.$/);
    });
  }

  for (const words of [
    undefined,
    '',
    'Async reindex failed',
    'no such index',
    'no such index []',
    'Failed to find entity with name in EntityRegistry',
    'status line [HTTP/1.1 400 Bad Request]',
  ]) {
    test(`do not include others, which are quoted: ${words}`, () => assert.equal(knownServerMessage(words), undefined));
  }

  test('name any index, and no part of its name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,60}$/), (index) =>
        assert.equal(knownServerMessage(`no such index [${index}]`)?.sentence, `The server has no index "${index}".`),
      ),
    );
  });
});
