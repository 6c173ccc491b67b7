import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  asTyped,
  inCodeSpan,
  inLabel,
  inMarkdown,
  inMessage,
  inPlainText,
  inSentence,
  inPlace,
} from '../../../src/ui/foreignText.ts';
import { hostileText } from './hostileText.ts';

/** Isolates a right-to-left name: our own mark, behind the name, never one from elsewhere. */
const MARK = '\u200E';
const TOKEN = '[Renew](command:workbench.action.quit)';
/** Invisible characters that change the visible text: controls, line breaks, directions, zero width. */
const DISGUISED = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

suite('Foreign text', () => {
  test('is recognisable, and no link in a message', () => {
    assert.equal(inMessage(`Revoking "${TOKEN}"…`), 'Revoking "[Renew] (command:workbench.action.quit)"…');
    assert.equal(
      inMessage('see [the docs](https://example.com "title")'),
      'see [the docs] (https://example.com "title")',
    );
  });

  for (const [text, shown] of [
    // A whole label or description, with its final number.
    ['שרת (7)', 'שרת (7)|'],
    ['ﷺ 12', 'ﷺ 12|'],
    ['𞤀 1', '𞤀 1|'],
    ['dbt خادم', 'dbt خادم|'],
    // A quoted name in any language, with its final number.
    ['Revoke "שרת (7)"?', 'Revoke "שרת (7)"|?'],
    ['"שרת (7)", "مفتاح 8" and "dbt"', '"שרת (7)"|, "مفتاح 8"| and "dbt"'],
    ['„שרת 7“ widerrufen', '„שרת 7“| widerrufen'],
    ['« שרת 7 »', '« שרת 7 »|'],
    ['「שרת 7」を取り消しますか', '「שרת 7」|を取り消しますか'],
    // Without quotes: the rest belongs to the sentence.
    ['on שרת: 0 of 5,000', 'on שרת|: 0 of 5,000'],
    ['שרת (http://localhost)', 'שרת| (http://localhost)'],
    ['שרת (7) (http://localhost)', 'שרת| (7) (http://localhost)'],
    // A name is never split, whatever it contains.
    ['on דו"ח: 0 of 5', 'on דו"ח|: 0 of 5'],
    ['on דו"ח failed: "Truncate"', 'on דו"ח| failed: "Truncate"'],
    ['Revoke "דו"ח 7"?', 'Revoke "דו"ח 7"|?'],
    ['on سرور\u200Cها: 7', 'on سرور\u200Cها|: 7'],
    ['ייצור/בדיקה + שרת (גיבוי) (7 rows)', 'ייצור/בדיקה + שרת (גיבוי)| (7 rows)'],
  ] as const) {
    test(`keeps to itself where it is written from right to left: ${text}`, () => {
      for (const show of [inPlace, inSentence, inMessage]) assert.equal(show(text), shown.replaceAll('|', MARK));
    });
  }

  test('is unchanged if nothing is written from right to left', () => {
    for (const text of ['dbt laptop 20', 'Revoke "Größe 12"?', '指标 3', '']) assert.equal(inPlace(text), text);
  });

  test('is as typed, without the mark', () => {
    fc.assert(fc.property(hostileText, (text) => assert.equal(asTyped(inMessage(text)).includes(MARK), false)));
    assert.equal(asTyped(inPlace('שרת (7)')), 'שרת (7)');
  });

  test('is limited: a quote to 300 characters, a sentence to 1,000', () => {
    assert.equal(inPlainText('x'.repeat(301)), `${'x'.repeat(299)}…`);
    assert.equal(inPlainText('x'.repeat(300)), 'x'.repeat(300));
    assert.equal(inPlainText('x'.repeat(50), 10), `${'x'.repeat(9)}…`);
    assert.ok(inMessage('x'.repeat(2_000)).length === 1_000 && inLabel('x'.repeat(2_000)).length === 1_000);
  });

  test('stays the same when made harmless twice', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const show of [inPlainText, inLabel, inMessage]) {
          const once = show(text).replaceAll(MARK, '');
          // Only the space has a width.
          fc.pre(once.length < 290);
          assert.equal(show(once).replaceAll(MARK, ''), once);
        }
      }),
    );
  });

  test('never forms a link or an icon', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.ok(!inMessage(text).includes(']('));
        assert.ok(!inMessage(text).includes('$('));
        assert.ok(!inLabel(text).includes('$('));
        for (const show of [inPlainText, inLabel, inMessage]) {
          assert.doesNotMatch(show(text).replaceAll(MARK, ''), DISGUISED);
        }
      }),
    );
  });

  test('keeps every readable character', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ9[]()$:/."é字') }), (text) => {
        const read = (one: string): string => one.replaceAll(' ', '');
        assert.equal(read(inMessage(text)), text);
        assert.equal(read(inLabel(text)), text);
        assert.equal(inPlainText(text), text);
      }),
    );
  });
});

suite('Foreign text in a Markdown document', () => {
  for (const [text, written] of [
    ['Production', 'Production'],
    ['a | b', String.raw`a \| b`],
    ['[Renew](command:x)', String.raw`\[Renew\]\(command\:x\)`],
    ['<b>\n# c', String.raw`\<b\> \# c`],
    ['C:\\x', String.raw`C\:\\x`],
  ] as const) {
    test(`${JSON.stringify(text)} is "${written}"`, () => assert.equal(inMarkdown(text), written));
  }

  test('is one line without Markdown syntax', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const written = inMarkdown(text);
        assert.doesNotMatch(written.replace(/\\[!-/:-@[-`{-~]/g, ''), /[\\`*_{}[\]()<>#|~\n]/);
        assert.doesNotMatch(written, DISGUISED);
      }),
    );
  });
});

suite('Foreign text in a code span', () => {
  for (const [text, written] of [
    ['x_y:12', '`x_y:12`'],
    ['a\n| *b* [c](d)', '`a | *b* [c](d)`'],
    ['a `b` c', '``a `b` c``'],
    ['``', '``` `` ```'],
    ['', ''],
  ] as const) {
    test(`${JSON.stringify(text)} is "${written}"`, () => assert.equal(inCodeSpan(text), written));
  }

  test('is one line, and ends where the span ends', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const written = inCodeSpan(text);
        const fence = /^`*/.exec(written)?.[0] ?? '';
        const inner = written.slice(fence.length, written.length - fence.length);
        assert.ok(
          (inner.match(/`+/g) ?? []).every((run) => run.length !== fence.length),
          written,
        );
        assert.doesNotMatch(written, DISGUISED);
        assert.ok(!written.includes('\n'));
      }),
    );
  });
});
