import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maskKnownSecrets } from '../../../../src/service/failure/secretMask.ts';

/** Has fewer characters than would be recognized between any two that can be written in other ways. */
const SECRET = 'abcde&fghij<klmno>pqrst"uvwxy\'zABCD/EFGH=0123';

const each = (write: (character: string) => string): string => Array.from(SECRET, write).join('');
const special = (write: (character: string) => string): string => each((one) => (/\w/.test(one) ? one : write(one)));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (one: string, digits: number): string => one.charCodeAt(0).toString(16).padStart(digits, '0');
const NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': '#47',
  '=': '#61',
};

suite('A secret is masked completely', () => {
  for (const [how, written] of Object.entries({
    'in clear': SECRET,
    'with entities by name': special((one) => `&${NAMES[one]};`),
    'with entities by name in upper case': special((one) => `&${NAMES[one]};`.toUpperCase()),
    'with decimal entities': each((one) => `&#${one.charCodeAt(0)};`),
    'with padded decimal entities': each((one) => `&#${String(one.charCodeAt(0)).padStart(5, '0')};`),
    'with hexadecimal entities': each((one) => `&#x${hex(one, 2)};`),
    'with hexadecimal entities in upper case': each((one) => `&#X${hex(one, 4).toUpperCase()};`),
    'percent-encoded': each((one) => `%${hex(one, 2)}`),
    'percent-encoded in upper case': each((one) => `%${hex(one, 2).toUpperCase()}`),
    'with \\u escapes': each((one) => `\\u${hex(one, 4)}`),
    'with backslashes before non-letters': special((one) => `\\${one}`),
    'with doubled backslashes': special((one) => `\\\\\\${one}`),
    'broken by written line breaks': SECRET.replace(/.{4}/g, '$&\\n'),
    'broken by written tabs and returns': SECRET.replace(/.{4}/g, '$&\\t\\r\\b\\f'),
    'broken by spaces': SECRET.replace(/.{4}/g, '$& \n\t'),
    'in capital letters': SECRET.toUpperCase(),
  })) {
    test(how, () => assert.equal(maskKnownSecrets(`got "${written}", so`, [SECRET], '*'), 'got "*", so'));
  }

  for (const [character, entity] of Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  })) {
    test(`if one character, without which it would not be recognized, is written ${entity}`, () => {
      assert.equal(
        maskKnownSecrets(`got "abcdefgh${entity}ijklmnop", so`, [`abcdefgh${character}ijklmnop`], '*'),
        'got "*", so',
      );
    });
  }

  test('if characters around it change their length in lower case', () => {
    assert.equal(maskKnownSecrets(`${'İ'.repeat(20)} ${SECRET} İ`, [SECRET], '*'), `${'İ'.repeat(20)} * İ`);
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
  });

  for (const [how, written] of Object.entries({
    'as base64': base64(SECRET),
    'as base64url': Buffer.from(SECRET).toString('base64url'),
    'as base64 with its user': base64(`datahub:${SECRET}`),
    'as base64 with a user one character longer': base64(`datahub1:${SECRET}`),
    'as base64 with a user two characters longer': base64(`datahub12:${SECRET}`),
    'as base64 within base64': base64(`Authorization: Basic ${base64(`u:${SECRET}`)}`),
    'as base64 broken over lines': base64(SECRET).replace(/.{16}/g, '$&\r\n'),
    'as base64 with written line breaks': base64(SECRET).replace(/.{16}/g, '$&\\n'),
    'as base64, percent-encoded': encodeURIComponent(base64(`?${SECRET}>`)),
    'as base64 of UTF-16': Buffer.from(SECRET, 'utf16le').toString('base64'),
    'as hex': Buffer.from(SECRET).toString('hex'),
    'as hex in upper case': Buffer.from(SECRET).toString('hex').toUpperCase(),
    'as hex after an odd digit': `0${Buffer.from(SECRET).toString('hex')}`,
    'with \\x escapes': each((one) => `\\x${hex(one, 2)}`),
  })) {
    test(how, () => {
      const masked = maskKnownSecrets(`got "${written}", so`, [SECRET], '*');
      assert.match(masked, /^got "[^"]{0,36}\*", so$/s);
    });
  }

  test('if a part of it was encoded', () => {
    assert.equal(maskKnownSecrets(`got ${base64(SECRET).slice(9, 40)}, so`, [SECRET], '*').endsWith('*, so'), true);
    const half = maskKnownSecrets(`got ${Buffer.from(SECRET.slice(5, 25)).toString('hex')}, so`, [SECRET], '*');
    assert.equal(half, 'got *, so');
  });

  test('but not if something else is encoded', () => {
    const text = `got ${base64('another text, which is no secret at all')} and ${'0123456789bcdef'.repeat(4)}`;
    assert.equal(maskKnownSecrets(text, [SECRET, 'abc'], '*'), text);
  });

  test('and invalid entities and escapes stay unchanged', () => {
    const text = 'a &unknown; b &#; c &#x; d % e %zz f \\u12 g \\';
    assert.equal(maskKnownSecrets(text, [SECRET], '*'), text);
  });
});
