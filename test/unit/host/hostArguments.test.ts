import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { hostArguments, KEEP_WORKSPACE_TRUST } from '../../host/vscode/hostArguments.ts';

// Arguments in the notation of @vscode/test-electron 2.5.2.
const GIVEN = [
  '/workspace',
  '--user-data-dir=/profile/user',
  '--extensions-dir=/profile/extensions',
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--disable-updates',
  '--skip-welcome',
  '--skip-release-notes',
  '--disable-workspace-trust',
  '--extensionTestsPath=/repository/out/test/host/index.mjs',
  '--extensionDevelopmentPath=/repository',
];

test('accepts the arguments of runTests', () => {
  assert.deepEqual(hostArguments(GIVEN), {
    extensionDevelopmentPaths: [resolve('/repository')],
    extensionTestsPath: resolve('/repository/out/test/host/index.mjs'),
    folder: resolve('/workspace'),
    userDataDir: resolve('/profile/user'),
    extensionsDir: resolve('/profile/extensions'),
    workspaceTrust: false,
  });
});

test('accepts several extensions under development', () => {
  const paths = hostArguments([...GIVEN, '--extensionDevelopmentPath=/other']).extensionDevelopmentPaths;
  assert.deepEqual(paths, [resolve('/repository'), resolve('/other')]);
});

test('keeps workspace trust on if requested, although runTests turns it off', () => {
  assert.equal(hostArguments([KEEP_WORKSPACE_TRUST, ...GIVEN]).workspaceTrust, true);
});

test('opens an empty window without a folder', () => {
  assert.equal(hostArguments(GIVEN.slice(1)).folder, undefined);
});

for (const name of ['extensionTestsPath', 'user-data-dir', 'extensions-dir']) {
  test(`reports that --${name} is missing`, () => {
    const rest = GIVEN.filter((argument) => !argument.startsWith(`--${name}=`));
    assert.throws(() => hostArguments(rest), new RegExp(`--${name}=… is missing`));
  });
}
