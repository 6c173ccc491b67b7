import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { maskKnownSecrets } from '../../../../src/service/failure/secret.ts';

const SECRET = 'abcde&fghij<klmno>pqrst"uvwxy\'zABCD/EFGH=0123';
const OTHER = 'otherSecretOfSomebody';
const WORD = 'abcdefghijklmnopqrstuvwxyz0123456789';

suite('A secret is masked', () => {
  for (const [where, text, masked] of [
    ['at the beginning', `${SECRET}, so`, '*, so'],
    ['at the end', `got ${SECRET}`, 'got *'],
    ['as the whole text', SECRET, '*'],
    ['each time', `got ${SECRET} and ${SECRET}`, 'got * and *'],
    ['next to another one, with one mask', `got ${SECRET}${OTHER}, so`, 'got *, so'],
    ['after another one, with one mask', `got ${OTHER}${SECRET}, so`, 'got *, so'],
    ['beside another one', `got ${OTHER} ${SECRET}, so`, 'got * *, so'],
    ['in each line that it is broken over', SECRET.replace(/.{15}/g, '$&\n'), '*\n*\n*\n'],
    ['in a piece of twelve characters', `got "${SECRET.slice(3, 15)}", so`, 'got "*", so'],
    ['cut at its beginning', `got ${WORD.slice(7)}!`, 'got *!'],
    ['cut at its end', `got ${WORD.slice(0, 20)}.`, 'got *.'],
    ['with the rest of a word that has a part of it', `got ${WORD.slice(0, 20)}-Rest.of_it, so`, 'got *, so'],
    ['however short it is', 'got q7q, so', 'got *, so'],
  ] as const) {
    test(where, () => assert.equal(maskKnownSecrets(text, ['q7q', SECRET, OTHER, WORD], '*'), masked));
  }

  test('whatever is around it, which stays', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        const masked = maskKnownSecrets(`${before} ${SECRET} ${after}`, [SECRET], '*');
        assert.equal(masked, `${before} * ${after}`);
      }),
    );
  });
});

suite('A text stays unchanged', () => {
  for (const [what, text] of [
    ['eleven characters of a secret, which are coincidence', `got ${WORD.slice(0, 11)}-Rest`],
    ['none', 'Unauthorized to perform this action. Please contact your DataHub administrator.'],
    ['nothing', ''],
  ] as const) {
    test(`with ${what}`, () => assert.equal(maskKnownSecrets(text, [WORD, SECRET, ''], '*'), text));
  }

  test('quickly', () => {
    const secrets = Array.from({ length: 256 }, (_, at) => `${at}-`.repeat(200));
    const text = '0123456789bcdef '.repeat(50_000);
    const started = process.cpuUsage().user;
    assert.equal(maskKnownSecrets(text, secrets, '*'), text);
    assert.ok((process.cpuUsage().user - started) / 1_000 < 3_000);
  });
});
