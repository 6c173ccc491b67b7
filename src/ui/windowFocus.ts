/** What another window did is looked for when this one is used again: not every platform tells at once. */
import * as vscode from 'vscode';

/** What the other window wrote last may still be on its way when the focus changes. */
const AFTERTHOUGHT_MILLIS = 2_000;

/** Calls `look` when the window gets the focus, and once more a moment later. */
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
