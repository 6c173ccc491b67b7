import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { englishAmong, textsShown } from '../../../../tools/l10n/fallbacks.ts';

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
});
