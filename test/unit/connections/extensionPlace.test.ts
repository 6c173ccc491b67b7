import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  placeInReport,
  remoteBelow,
  remoteBeside,
  type useExtensionPlace,
  isExposed,
} from '../../../src/connections/extensionPlace.ts';

const UI = 1;
const WORKSPACE = 2;

type ExtensionPlace = Parameters<typeof useExtensionPlace>[0];

const PLACES: Readonly<Record<string, ExtensionPlace & { readonly beside?: string; readonly below?: string }>> = {
  'a desktop': { extensionKind: UI, remoteName: undefined },
  'a desktop where it is installed as a workspace extension': { extensionKind: WORKSPACE, remoteName: undefined },
  'a window of a machine over SSH': { extensionKind: UI, remoteName: 'ssh-remote', beside: 'SSH' },
  'a window of WSL': { extensionKind: UI, remoteName: 'wsl', beside: 'WSL' },
  'a machine over SSH where it is installed alone': {
    extensionKind: WORKSPACE,
    remoteName: 'ssh-remote',
    below: 'SSH',
  },
  'code-server': { extensionKind: WORKSPACE, remoteName: 'code.example.com:8443', below: 'the remote machine' },
};

suite('Where the extension runs', () => {
  for (const [name, { beside, below, ...place }] of Object.entries(PLACES)) {
    const terminals = beside === undefined ? 'run on the same machine' : `run on ${beside}`;
    const loopback = below === undefined ? "is the user's own" : `is that of ${below}`;
    test(`${name}: terminals ${terminals}, loopback ${loopback}`, () => {
      assert.deepEqual([remoteBeside(place), remoteBelow(place)], [beside, below]);
      for (const host of ['localhost', '127.0.0.1', '[::1]']) {
        assert.equal(isExposed(`http://${host}:8080`, place), below !== undefined);
        assert.equal(isExposed(`https://${host}:8080`, place), false);
      }
      assert.equal(isExposed('http://10.0.0.7:8080', place), true);
    });
  }

  test('is in a report without the name of a machine', () => {
    const CODE = 'Visual Studio Code';
    for (const [isBrowser, appName, extensionKind, remoteName, expected] of [
      [false, CODE, UI, undefined, 'desktop'],
      [false, CODE, UI, 'ssh-remote', 'desktop, window on SSH'],
      [false, CODE, WORKSPACE, 'wsl', 'desktop, extension on WSL'],
      [true, CODE, WORKSPACE, 'codespaces', 'browser, extension on GitHub Codespaces'],
      [true, 'Somewhere', WORKSPACE, 'code.example.com:8443', 'browser, extension on another remote machine'],
      [true, 'code-server', WORKSPACE, 'code.example.com:8443', 'code-server'],
    ] as const) {
      assert.equal(placeInReport(isBrowser, appName, { extensionKind, remoteName }), expected);
    }
  });
});
