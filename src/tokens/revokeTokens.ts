/** Revoking access tokens: asked about, each sent once, each failure told. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { asFailure } from '../service/failure.ts';
import type { ServiceFailure } from '../service/failure.ts';
import type { AccessToken } from '../service/tokens.ts';
import { confirmRevoke } from '../ui/confirm.ts';
import type { Notices } from '../ui/notices.ts';
import type { CreateParts } from './createToken.ts';
import { tokenLabel } from './tokenNode.ts';

interface FailedRevocation {
  readonly token: AccessToken;
  readonly failure: ServiceFailure;
}

/** Asks, then revokes one after the other; what failed is told with the server's reason, and seen by looking. */
export async function revokeTokens(parts: CreateParts, connection: Connection, tokens: readonly AccessToken[]): Promise<void> {
  const isCredential = tokens.some(({ id }) => id === connection.credentialTokenId);
  if (!(await confirmRevoke(tokens.map(tokenLabel), connection.name, isCredential))) {
    return;
  }
  const { services, books, created, notices } = parts;
  const service = services.of(connection);
  const pages = books.of(connection.id);
  const title = tokens.length === 1 ? vscode.l10n.t('Revoking "{0}"…', tokenLabel(tokens[0] as AccessToken)) : vscode.l10n.t('Revoking {0} access tokens…', tokens.length);
  const failed: FailedRevocation[] = [];
  const revoked: AccessToken[] = [];
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: tokens.length > 1 }, async (progress, stop) => {
    // The connection's own credential goes last: it may be what revokes the others.
    const ordered = tokens.toSorted((a, b) => Number(a.id === connection.credentialTokenId) - Number(b.id === connection.credentialTokenId));
    for (const token of ordered) {
      if (stop.isCancellationRequested) {
        break;
      }
      pages.revoked(token.id);
      try {
        await service.tokens.revoke(token.id);
        revoked.push(token);
      } catch (thrown) {
        pages.revoked(token.id, true);
        failed.push({ token, failure: asFailure(thrown) });
      }
      progress.report({ increment: 100 / tokens.length });
    }
  });
  if (failed.some(({ failure }) => failure.mayHaveActed || failure.kind === 'server' || failure.kind === 'notFound')) {
    // Whether it is gone is seen by looking, never by trying again.
    await pages.refresh();
  }
  const gone = failed.filter(({ token, failure }) => failure.mayHaveActed && pages.failure === undefined && pages.tokens.every(({ id }) => id !== token.id));
  revoked.push(...gone.map(({ token }) => token));
  await Promise.all(revoked.map(({ id }) => created.forget(connection.id, id)));
  tell(
    notices,
    connection,
    revoked.length,
    failed.filter((one) => !gone.includes(one)),
  );
}

function tell(notices: Notices, connection: Connection, revoked: number, failed: readonly FailedRevocation[]): void {
  const [first] = failed;
  if (first === undefined) {
    notices.done(revoked === 1 ? vscode.l10n.t('Access token revoked') : vscode.l10n.t('{0} access tokens revoked', revoked));
  } else if (failed.length === 1) {
    const label = tokenLabel(first.token);
    const failure = first.failure.mayHaveActed
      ? first.failure
          .because(vscode.l10n.t('Whether "{0}" was revoked is not known', label))
          .with({ next: vscode.l10n.t('Refresh the tokens in a moment: if it is still there, revoke it again.') })
      : first.failure.because(vscode.l10n.t('"{0}" was not revoked', label));
    notices.failure(failure, connection);
  } else {
    const reasons = failed.map(({ token, failure }) => `"${tokenLabel(token)}": ${failure.message}`).join(' ');
    notices.failure(first.failure.because(vscode.l10n.t('{0} of {1} access tokens were not revoked', failed.length, failed.length + revoked), reasons), connection);
  }
}
