import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { englishAmong, isUntranslated, textsShown } from '../../../../tools/l10n/fallbacks.ts';

suite('A user interface', () => {
  test('has the texts between tags and those for screen readers', () => {
    const markup =
      '<div class="Try" aria-label="Try again"><style>a { color: red }</style> One &amp; two<b title="It&#39;s three"> </b></div>';
    assert.deepEqual(textsShown(markup), ['Try again', "It's three", 'One & two']);
    assert.deepEqual(textsShown('just text'), ['just text']);
  });

  const english = {
    try: 'Try again.',
    rows: '{0} rows deleted.',
    as: '{0} as {1}',
    url: 'URL',
    open: 'Open',
    two: 'One.\n[Two](command:a)',
  };
  const german = {
    try: 'Erneut versuchen.',
    rows: '{0} Zeilen gelöscht.',
    as: '{0} als {1}',
    url: 'URL',
    open: 'Öffnen',
    two: 'Eins.\n[Zwei](command:a)',
  };

  test('is in English if it shows a text of ours that has another translation, and that nobody else shows', () => {
    const shown = [
      'Try again.',
      '1,500 rows deleted.',
      'Erneut versuchen.',
      'One.',
      'Try again. Please.',
      'URL',
      'Open',
    ];
    assert.deepEqual(englishAmong(shown, english, german, new Set(['Open'])), [
      'Try again.',
      '1,500 rows deleted.',
      'One.',
    ]);
  });

  test('may be in English if a text has no translation, even if it resembles one that has', () => {
    const more = { ...english, none: 'Nothing to delete.', some: '{0} of {1} rows deleted.' };
    const shown = ['Nothing to delete.', '2 of 3 rows deleted.', '3 rows deleted.', 'Try again.'];
    assert.deepEqual(englishAmong(shown, more, german), ['3 rows deleted.', 'Try again.']);
    assert.deepEqual(shown.filter(isUntranslated(more, german)), ['Nothing to delete.', '2 of 3 rows deleted.']);
  });
});
