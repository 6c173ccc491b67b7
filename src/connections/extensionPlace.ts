/**
 * Which machine the extension runs on. Its kinds are `ui` and `workspace`: where the user's browser or desktop runs, so
 * that no container or remote machine is handed the tokens, and on the remote machine where it is installed there alone,
 * or the setting `remote.extensionKind` says so.
 */
import * as l10n from '@vscode/l10n';
import { isLoopbackHost } from '../service/http/baseUrl.ts';

/** What VS Code says of it. */
interface ExtensionPlace {
  /** 1: on the user's machine. 2: where the window's folders are. */
  readonly extensionKind: 1 | 2;
  /** Kind of the remote machine whose folders the window shows, such as `ssh-remote`. Undefined in a local window. */
  readonly remoteName: string | undefined;
}

const LOCAL: ExtensionPlace = { extensionKind: 1, remoteName: undefined };
let current = LOCAL;

/** Called once, at startup. */
export function useExtensionPlace(place: ExtensionPlace): void {
  current = place;
}

/**
 * The remote machine that the window's terminals run on, while the extension runs on the user's: an address may lead
 * elsewhere there. Undefined if there is none.
 */
export function remoteBeside({ extensionKind, remoteName } = current): string | undefined {
  return extensionKind === 1 && remoteName !== undefined ? remoteLabel(remoteName) : undefined;
}

/**
 * The remote machine that the extension runs on. Other people may use it too, and listen on its loopback addresses.
 * Undefined if it runs on the user's own.
 */
export function remoteBelow({ extensionKind, remoteName } = current): string | undefined {
  return extensionKind === 2 && remoteName !== undefined ? remoteLabel(remoteName) : undefined;
}

/** True if others can read what is sent to this address: plain HTTP over a network, or on a shared machine. */
export function isExposed(baseUrl: string, place = current): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && (!isLoopbackHost(hostname) || remoteBelow(place) !== undefined);
}

/**
 * For a report, so in English and without a name of a machine: `desktop, window on SSH`.
 * @param isBrowser The window is a browser's.
 * @param appName As the editor calls itself.
 */
export function placeInReport(isBrowser: boolean, appName: string, { extensionKind, remoteName } = current): string {
  if (appName === 'code-server') {
    return appName;
  }
  const window = isBrowser ? 'browser' : 'desktop';
  if (remoteName === undefined) {
    return window;
  }
  // Of an unknown kind, it may be an address.
  const remote = KINDS.get(remoteName) ?? 'another remote machine';
  return extensionKind === 2 ? `${window}, extension on ${remote}` : `${window}, window on ${remote}`;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['ssh-remote', 'SSH'],
  ['wsl', 'WSL'],
  ['dev-container', 'Dev Container'],
  ['attached-container', 'Container'],
  ['codespaces', 'GitHub Codespaces'],
  ['tunnel', 'Tunnel'],
]);

/** As VS Code calls its kind in the status bar: `SSH`. */
function remoteLabel(remoteName: string): string {
  return KINDS.get(remoteName) ?? l10n.t('the remote machine');
}
