import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { redactSecrets, readableServerText } from '../../../../src/service/failure/redaction.ts';
import {
  maskKnownSecrets,
  rememberHeader,
  rememberSecret,
  TokenSecret,
} from '../../../../src/service/failure/secret.ts';
import { READING, transportAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

test('A secret prints as nothing, however it is printed', () => {
  const secret = new TokenSecret('hunter2-hunter2');
  const printed = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    Object.values(secret).join(),
    inspect(new Error('x', { cause: secret })),
  ];
  assert.deepEqual(printed.slice(0, 4), ['<secret>', '{"secret":"<secret>"}', '{ secret: <secret> }', '']);
  assert.ok(!printed.join().includes('hunter2'));
  assert.equal(secret.reveal(), 'hunter2-hunter2');
});

suite('A token used in this window is masked everywhere', () => {
  test('when one connection sent it and another server echoes it', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const token = 'opaque-token-of-another-connection';
    const one = transportAt(server.url, { readSecrets: () => Promise.resolve({ token }) });
    await one.exchange({ operation: READING, method: 'GET', path: '/config' });
    one.close();
    assert.equal(readableServerText(`got ${token}!`, READING), 'got <redacted>!');
    assert.equal(redactSecrets(`got ${token}!`), 'got <redacted>!');
  });

  test('when it was just created', () => {
    const created = new TokenSecret('made-a-moment-ago-4711');
    assert.equal(readableServerText(`made ${created.reveal()}`, READING), 'made <redacted>');
  });

  test('when a server quotes a part of a header', () => {
    rememberHeader('Basic c2hvcnQ6MQ==');
    rememberHeader('gate=part-one; other=part-two');
    assert.equal(readableServerText('Refused: c2hvcnQ6MQ, part-two', READING), 'Refused: <redacted>, <redacted>');
  });
});

const SECRET = 'abcde&fghij<klmno>pqrst"uvwxy\'zABCD/EFGH=0123';
const OTHER = 'otherSecretOfSomebody';
const WORD = 'abcdefghijklmnopqrstuvwxyz0123456789';

suite('A secret is masked', () => {
  beforeEach(() => [SECRET, OTHER, WORD].forEach(rememberSecret));

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
  ] as const) {
    test(where, () => assert.equal(maskKnownSecrets(text), masked.replaceAll('*', '<redacted>')));
  }

  test('whatever is around it, which stays', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        assert.equal(maskKnownSecrets(`${before} ${SECRET} ${after}`), `${before} <redacted> ${after}`);
      }),
    );
  });
});

suite('A text stays unchanged', () => {
  beforeEach(() => [SECRET, WORD, 'admin', ''].forEach(rememberSecret));

  for (const [what, text] of [
    ['eleven characters of a secret, which are coincidence', `got ${WORD.slice(0, 11)}-Rest`],
    ['none', 'Unauthorized to perform this action. Please contact your DataHub administrator.'],
    ['a slip of the hand that was taken for a secret', 'admin'],
    ['nothing', ''],
  ] as const) {
    test(`with ${what}`, () => assert.equal(maskKnownSecrets(text), text));
  }

  test('quickly', () => {
    Array.from({ length: 256 }, (_, at) => `${at}-`.repeat(200)).forEach(rememberSecret);
    const text = '0123456789bcdef '.repeat(50_000);
    const started = process.cpuUsage().user;
    assert.equal(maskKnownSecrets(text), text);
    assert.ok((process.cpuUsage().user - started) / 1_000 < 3_000);
  });
});
