/** The parts of the user interface that all features share. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { Clipboard } from './clipboard.ts';
import { Commands } from './commands.ts';
import { Log } from './log.ts';
import { showWarning } from './messages.ts';
import { Notices } from './notices.ts';
import { settings } from './settings.ts';

export interface UserInterface {
  readonly log: Log;
  readonly notices: Notices;
  readonly commands: Commands;
  readonly clipboard: Clipboard;
}

/** @param memory Shared by all windows. */
export function createUserInterface(memory: Memento, clock: Clock): UserInterface {
  const log = new Log();
  const notices = new Notices(log);
  const clipboard = new Clipboard({
    system: vscode.env.clipboard,
    memory,
    clock,
    clearMillis: settings.clipboardClearMillis,
    isFocused: () => vscode.window.state.focused,
    tellWithheld: () =>
      void showWarning(l10n.t("Couldn't clear the clipboard. Copy something else to replace the token.")),
    tellNotNoted: () =>
      void showWarning(
        l10n.t("Couldn't save when to clear the clipboard. If this window closes before then, the token stays there."),
      ),
  });
  return { log, notices, commands: new Commands(notices, log), clipboard };
}

/** The other window's last write may still be on its way. */
const AFTERTHOUGHT_MILLIS = 2_000;

/** Calls `look` when the window gets the focus, and again a moment later. */
export function onWindowFocus(look: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
    clearTimeout(timer);
    if (focused) {
      look();
      timer = setTimeout(look, AFTERTHOUGHT_MILLIS);
    }
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    subscription.dispose();
  });
}
