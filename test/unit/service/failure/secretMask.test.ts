import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { maskKnownSecrets } from '../../../../src/service/failure/secretMask.ts';

const SECRET = 'abcde&fghij<klmno>pqrst"uvwxy\'zABCD/EFGH=0123';

suite('A secret is masked completely', () => {
  test('at the beginning, at the end, and as the whole text', () => {
    for (const [text, masked] of [
      [`${SECRET}, so`, '*, so'],
      [`got ${SECRET}`, 'got *'],
      [SECRET, '*'],
    ] as const) {
      assert.equal(maskKnownSecrets(text, [SECRET], '*'), masked);
    }
  });

  test('in a piece of it, if that is long enough to be no coincidence', () => {
    assert.equal(maskKnownSecrets(`got "${SECRET.slice(3, 15)}", so`, [SECRET], '*'), 'got "*", so');
    const few = `got "${SECRET.slice(3, 14)}", so`;
    assert.equal(maskKnownSecrets(few, [SECRET], '*'), few);
  });

  test('in each line that it is broken over', () => {
    assert.equal(maskKnownSecrets(SECRET.replace(/.{15}/g, '$&\n'), [SECRET], '*'), '*\n*\n*\n');
  });

  test('once, if it is next to another one', () => {
    const other = 'otherSecretOfSomebody';
    assert.equal(maskKnownSecrets(`got ${SECRET}${other}, so`, [SECRET, other], '*'), 'got *, so');
    assert.equal(maskKnownSecrets(`got ${other}${SECRET}, so`, [SECRET, other], '*'), 'got *, so');
    assert.equal(maskKnownSecrets(`got ${SECRET} and ${SECRET}`, [SECRET], '*'), 'got * and *');
  });

  test('however short it is, but not if it is empty', () => {
    assert.equal(maskKnownSecrets('got abc, so', ['abc'], '*'), 'got *, so');
    assert.equal(maskKnownSecrets('got abc', [''], '*'), 'got abc');
    assert.equal(maskKnownSecrets('', [SECRET], '*'), '');
    assert.equal(maskKnownSecrets(`got ${SECRET} and abc`, ['abc', SECRET], '*'), 'got * and *');
  });

  test('whatever is around it, which stays', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        const masked = maskKnownSecrets(`${before} ${SECRET} ${after}`, [SECRET], '*');
        assert.equal(masked, `${before} * ${after}`);
      }),
    );
  });
});

test('A text without a secret stays unchanged, quickly', () => {
  const secrets = Array.from({ length: 256 }, (_, at) => `${at}-`.repeat(200));
  const text = '0123456789bcdef '.repeat(50_000);
  const started = process.cpuUsage().user;
  assert.equal(maskKnownSecrets(text, secrets, '*'), text);
  assert.ok((process.cpuUsage().user - started) / 1_000 < 3_000);
});
