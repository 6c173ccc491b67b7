/**
 * Tokens that were created for a terminal. Each is revoked when its terminal closes while the extension host that
 * opened it runs. Otherwise it ends by itself within the hour.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { accountOf, type Connection } from '../connections/connection.ts';
import { language } from '../language.ts';
import { connectionChanged } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { revokeAll, type RevocationParts } from '../tokens/revocation.ts';
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

interface TerminalTokenParts extends RevocationParts {
  readonly log: Pick<Log, 'failure'>;
}

/** Revokes the token when the terminal closes. */
export function revokeWithTerminal(terminal: vscode.Terminal, parts: TerminalTokenParts, token: TerminalToken): void {
  const subscription = vscode.window.onDidCloseTerminal((closed) => {
    if (closed === terminal) {
      subscription.dispose();
      void revokeTerminalToken(parts, token);
    }
  });
}

/** Asks nothing, since the user agreed when the token was created. Sent once. Reports a failure, never throws. */
export async function revokeTerminalToken(
  parts: TerminalTokenParts,
  { connection, token, expiresAt }: TerminalToken,
): Promise<void> {
  // A revocation in the tree reports its own outcome.
  if (expiresAt <= Date.now() || parts.tokenLists.get(connection.id).isHidden(token.id)) {
    return;
  }
  try {
    const current = await parts.store.getFresh(connection.id);
    if (current === undefined || accountOf(current) !== accountOf(connection)) {
      throw connectionChanged();
    }
    const [unrevoked] = (await revokeAll(parts, current, [token], new Map())).failed;
    if (unrevoked !== undefined) {
      throw unrevoked.failure;
    }
  } catch (thrown) {
    parts.log.failure(mutationFailure(thrown));
    void showWarning(
      l10n.t(
        'The access token of a closed terminal may not have been revoked on "{0}". The token expires on {1}.',
        connection.name,
        formatsOf(language()).time(expiresAt),
      ),
    );
  }
}
