import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { checkActor, checkFilteredActor, shortActor } from '../../../src/service/urn.ts';

suite('Who one is', () => {
  test('may be typed as an id or as the whole URN', () => {
    assert.deepEqual(checkActor('jdoe'), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkActor(' urn:li:corpuser:jdoe '), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkActor('jane.doe@example.com'), { actorUrn: 'urn:li:corpuser:jane.doe@example.com' });
    assert.deepEqual(checkActor('urn:li:corpuser:j%C3%B6rg'), { actorUrn: 'urn:li:corpuser:j%C3%B6rg' });
  });

  for (const id of [
    "zoë.o'neil",
    'jörg',
    'Doe, Jane (admin)',
    '山田',
    'corp\\jdoe',
    '100%',
    'a*b',
    '<b>',
    'not-a-urn:x',
    'x'.repeat(484),
  ]) {
    test(`may be any id that a server has: ${id.slice(0, 30)}`, () => {
      assert.deepEqual(checkActor(id), { actorUrn: `urn:li:corpuser:${id}` });
      assert.deepEqual(checkActor(`urn:li:corpuser:${id}`), { actorUrn: `urn:li:corpuser:${id}` });
      assert.equal(shortActor(`urn:li:corpuser:${id}`), id);
    });
  }

  for (const text of [
    '',
    '  ',
    'urn:li:corpuser:',
    'urn:li:corpGroup:admins',
    'URN:LI:corpuser:x',
    'x'.repeat(485),
    'a\r\nX-Evil: 1',
    'a\tb',
    'a\u0000b',
    'a\u2028b',
    'half a character \uD83D.',
  ]) {
    test(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      const check = checkActor(text);
      assert.ok('problem' in check && check.problem.endsWith('.'));
    });
  }

  test('is the same user again in whatever way it is written and read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const check = checkActor(text);
        if ('actorUrn' in check) {
          assert.deepEqual(checkActor(check.actorUrn), check);
          assert.deepEqual(checkActor(shortActor(check.actorUrn)), check);
        }
      }),
    );
  });

  test('is shown by the id alone, any other URN whole', () => {
    assert.equal(shortActor('urn:li:corpuser:jdoe'), 'jdoe');
    assert.equal(shortActor('urn:li:corpGroup:admins'), 'urn:li:corpGroup:admins');
  });

  test('is shown by the whole URN where the id alone would be read as somebody else', () => {
    for (const urn of [
      'urn:li:corpuser:urn:li:corpuser:x',
      'urn:li:corpuser: x',
      'urn:li:corpuser:x ',
      'urn:li:corpuser:',
    ]) {
      assert.equal(shortActor(urn), urn);
    }
  });
});

suite('Whom a filter is about', () => {
  test('is a user by an id alone', () => {
    assert.deepEqual(checkFilteredActor(" zoë.o'neil "), { actorUrn: "urn:li:corpuser:zoë.o'neil" });
    assert.deepEqual(checkFilteredActor('not-urn:li:corpGroup:a'), {
      actorUrn: 'urn:li:corpuser:not-urn:li:corpGroup:a',
    });
  });

  test('is whatever a server names, by its whole URN', () => {
    assert.deepEqual(checkFilteredActor('urn:li:corpGroup:admins'), { actorUrn: 'urn:li:corpGroup:admins' });
    assert.deepEqual(checkFilteredActor('urn:li:dataHubRole:(a,b)'), { actorUrn: 'urn:li:dataHubRole:(a,b)' });
    assert.deepEqual(checkFilteredActor(' urn:li:corpGroup:admins '), { actorUrn: 'urn:li:corpGroup:admins' });
  });

  for (const text of ['', 'urn:li:corpuser:', 'urn:li:', 'urn:x', 'a\nb', 'urn:li:corpGroup:a\nb']) {
    test(`is not ${JSON.stringify(text)}`, () => assert.ok('problem' in checkFilteredActor(text)));
  }
});
