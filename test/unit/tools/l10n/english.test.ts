import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textsIn, unwrapped } from '../../../../tools/l10n/english.ts';

suite('The texts of the source', () => {
  test('are the first arguments of l10n.t, in any notation and quotes', () => {
    const source = [
      "import * as l10n from '@vscode/l10n';",
      'const first: string = l10n.t("It\'s there.");',
      "const second = vscode.l10n.t('{0} of {1}', format(l10n.t('rows')), total as number);",
      "other.t('not this one'); l10n.config({}); t('nor this');",
    ].join('\n');
    assert.deepEqual(textsIn(source, 'a.ts'), [
      { text: "It's there.", line: 2 },
      { text: '{0} of {1}', line: 3 },
      { text: 'rows', line: 3 },
    ]);
  });

  for (const argument of ['name', '`a ${name}`', "'a' + name", '']) {
    test(`are literals: l10n.t(${argument}) is refused with its place`, () => {
      assert.throws(() => textsIn(`\nl10n.t(${argument});`, 'src/a.ts'), /^Error: src\/a\.ts:2: /);
    });
  }
});

suite('The pages of the walkthrough', () => {
  test('are the same, however their paragraphs are wrapped', () => {
    const wrapped = '## A\n\nOne and\ntwo.\n\n- three\n  and four\n- five\n\n![six](../six.png)\n';
    assert.equal(unwrapped(wrapped), '## A\n\nOne and two.\n\n- three and four\n- five\n\n![six](../six.png)');
    assert.equal(unwrapped(unwrapped(wrapped)), unwrapped(wrapped));
  });
});
