import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  redactSecrets,
  plainLine,
  plainLineKeepingEnds,
  readableServerText,
} from '../../../../src/service/failure/redaction.ts';
import { CREDENTIAL } from '../clients.ts';

const OPAQUE = 'b/7+Q-2"x9$Lw&Kp0\\Zt=e4Rm!';

/** Longest run of a secret's characters in a text. */
function longestTrace(text: string, secret: string): number {
  let longest = 0;
  for (let from = 0; from < secret.length; from++) {
    while (text.includes(secret.slice(from, from + longest + 1)) && from + longest < secret.length) {
      longest++;
    }
  }
  return longest;
}

suite('A known secret in a server’s text', () => {
  for (const [name, secret] of Object.entries({ 'a JSON Web Token': CREDENTIAL, 'an opaque token': OPAQUE })) {
    test(`is removed: ${name}`, () => {
      assert.equal(readableServerText(`Got ${secret} is not valid`, [secret]), 'Got <redacted> is not valid');
    });
  }

  test('is removed in parts: cut at its beginning, its end, or both', () => {
    for (const part of [
      CREDENTIAL.slice(0, 40),
      CREDENTIAL.slice(-30),
      CREDENTIAL.slice(30, 60),
      ...CREDENTIAL.split('.'),
    ]) {
      assert.equal(redactSecrets(`got ${part}!`, [CREDENTIAL]), 'got <redacted>!');
    }
  });

  test('is removed even if the text is cut in the middle of it', () => {
    for (let before = 19_900; before < 20_000; before += 7) {
      const shown = readableServerText(`${'<br>'.repeat(before / 4)}${OPAQUE.repeat(1)}${'x'.repeat(200)}`, [OPAQUE]);
      assert.ok(longestTrace(shown ?? '', OPAQUE) < 12, shown);
    }
  });

  test('is removed together with another token of the same issuer, which begins alike', () => {
    const other = `${CREDENTIAL.slice(0, 50)}QW5vdGhlci10b2tlbi1hbHRvZ2V0aGVy.b3RoZXItc2lnbmF0dXJl`;
    assert.equal(redactSecrets(`old ${CREDENTIAL} new ${other}.`, [CREDENTIAL]), 'old <redacted> new <redacted>');
  });

  test('is removed together with the rest of the word that has a part of it, and no more', () => {
    const secret = 'abcdefghijklmnopqrstuvwxyz0123456789';
    assert.equal(redactSecrets(`got ${secret.slice(0, 20)}-Rest.of_it, so`, [secret]), 'got <redacted>, so');
    assert.equal(redactSecrets(`got ${secret.slice(0, 20)}.`, [secret]), 'got <redacted>.');
    assert.equal(
      redactSecrets(`got ${secret.slice(0, 11)}-Rest`, [secret]),
      `got ${secret.slice(0, 11)}-Rest`,
      'eleven characters are coincidence',
    );
    assert.equal(redactSecrets(`got ${secret.slice(7, 19)} again`, [secret]), 'got <redacted> again', 'twelve are not');
  });

  test('is removed when it is one of several', () => {
    assert.equal(redactSecrets(`${OPAQUE} ${CREDENTIAL}`, [OPAQUE, CREDENTIAL]), '<redacted> <redacted>');
  });

  test('is removed without touching other words', () => {
    const text = 'Unauthorized to perform this action. Please contact your DataHub administrator.';
    assert.equal(redactSecrets(text, [CREDENTIAL, OPAQUE]), text);
    assert.equal(redactSecrets(text, ['']), text);
  });

  test('never shows twelve consecutive characters, wherever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 16, maxLength: 200, unit: fc.constantFrom(...'ABCDEFGHijklmnopqrstuv0123456789-_.') }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          assert.ok(longestTrace(readableServerText(`${before} ${secret} ${after}`, [secret]) ?? '', secret) < 12);
        },
      ),
    );
  });
});

