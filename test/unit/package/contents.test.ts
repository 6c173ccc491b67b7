import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDED, PACKAGE_BUDGET, packageFaults } from '../../package/contents.ts';

const entries = (...names: string[]) => names.map((name) => ({ name, compressedBytes: 1, bytes: 1 }));

test('a package with all that it needs and nothing else has no fault', () => {
  const allowed = ['[Content_Types].xml', 'extension.vsixmanifest', 'extension/readme.md', 'extension/l10n/bundle.l10n.de.json'];
  assert.deepEqual(packageFaults(entries(...NEEDED, ...allowed), PACKAGE_BUDGET), []);
});

const strays = [
  'extension/src/extension.ts',
  'extension/dist/extension.cjs.map',
  'extension/dist/wizard.js.map',
  'extension/test/run.ts',
  'extension/node_modules/graphql/index.js',
  'extension/.vscode/launch.json',
  'extension/media/screenshots/tree-dark.png',
];
for (const name of strays) {
  test(`${name} does not belong into a package`, () => {
    assert.deepEqual(packageFaults(entries(...NEEDED, name), 1), [`${name} does not belong into the package.`]);
  });
}

test('what is missing is named', () => {
  const [missing = ''] = NEEDED;
  assert.deepEqual(packageFaults(entries(...NEEDED.slice(1)), 1), [`${missing} is missing from the package.`]);
});

test('a package over its budget is refused', () => {
  assert.match(packageFaults(entries(...NEEDED), PACKAGE_BUDGET + 1).join(), /over its budget/);
});
