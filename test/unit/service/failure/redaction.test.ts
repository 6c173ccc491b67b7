import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  redactSecrets,
  plainLine,
  plainLineKeepingEnds,
  readableServerText,
} from '../../../../src/service/failure/redaction.ts';
import { rememberSecret } from '../../../../src/service/failure/secret.ts';
import { assertNoTrace, CREDENTIAL, READING } from '../clients.ts';

const OPAQUE = 'b/7+Q-2"x9$Lw&Kp0\\Zt=e4Rm!';

suite('A known secret in a server’s text', () => {
  beforeEach(() => [OPAQUE, CREDENTIAL].forEach(rememberSecret));

  test('is removed even if the text is cut in the middle of it', () => {
    for (let before = 19_900; before < 20_000; before += 7) {
      const shown = readableServerText(`${'<br>'.repeat(before / 4)}${OPAQUE}${'x'.repeat(200)}`, READING);
      assertNoTrace(shown ?? '', OPAQUE);
    }
  });

  test('is removed together with another token of the same issuer, which begins alike', () => {
    const other = `${CREDENTIAL.slice(0, 50)}QW5vdGhlci10b2tlbi1hbHRvZ2V0aGVy.b3RoZXItc2lnbmF0dXJl`;
    assert.equal(redactSecrets(`old ${CREDENTIAL} new ${other}.`), 'old <redacted> new <redacted>');
  });

  test('is removed in each part of it', () => {
    for (const part of CREDENTIAL.split('.')) {
      assert.equal(redactSecrets(`got ${part}!`), 'got <redacted>!');
    }
  });
});

suite('A server’s text', () => {
  for (const [what, text, shown] of [
    [
      'markup, scripts and styles',
      '<!DOCTYPE html><html><head><title>Error 502</title><style>p{color:red}</style></head><body onload="x()"><h1>Bad\n gateway</h1><script>alert(1)</script><p>nginx</p>',
      'Bad gateway nginx',
    ],
    ['everything, if nothing else is in it', '<html><head></head><body></body></html>', undefined],
    ['half an element', 'a <b', 'a'],
    ['markup in capitals', 'A<SCRIPT>alert(1)</SCRIPT>b<B>c</B>', 'A b c'],
    ['a stack trace', 'Failed\n\tat com.linkedin.X.y(X.java:120)\n\t... 12 more', 'Failed'],
    ['one with Windows line ends', 'Failed\r\n    at com.linkedin.X.<init>(X.java:1)\r\n', 'Failed'],
    ['one after tabs only', 'Failed\tat com.linkedin.X.y(X.java:1)\tat com.linkedin.X.z(X.java:2)', 'Failed'],
    ['one on one line', 'Failed at com.X.y(X.java:1) at java.base/java.lang.Thread.run(Thread.java:829)', 'Failed'],
    ['one with written line breaks', String.raw`Failed\n\tat com.linkedin.X.y(X.java:1)\n`, 'Failed'],
    ['the causes of one', 'Failed\nCaused by: java.io.IOException: x', 'Failed'],
    ['one of native methods', 'Failed\n\tat sun.misc.Unsafe.park(Native Method)', 'Failed'],
    ['nothing, if it only mentions a place', 'Ask at the help desk (room 5).', 'Ask at the help desk (room 5).'],
  ] as const) {
    test(`loses ${what}`, () => assert.equal(readableServerText(text, READING), shown));
  }

  test('is shortened as needed for issue #9113: a page inside a message of many lines', () => {
    const text = `java.lang.RuntimeException: org.opensearch.client.ResponseException: method [GET], host [https://search.example.com:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request]\n<html>\n<head><title>400</title></head>\n<body>${'<p>x</p>'.repeat(5_000)}</body></html>\n\tat org.opensearch.X.y(X.java:3)`;
    const shown = readableServerText(text, READING) ?? '';
    assert.match(shown, /^java\.lang\.RuntimeException[^<\n]+$/);
    assert.ok(shown.length <= 300, shown);
  });

  test('is always one short line without markup or disguising characters', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<b>',
        '<script>',
        '</script',
        '<!--',
        '\u202E',
        '\u2066',
        '\u0000',
        '\u200B',
        '\r\n',
        '\tat a.b(C.java:1)',
        '&lt;',
        CREDENTIAL,
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces), (texts) => {
        const shown = readableServerText(texts.join(''), READING);
        if (shown !== undefined) {
          assert.match(shown, /^[^\p{Cc}\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]+$/u);
          assert.ok(shown.length > 0 && shown.length <= 300);
          assert.doesNotMatch(shown.replaceAll('<redacted>', ''), /<[a-z!/?]/i);
          assert.ok(!shown.includes('eyJhbGciOi'));
          assert.ok(shown.isWellFormed());
        }
      }),
    );
  });
});

