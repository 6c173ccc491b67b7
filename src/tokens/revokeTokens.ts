/** Revoking access tokens: asked about, each sent once, each failure told. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { asFailure } from '../service/failure.ts';
import type { ServiceFailure } from '../service/failure.ts';
import type { AccessToken } from '../service/tokens.ts';
import type { Service } from '../service/service.ts';
import { confirmRevoke } from '../ui/confirm.ts';
import { showProgress } from '../ui/messages.ts';
import type { CreateParts } from './createToken.ts';
import { inProgress } from './progress.ts';
import { revocationFailure } from './revocationFailure.ts';
import { tokenLabel } from './tokenNode.ts';

/** Asks, then revokes one after the other; what failed is told with the server's reason, and seen by looking. */
export async function revokeTokens(parts: CreateParts, connection: Connection, tokens: readonly AccessToken[]): Promise<void> {
  const isCredential = tokens.some(({ id }) => id === connection.credentialTokenId);
  if (!(await confirmRevoke(tokens.map(tokenLabel), connection.name, isCredential))) {
    return;
  }
  const { services, books, created, notices } = parts;
  const service = services.of(connection);
  const pages = books.of(connection.id);
  const { scope } = pages.query;
  // Only of what was in the listing does it mean something that it is there no more: the listing lags.
  const listed = new Set(tokens.flatMap(({ id }) => (pages.isListed(id) ? [id] : [])));
  const title = tokens.length === 1 ? vscode.l10n.t('Revoking "{0}"…', tokenLabel(tokens[0] as AccessToken)) : vscode.l10n.t('Revoking {0} access tokens…', tokens.length);
  const failed: { readonly token: AccessToken; readonly failure: ServiceFailure }[] = [];
  const revoked: AccessToken[] = [];
  await showProgress(title, tokens.length > 1, async (stop, progress) => {
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
  const gone = await lookFor(
    service,
    scope,
    failed.flatMap(({ token, failure }) => (failure.mayHaveActed && listed.has(token.id) ? [token] : [])),
  );
  for (const { id } of gone) {
    pages.revoked(id);
  }
  revoked.push(...gone);
  if (failed.some(({ failure }) => failure.mayHaveActed || failure.kind === 'server' || failure.kind === 'notFound')) {
    // What the tree shows was not quite so.
    await pages.refresh();
  }
  await Promise.all(revoked.map(({ id }) => created.forget(connection.id, id)));
  const [first, ...others] = failed.flatMap(({ token, failure }) => (gone.includes(token) ? [] : [{ label: tokenLabel(token), failure }]));
  if (first === undefined) {
    notices.done(revoked.length === 1 ? vscode.l10n.t('Access token revoked') : vscode.l10n.t('{0} access tokens revoked', revoked.length));
  } else {
    notices.failure(revocationFailure([first, ...others], others.length + 1 + revoked.length), connection);
  }
}

/**
 * Whether a token is gone whose revocation was never answered is seen by looking at every page, never by trying again.
 * @returns those that are gone; of the others it is not known.
 */
async function lookFor(service: Service, scope: 'own' | 'all', lost: readonly AccessToken[]): Promise<readonly AccessToken[]> {
  const [first] = lost;
  if (first === undefined) {
    return [];
  }
  const gone: AccessToken[] = [];
  const title =
    lost.length === 1 ? vscode.l10n.t('Looking whether "{0}" was revoked…', tokenLabel(first)) : vscode.l10n.t('Looking whether the access tokens were revoked…');
  try {
    await inProgress(title, async (signal) => {
      const where = scope === 'all' ? ({ kind: 'all' } as const) : ({ kind: 'owned', ownerUrn: await service.caller(signal) } as const);
      for (const token of lost) {
        // oxlint-disable-next-line no-await-in-loop -- a server in trouble is not asked for everything at once
        if ((await service.tokens.find(token.id, where, signal)) === undefined) {
          gone.push(token);
        }
      }
    });
  } catch {
    // Not told by itself: what could not be looked up is told as not known.
  }
  return gone;
}
