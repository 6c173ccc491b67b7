import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDED, PACKAGE_BUDGET, packageFaults } from '../../../../tools/package/packageFaults.ts';

const BUILT = ['extension.cjs', 'chunk-4SRLKTJ2.js', 'wizard.js', 'wizard.css', 'overview.js', 'overview.css'];
const WHOLE = [...NEEDED, 'extension/dist/chunk-4SRLKTJ2.js'];
const TRANSLATION = 'extension/l10n/bundle.l10n.de.json';
const BELONGS = ['[Content_Types].xml', 'extension.vsixmanifest', 'extension/readme.md', TRANSLATION];

test('a package with what it needs and what belongs into it has no fault', () => {
  assert.deepEqual(packageFaults([...WHOLE, ...BELONGS], PACKAGE_BUDGET, BUILT), []);
});

for (const name of [
  'extension/src/extension.ts',
  'extension/dist/extension.cjs.map',
  'extension/dist/chunk-OFANEARLIERBUILD.js',
  'extension/node_modules/graphql/index.js',
  'extension/.vscode/launch.json',
  'extension/media/story.gif',
])
  test(`${name} does not belong in a package`, () => {
    assert.deepEqual(packageFaults([...WHOLE, name], 1, [...BUILT, 'extension.cjs.map']), [
      `${name} does not belong into the package.`,
    ]);
  });

test('a package is refused without any of the files that it needs, built or translated', () => {
  const translations = ['l10n/bundle.l10n.de.json'];
  for (const missing of [...WHOLE, TRANSLATION]) {
    const there = [...WHOLE, TRANSLATION].filter((name) => name !== missing);
    assert.deepEqual(packageFaults(there, 1, BUILT, translations), [`${missing} is missing from the package.`]);
  }
});

test('a package over its budget is refused', () => {
  assert.match(packageFaults(WHOLE, PACKAGE_BUDGET + 1, BUILT).join(), /over its budget/);
});