test('In an endless text only the first 20,000 characters are read', () => {
  assert.equal(readableServerText(`${' '.repeat(19_999)}x`, READING), 'x');
  assert.equal(readableServerText(`${' '.repeat(20_000)}x`, READING), undefined);
  assert.equal(plainLine(`${' '.repeat(19_999)}xy`, 50), 'x');
});

suite('A name from a server', () => {
  test('is one line of limited length, otherwise unchanged', () => {
    assert.equal(plainLine('two\nlines\u202Etxt.exe', 50), 'two lines txt.exe');
    assert.equal(plainLine('x'.repeat(60), 50), `${'x'.repeat(49)}…`);
    assert.equal(plainLine(`${'x'.repeat(48)}😀😀`, 50), `${'x'.repeat(48)}…`, 'never half of a character');
  });

  test('shows where invisible characters make it look like another name', () => {
    const invisible = '\u200B\u200C\u200D\u2060\u00AD\u034F\u115F\u3164\u2800\uFE0F\u{E0100}\u{E0041}\u{1D173}';
    for (const one of invisible) {
      assert.equal(plainLine(`ad${one}min`, 50), 'ad min', JSON.stringify(one));
      assert.equal(plainLine(`${one}admin${one}`, 50), 'admin', JSON.stringify(one));
    }
    // Hidden after a character that may be followed by some.
    assert.equal(plainLine(`❤\uFE0F${'\u{E0100}\u{E0110}'.repeat(20)}!`, 50).length <= 6, true);
  });

  test('has at most four marks on one letter', () => {
    assert.equal(plainLine(`a${'\u0336'.repeat(100)}b`, 500), `a${'\u0336'.repeat(4)}b`);
    assert.equal(plainLineKeepingEnds(`a${'\u0301\u20DD'.repeat(50)}b`, 500), 'a\u0301\u20DD\u0301\u20DDb');
    assert.equal(readableServerText(`a${'\u0301\u200D'.repeat(50)}`, READING)?.length, 5);
    for (const name of ['Việt Nam', 'שָׁלוֹם', 'လျှော့ကြောင့်', 'ที่นี่', 'नि॑र्मि॒त']) {
      assert.equal(plainLine(name.normalize('NFD'), 100), name.normalize('NFD'));
    }
  });

  test('keeps joiners and variation selectors of scripts and emoji', () => {
    for (const name of ['نام‌ها', 'क्‍ष', '葛\u{E0100}城', '👩‍🚀', '👨‍👩‍👧‍👦', '❤️ love', '🏳️‍🌈']) {
      assert.equal(plainLine(name, 50), name);
    }
  });
});

suite('A name that is too long, shortened in the middle', () => {
  test('keeps its beginning and its end, even if it is too long to be read', () => {
    assert.equal(plainLineKeepingEnds(`ingestion ${'x'.repeat(60)} staging`, 21), 'ingestion …xx staging');
    assert.equal(plainLineKeepingEnds(`begin${' '.repeat(90_000)}end`, 50), 'begin end');
  });

  test('is always one well-formed line within its limit', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(name, fc.integer({ min: 3, max: 200 }), (text, longest) => {
        const cut = plainLineKeepingEnds(text, longest);
        const whole = plainLineKeepingEnds(text, text.length + 1);
        assert.ok(cut.isWellFormed() && cut.length <= longest, cut);
        assert.doesNotMatch(cut, /[\n\r\u202E]/);
        // One of the ellipses is ours, others belong to the name.
        const isBothEnds = [...cut.matchAll(/…/g)].some(
          ({ index }) => whole.startsWith(cut.slice(0, index)) && whole.endsWith(cut.slice(index + 1)),
        );
        assert.ok(cut === whole || isBothEnds, cut);
        assert.ok(cut === whole || cut.length >= longest - 2, 'more is left out than has to be');
      }),
    );
  });
});
