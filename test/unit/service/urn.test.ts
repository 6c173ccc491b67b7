import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { checkActor, shortActor } from '../../../src/service/urn.ts';

suite('Who one is', () => {
  test('may be typed as an id or as the whole URN', () => {
    assert.deepEqual(checkActor('jdoe'), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkActor(' urn:li:corpuser:jdoe '), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkActor('jane.doe@example.com'), { actorUrn: 'urn:li:corpuser:jane.doe@example.com' });
    assert.deepEqual(checkActor('urn:li:corpuser:j%C3%B6rg'), { actorUrn: 'urn:li:corpuser:j%C3%B6rg' });
  });

  for (const text of [
    '',
    '  ',
    'urn:li:corpuser:',
    'urn:li:corpGroup:admins',
    'URN:LI:corpuser:x',
    'jörg',
    'a b',
    'a,b',
    'urn:li:corpuser:(a)',
    'x'.repeat(257),
    'a\r\nX-Evil: 1',
  ]) {
    test(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      const check = checkActor(text);
      assert.ok('problem' in check && check.problem.endsWith('.'));
    });
  }

  test('can always be sent as a header', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const check = checkActor(text);
        if ('actorUrn' in check) {
          assert.equal(new Headers({ 'X-Service-Actor': check.actorUrn }).get('x-service-actor'), check.actorUrn);
          assert.deepEqual(checkActor(check.actorUrn), check);
        }
      }),
    );
  });

  test('is shown by the id alone, any other URN whole', () => {
    assert.equal(shortActor('urn:li:corpuser:jdoe'), 'jdoe');
    assert.equal(shortActor('urn:li:corpGroup:admins'), 'urn:li:corpGroup:admins');
  });
});
