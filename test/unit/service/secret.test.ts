import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/service/secret.ts';

suite('A secret', () => {
  test('prints as nothing, in whatever way it is printed', () => {
    const secret = new Secret('hunter2-hunter2');
    const printed = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      Object.values(secret).join(),
      new Error('x', { cause: secret }).stack,
      inspect(new Error('x', { cause: secret })),
    ];
    assert.ok(
      printed.every((text) => text !== undefined && !text.includes('hunter2')),
      printed.join('\n'),
    );
    assert.deepEqual(printed.slice(0, 4), ['<secret>', '<secret>', '{"secret":"<secret>"}', '{ secret: <secret> }']);
    assert.equal(secret.reveal(), 'hunter2-hunter2');
  });
});
