import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { hostArguments, KEEP_WORKSPACE_TRUST } from '../../host/vscode/hostArguments.ts';

// As @vscode/test-electron 2.5.2 puts them.
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

test('takes what runTests gives', () => {
  assert.deepEqual(hostArguments(GIVEN), {
    extensionDevelopmentPaths: [resolve('/repository')],
    extensionTestsPath: resolve('/repository/out/test/host/index.mjs'),
    folder: resolve('/workspace'),
    userDataDir: resolve('/profile/user'),
    extensionsDir: resolve('/profile/extensions'),
    workspaceTrust: false,
  });
});

test('several extensions may be under development', () => {
  const paths = hostArguments([...GIVEN, '--extensionDevelopmentPath=/other']).extensionDevelopmentPaths;
  assert.deepEqual(paths, [resolve('/repository'), resolve('/other')]);
});

test('workspace trust stays on when asked for, although runTests turns it off', () => {
  assert.equal(hostArguments([KEEP_WORKSPACE_TRUST, ...GIVEN]).workspaceTrust, true);
});

test('without a folder it is an empty window', () => {
  assert.equal(hostArguments(GIVEN.slice(1)).folder, undefined);
});

for (const name of ['extensionTestsPath', 'user-data-dir', 'extensions-dir']) {
  test(`says that --${name} is missing`, () => {
    const rest = GIVEN.filter((argument) => !argument.startsWith(`--${name}=`));
    assert.throws(() => hostArguments(rest), new RegExp(`--${name}=… is missing`));
  });
}
