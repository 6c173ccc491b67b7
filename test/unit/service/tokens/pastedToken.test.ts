import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pastedToken, pastedTokenProblem } from '../../../../src/service/tokens/pastedToken.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJ0eXBlIjoiUEVSU09OQUwifQ.abc-_123';

suite('A pasted token', () => {
  for (const around of [
    '…',
    ' …\n',
    '"…"',
    "'…'",
    '“…”',
    '`…`',
    "export DATAHUB_GMS_TOKEN='…';",
    '$env:DATAHUB_GMS_TOKEN = "…"',
    'token:\t…',
    '"accessToken": "…",',
    '{"token":"…","a":1}',
    '-H "Authorization: Bearer …"',
    '--token=…',
    '-eDATAHUB_GMS_TOKEN=…',
    '…%',
    '….',
    '…\\n',
    '<…>',
    '„…“',
    '… # mine',
    '\u200B…',
    'https://datahub.example.com/?token=…',
  ]) {
    test(`is taken out of ${around.trim()}`, () => assert.equal(pastedToken(around.replace('…', TOKEN)), TOKEN));
  }

  for (const [text, expected] of [
    ['opaque', 'opaque'],
    [' "opaque" ', 'opaque'],
    ['a=b', 'a=b'],
    ['NAME=opaque', 'NAME=opaque'],
    ['Bearer opaque', 'Bearer opaque'],
    ['"opaque', '"opaque'],
    ['', ''],
    ['""', ''],
    [`${TOKEN} ${TOKEN}`, `${TOKEN} ${TOKEN}`],
    [`${TOKEN}\n${TOKEN}`, `${TOKEN}\n${TOKEN}`],
    [`a.${TOKEN}`, `a.${TOKEN}`],
    [`${TOKEN}.four.five`, `${TOKEN}.four.five`],
    [`${TOKEN},${TOKEN}`, `${TOKEN},${TOKEN}`],
  ] as const) {
    test(`stays as it is where it may be another one: ${text.slice(0, 12)}`, () =>
      assert.equal(pastedToken(text), expected));
  }
});

suite('A typed token', () => {
  test('must be valid in a header', () => {
    for (const token of ['', '  ', 'abc', ' eyJhbGciOi.eyJ.sig ', 'x'.repeat(8_192)]) {
      assert.equal(pastedTokenProblem(token), undefined);
    }
    for (const token of ['Bearer abc', 'bearer abc', 'two words', 'a\nb', 'tökén', 'x'.repeat(8_193)]) {
      assert.match(pastedTokenProblem(token) ?? '', /\.$/, token);
    }
  });

  test("can't be an address, which would be masked as a secret wherever it's shown", () => {
    for (const address of [
      'http://localhost:8080',
      ' "https://datahub.example.com/gms" ',
      'HTTPS://datahub.example.com',
      'localhost:8080',
      'gms.prod:443/gms',
      '[::1]:8080',
    ]) {
      assert.match(pastedTokenProblem(address) ?? '', /^Not an access token/, address);
    }
    for (const token of ['https://datahub.example.com/?token=eyJhbGciOi.eyJ.sig', 'user:secret', 'a.b.c', 'abc==']) {
      assert.equal(pastedTokenProblem(token), undefined, token);
    }
  });
});