suite('A likely secret in a server’s text', () => {
  test('is removed although it is unknown', () => {
    assert.equal(readableServerText(`new token ${CREDENTIAL} made`, []), 'new token <redacted> made');
    assert.equal(readableServerText(`cut off: ${CREDENTIAL.slice(0, 30)}`, []), 'cut off: <redacted>');
    assert.equal(readableServerText(`wrapped: ${CREDENTIAL.replace(/.{40}/g, '$&\r\n')}`, []), 'wrapped: <redacted>');
    assert.equal(readableServerText('Authorization: Bearer abc.def-ghi', []), 'Authorization: <redacted>');
    assert.equal(
      readableServerText('{"accessToken":"0123-opaque","name":"ci"}', []),
      '{"accessToken":<redacted>,"name":"ci"}',
    );
    assert.equal(
      readableServerText('login with password=hunter2&user=x failed', []),
      'login with password=<redacted>&user=x failed',
    );
    assert.equal(readableServerText('split: eyJhbGciOiJIUzI1 .c2lnbmF0dXJl', []), 'split: <redacted>');
    assert.equal(redactSecrets('bearer  \t opaque-token', []), 'Bearer <redacted>');
    for (const name of ['idToken', 'id_token', 'refreshToken', 'refresh_token', 'ACCESS_TOKEN', 'Secret', 'cookie']) {
      assert.equal(readableServerText(`${name}=hunter2`, []), `${name}=<redacted>`);
    }
    assert.equal(readableServerText('password="hunter 2" cut', []), 'password=<redacted> cut');
    assert.equal(readableServerText('password="hunter 2', []), 'password=<redacted>');
    assert.equal(readableServerText("password='hunter 2' cut", []), 'password=<redacted> cut');
    assert.equal(readableServerText("password='hunter 2", []), 'password=<redacted>');
  });

  test('is not assumed in sentences that only mention one', () => {
    for (const text of [
      "Authorization header missing 'Bearer' prefix.",
      'Access token no longer exists',
      "Request is missing 'Authorization' header.",
    ]) {
      assert.equal(readableServerText(text, []), text);
    }
  });
});

