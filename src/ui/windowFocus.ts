/** Looks for changes of other windows when this one gets the focus: not every platform announces them. */
import * as vscode from 'vscode';

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
