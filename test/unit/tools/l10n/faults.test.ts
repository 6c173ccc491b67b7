// What is right is shown by every current translation: translations.test.ts.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { quotationFaults, translationFaults } from './translationFaults.ts';

suite('A translation', () => {
  const faultsOf = (english: string, translated: string, same = {}): string[] =>
    translationFaults({ key: english }, { key: translated }, same, ['Manage All Access Tokens']);

  test('is reported if it lacks a part of the English text, or has another', () => {
    for (const [english, translated, fault] of [
      ['Try again.', '', /empty/],
      ['Try again.', 'Try again.', /English text/],
      ['Try again.', 'Erneut versuchen. ', /space/],
      ['{0} of {1}', '{0} von {0}', /placeholders/],
      ['Loading…', 'Wird geladen...', /ellips/],
      ['Loading…', '…wird geladen', /end with/],
      ['[Add](command:a.add)', '[Hinzufügen](command:a.plus)', /links/],
      ['`0` leaves it there.', '0 lässt sie dort.', /backticks/],
      ['See https://a.example/b.', 'Siehe https://a.example/c.', /addresses/],
      ['# A\n\n- b\n\n![c](../c.png)', '# A\n\nb\n\n![c](../c.png)', /headings and lists/],
      ['![c](../c.png)', '![c](../d.png)', /pictures/],
      ['Press **Copy**.', 'Drücken Sie Kopieren.', /bold/],
      ['One.\nTwo.', 'Eins. Zwei.', /line breaks/],
      ['like urn:li:corpuser:jdoe.', 'wie urn:li:benutzer:jdoe.', /URNs/],
      ['the X-Service-Actor header', 'der Header X-Dienst-Actor', /URNs/],
      ['requires "Manage All Access Tokens"', 'erfordert „Alle Zugriffstoken verwalten“', /"Manage All Access Tokens"/],
    ] as const)
      assert.match(faultsOf(english, translated).join('\n'), fault, english);
  });

  test('may be the English text if the list allows it, may be missing, and is not looked at without an English text', () => {
    assert.deepEqual(faultsOf('URN', 'URN', { URN: 'a term' }), []);
    assert.deepEqual(translationFaults({ a: 'one', b: 'two' }, { b: 'zwei', c: '' }, {}), []);
  });
});

suite('Names', () => {
  test('are reported if they differ', () => {
    const long = ['Copy Token...', 'Token kopieren...'] as const;
    assert.deepEqual(quotationFaults([long, ['Copy Token', 'Kopieren']]), [
      '"Copy Token" is both "Token kopieren" and "Kopieren".',
    ]);
    assert.deepEqual(quotationFaults([long, ['"Copy Token" has it.', '„Kopieren“ hat es.']]), [
      '""Copy Token" has it." quotes "Copy Token", which is "Token kopieren": "„Kopieren“ hat es."',
    ]);
  });
});
