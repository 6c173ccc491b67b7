import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseHostMessage } from '../../../../src/pages/kit/protocol.ts';

const VIEW = { phase: 'editing', indices: [] };

suite('A message of the host', () => {
  for (const message of [
    { type: 'open', locale: 'en', view: VIEW },
    { type: 'open', translations: { Index: 'Indeks' }, locale: 'pl', view: VIEW },
    { type: 'view', view: VIEW },
  ]) {
    test(`is valid: ${JSON.stringify(message)}`, () => assert.deepEqual(parseHostMessage(message), message));
  }

  for (const [which, message] of Object.entries({
    nothing: undefined,
    'what other scripts post': { type: 'webpackOk', data: {} },
    'a message of the page itself': { type: 'execute' },
    'a change without one': { type: 'view' },
    'a page without a view': { type: 'open', locale: 'en' },
    'translations that are no texts': { type: 'open', translations: { title: 1 }, locale: 'en', view: VIEW },
  })) {
    test(`is refused if it is ${which}`, () => assert.equal(parseHostMessage(message), undefined));
  }
});