suite('A server’s text', () => {
  test('loses its markup, scripts and styles', () => {
    const page =
      '<!DOCTYPE html><html><head><title>Error 502</title><style>p{color:red}</style></head><body onload="x()"><h1>Bad\n gateway</h1><script>alert(1)</script><p>nginx</p>';
    assert.equal(readableServerText(page, []), 'Bad gateway nginx');
    assert.equal(readableServerText('<html><head></head><body></body></html>', []), undefined);
    assert.equal(readableServerText('a <b', []), 'a');
    assert.equal(readableServerText('A<SCRIPT>alert(1)</SCRIPT>b<B>c</B>', []), 'A b c');
  });

  for (const [how, text] of Object.entries({
    'on separate lines':
      'Failed to truncate\n\tat com.linkedin.metadata.OperationsResource.truncate(OperationsResource.java:120)\n\t... 12 more',
    'with Windows line ends': 'Failed to truncate\r\n    at com.linkedin.X.<init>(X.java:1)\r\n',
    'after tabs only': 'Failed to truncate\tat com.linkedin.X.y(X.java:1)\tat com.linkedin.X.z(X.java:2)',
    'on one line':
      'Failed to truncate at com.linkedin.X.y(X.java:1) at java.base/java.lang.Thread.run(Thread.java:829)',
    'with written line breaks': String.raw`Failed to truncate\n\tat com.linkedin.X.y(X.java:1)\n`,
    'with its causes': 'Failed to truncate\nCaused by: java.io.IOException: x',
    'of native methods': 'Failed to truncate\n\tat sun.misc.Unsafe.park(Native Method)',
  })) {
    test(`loses a stack trace ${how}`, () => {
      assert.equal(readableServerText(text, []), 'Failed to truncate');
    });
  }

  test('keeps a sentence that mentions a place in code', () => {
    assert.equal(readableServerText('Ask at the help desk (room 5).', []), 'Ask at the help desk (room 5).');
  });

  test('is shortened as needed for issue #9113: a page inside a message of many lines', () => {
    const text = `java.lang.RuntimeException: org.opensearch.client.ResponseException: method [GET], host [https://search.example.com:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request]\n<html>\n<head><title>400</title></head>\n<body>${'<p>x</p>'.repeat(5_000)}</body></html>\n\tat org.opensearch.X.y(X.java:3)`;
    const shown = readableServerText(text, []) ?? '';
    assert.ok(
      shown.startsWith('java.lang.RuntimeException') &&
        shown.length <= 300 &&
        !shown.includes('<') &&
        !shown.includes('\n'),
      shown,
    );
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
        const shown = readableServerText(texts.join(''), []);
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

suite('In an endless text', () => {
  test('only the first 20,000 characters are read', () => {
    assert.equal(readableServerText(`${' '.repeat(19_999)}x`, []), 'x');
    assert.equal(readableServerText(`${' '.repeat(20_000)}x`, []), undefined);
    assert.equal(plainLine(`${' '.repeat(19_999)}xy`, 50), 'x');
    assert.equal(plainLine(`${' '.repeat(20_000)}x`, 50), '');
  });
});

suite('A name from a server', () => {
  test('is one line of limited length, otherwise unchanged', () => {
    assert.equal(plainLine('my personal token', 50), 'my personal token');
    assert.equal(plainLine('two\nlines\u202Etxt.exe', 50), 'two lines txt.exe');
    assert.equal(plainLine('نام‌ها', 50), 'نام‌ها', 'joiners that a language needs stay');
    assert.equal(plainLine('x'.repeat(60), 50), `${'x'.repeat(49)}…`);
    assert.ok(plainLine('😀'.repeat(60), 50).isWellFormed());
    assert.equal(plainLine(`${'x'.repeat(48)}😀😀`, 50), `${'x'.repeat(48)}…`, 'never half of a character');
  });

  test('shows where invisible characters make it look like another name', () => {
    for (const invisible of [
      '\u200B',
      '\u200C',
      '\u200D',
      '\u2060',
      '\u00AD',
      '\u034F',
      '\u115F',
      '\u3164',
      '\u2800',
      '\uFE0F',
      '\u{E0100}',
      '\u{E0041}',
      '\u{1D173}',
    ]) {
      assert.equal(plainLine(`ad${invisible}min`, 50), 'ad min', JSON.stringify(invisible));
      assert.equal(plainLine(`${invisible}admin${invisible}`, 50), 'admin', JSON.stringify(invisible));
    }
    // Hidden after a character that may be followed by some.
    assert.equal(plainLine(`❤\uFE0F${'\u{E0100}\u{E0110}'.repeat(20)}!`, 50).length <= 6, true);
  });

  test('has at most four marks on one letter', () => {
    assert.equal(plainLine(`a${'\u0336'.repeat(100)}b`, 500), `a${'\u0336'.repeat(4)}b`);
    assert.equal(plainLineKeepingEnds(`a${'\u0301\u20DD'.repeat(50)}b`, 500), 'a\u0301\u20DD\u0301\u20DDb');
    assert.equal(readableServerText(`a${'\u0301\u200D'.repeat(50)}`, [])?.length, 5);
    for (const name of ['Việt Nam', 'שָׁלוֹם', 'လျှော့ကြောင့်', 'ที่นี่', 'नि॑र्मि॒त']) {
      assert.equal(plainLine(name.normalize('NFD'), 100), name.normalize('NFD'));
    }
  });

  test('keeps joiners and variation selectors of scripts and emoji', () => {
    for (const name of ['क्‍ष', '葛\u{E0100}城', '👩‍🚀', '👨‍👩‍👧‍👦', '❤️ love', '🏳️‍🌈']) {
      assert.equal(plainLine(name, 50), name);
    }
  });
});

suite('A name that is too long, shortened in the middle', () => {
  test('keeps its beginning and its end', () => {
    assert.equal(plainLineKeepingEnds('my personal token', 50), 'my personal token');
    assert.equal(plainLineKeepingEnds(`ingestion ${'x'.repeat(60)} staging`, 21), 'ingestion …xx staging');
    assert.notEqual(
      plainLineKeepingEnds(`${'x'.repeat(300)} 1`, 200),
      plainLineKeepingEnds(`${'x'.repeat(300)} 2`, 200),
    );
  });

  test('keeps the end of one that is too long to be read', () => {
    assert.equal(plainLineKeepingEnds(`begin${' '.repeat(90_000)}end`, 50), 'begin end');
    assert.ok(plainLineKeepingEnds(`${'x'.repeat(90_000)}end`, 50).endsWith('xend'));
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
