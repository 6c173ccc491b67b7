/**
 * Tokens that were created for a terminal. Each is revoked when its terminal closes while the extension host that
 * opened it runs. Otherwise it ends by itself within the hour.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import { language } from '../language.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { HeldTokens } from '../tokens/heldTokens.ts';
import type { TokenMemory } from '../tokens/tokenMemory.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import { revokeAsAgreed } from '../tokens/revokeTokens.ts';
import { mutationFailure } from '../tokens/tokenTexts.ts';
import { formatsOf } from '../ui/formats.ts';
import type { Log } from '../ui/log.ts';
import { showWarning } from '../ui/messages.ts';

interface TerminalToken {
  /** As it was when the token was created. The ID means nothing on another server. */
  readonly connection: Connection;
  readonly token: AccessToken;
  /** Unix time in ms. */
  readonly expiresAt: number;
}

interface TerminalTokenParts extends ConnectionParts {
  readonly tokenLists: TokenLists;
  readonly held: HeldTokens;
  readonly memory: TokenMemory;
  readonly log: Pick<Log, 'failure'>;
}

export class TerminalTokens implements vscode.Disposable {
  readonly #parts: TerminalTokenParts;
  readonly #terminals = new Map<vscode.Terminal, TerminalToken>();
  readonly #subscription: vscode.Disposable;

  constructor(parts: TerminalTokenParts) {
    this.#parts = parts;
    this.#subscription = vscode.window.onDidCloseTerminal((terminal) => {
      const token = this.#terminals.get(terminal);
      this.#terminals.delete(terminal);
      if (token !== undefined) {
        void this.revoke(token);
      }
    });
  }

  /** Revokes the token when the terminal closes. */
  follow(terminal: vscode.Terminal, token: TerminalToken): void {
    this.#terminals.set(terminal, token);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Sends the revocation once. Reports a failure, never throws. */
  async revoke({ connection, token, expiresAt }: TerminalToken): Promise<void> {
    if (expiresAt <= Date.now()) {
      return;
    }
    try {
      await revokeAsAgreed(this.#parts, connection, token);
    } catch (thrown) {
      const failure = mutationFailure(thrown);
      this.#parts.log.failure(failure);
      void showWarning(
        l10n.t(
          'The access token of a closed terminal may not have been revoked on "{0}". The token expires on {1}.',
          connection.name,
          formatsOf(language()).time(expiresAt),
        ),
      );
    }
  }
}
