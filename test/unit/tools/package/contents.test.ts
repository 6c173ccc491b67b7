import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDED, PACKAGE_BUDGET, packageFaults } from '../../../../tools/package/contents.ts';

const entries = (...names: string[]) => names.map((name) => ({ name, compressedBytes: 1, bytes: 1 }));

/** Files of a build in `dist`. */
const BUILT = ['extension.js', 'chunk-4SRLKTJ2.js', 'wizard.js', 'wizard.css', 'overview.js', 'overview.css'];
const CHUNK = 'extension/dist/chunk-4SRLKTJ2.js';

test('a package with exactly the required files has no fault', () => {
  const allowed = [
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/readme.md',
    'extension/dist/l10n/bundle.l10n.de.json',
  ];
  assert.deepEqual(packageFaults(entries(...NEEDED, CHUNK, ...allowed), PACKAGE_BUDGET, BUILT), []);
});

const strays = [
  'extension/src/extension.ts',
  'extension/dist/extension.js.map',
  'extension/dist/wizard.js.map',
  'extension/dist/chunk-OFANEARLIERBUILD.js',
  'extension/tools/run/main.ts',
  'extension/node_modules/graphql/index.js',
  'extension/.vscode/launch.json',
  'extension/media/screenshots/tree-dark.png',
];
for (const name of strays) {
  test(`${name} does not belong in a package`, () => {
    assert.deepEqual(packageFaults(entries(...NEEDED, CHUNK, name), 1, [...BUILT, 'extension.js.map']), [
      `${name} does not belong into the package.`,
    ]);
  });
}

for (const missing of [...NEEDED, CHUNK]) {
  test(`a package without ${missing} is refused`, () => {
    const there = [...NEEDED, CHUNK].filter((name) => name !== missing);
    assert.deepEqual(packageFaults(entries(...there), 1, BUILT), [`${missing} is missing from the package.`]);
  });
}

test('a package without a built file is refused, even if the build did not create it', () => {
  const there = NEEDED.filter((name) => name !== 'extension/dist/extension.js');
  assert.deepEqual(
    packageFaults(entries(...there), 1, []).filter((fault) => fault.endsWith('missing from the package.')),
    ['extension/dist/extension.js is missing from the package.'],
  );
});

test('a package without a translation is refused', () => {
  const translations = ['package.nls.de.json', 'l10n/bundle.l10n.de.json'];
  const there = entries(...NEEDED, CHUNK, 'extension/package.nls.de.json');
  assert.deepEqual(packageFaults(there, 1, BUILT, translations), [
    'extension/dist/l10n/bundle.l10n.de.json is missing from the package.',
  ]);
});

test('a package over its budget is refused', () => {
  assert.match(packageFaults(entries(...NEEDED), PACKAGE_BUDGET + 1, []).join(), /over its budget/);
});
