/** The clipboard is shared with every program: a token does not stay there longer than it is needed. */
import * as vscode from 'vscode';
import type { Secret } from '../service/secret.ts';
import { settings } from './settings.ts';

export class Clipboard implements vscode.Disposable {
  #clearing: { readonly timer: NodeJS.Timeout; readonly clear: () => Promise<void> } | undefined;

  /** Copies something that is no secret. */
  async copy(text: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
  }

  /**
   * Copies a token, and clears the clipboard after the time that the setting says, if it still holds the token then.
   * @returns after how many seconds it will be cleared; undefined: it will not.
   */
  async copySecret(secret: Secret): Promise<number | undefined> {
    await vscode.env.clipboard.writeText(secret.reveal());
    this.#stopTimer();
    const millis = settings.clipboardClearMillis();
    if (millis === 0) {
      return undefined;
    }
    const clear = async (): Promise<void> => {
      this.#stopTimer();
      if ((await vscode.env.clipboard.readText()) === secret.reveal()) {
        await vscode.env.clipboard.writeText('');
      }
    };
    // A browser gives no clipboard to a window in the background: then it is tried again when the window is back.
    this.#clearing = { timer: setTimeout(() => void clear().catch(() => this.#retryOnFocus(clear)), millis), clear };
    return millis / 1_000;
  }

  /** The window closes: what is left to clear is cleared now. */
  dispose(): void {
    void this.#clearing?.clear().catch(() => undefined);
  }

  #retryOnFocus(clear: () => Promise<void>): void {
    const subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        subscription.dispose();
        void clear().catch(() => undefined);
      }
    });
  }

  #stopTimer(): void {
    clearTimeout(this.#clearing?.timer);
    this.#clearing = undefined;
  }
}
