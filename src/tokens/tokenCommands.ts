/** Create, copy, revoke, rotate and page through access tokens. */
import * as vscode from 'vscode';
import { pickConnection } from '../connections/pickConnection.ts';
import type { Connection } from '../connections/connection.ts';
import { COMMANDS } from '../manifest.ts';
import { asFailure } from '../service/failure.ts';
import type { ServiceFailure } from '../service/failure.ts';
import type { AccessToken } from '../service/tokens.ts';
import { shortActor } from '../service/urn.ts';
import type { Commands } from '../ui/commands.ts';
import { confirmRevoke } from '../ui/confirm.ts';
import { copiedText } from './copiedText.ts';
import type { CreateParts, TokenDraft } from './createToken.ts';
import { closestDuration } from './expiry.ts';
import { pickTokens } from './pickTokens.ts';
import { tokenLabel } from './tokenNode.ts';

const EMPTY: TokenDraft = { type: 'PERSONAL', name: '', actor: '', duration: 'ONE_MONTH', description: '' };

interface FailedRevocation {
  readonly token: AccessToken;
  readonly failure: ServiceFailure;
}

export function registerTokenCommands(commands: Commands, parts: CreateParts): void {
  const { store, services, books, created, clipboard, notices } = parts;
  // What was typed before a flow was left, or refused by the server, is there when it is opened again.
  const unfinished = new Map<string, TokenDraft>();

  commands.register(COMMANDS.tokenCreate, async (clicked) => {
    const connection = await pickConnection(store, clicked, vscode.l10n.t('Create Access Token'));
    if (connection === undefined) {
      return;
    }
    const draft = unfinished.get(connection.id) ?? { ...EMPTY };
    unfinished.set(connection.id, draft);
    const { createToken } = await import('../onDemand.ts');
    if ((await createToken(parts, connection, vscode.l10n.t('Create Access Token'), draft)) !== undefined) {
      unfinished.delete(connection.id);
    }
  });

  commands.register(COMMANDS.tokenCopy, async (clicked) => {
    const picked = await pickTokens(parts, clicked, undefined, vscode.l10n.t('Copy Access Token'), false);
    const token = picked?.tokens[0];
    if (picked === undefined || token === undefined) {
      return;
    }
    const secret = created.held(picked.connection.id, token.id);
    if (secret === undefined) {
      await clipboard.copy(token.id);
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Copied the ID of "{0}". The token itself was given out once, when it was created, and cannot be had again.', tokenLabel(token)),
      );
      return;
    }
    const seconds = await clipboard.copySecret(secret);
    created.release(picked.connection.id, token.id);
    notices.done(copiedText(seconds));
  });

  commands.register(COMMANDS.tokenCopyId, async (clicked) => {
    const picked = await pickTokens(parts, clicked, undefined, vscode.l10n.t('Copy Access Token ID'), false);
    const token = picked?.tokens[0];
    if (token !== undefined) {
      await clipboard.copy(token.id);
      notices.done(vscode.l10n.t('ID of "{0}" copied', tokenLabel(token)));
    }
  });

  commands.register(COMMANDS.tokenRevoke, async (clicked, selected) => {
    const picked = await pickTokens(parts, clicked, selected, vscode.l10n.t('Revoke Access Tokens'), true);
    if (picked === undefined || !(await confirmed(picked.connection, picked.tokens))) {
      return;
    }
    await revokeAll(picked.connection, picked.tokens);
  });

  commands.register(COMMANDS.tokenRotate, async (clicked) => {
    const picked = await pickTokens(parts, clicked, undefined, vscode.l10n.t('Rotate Access Token'), false);
    const old = picked?.tokens[0];
    if (picked === undefined || old === undefined) {
      return;
    }
    const draft: TokenDraft = {
      type: 'PERSONAL',
      name: old.name ?? '',
      actor: shortActor(old.actorUrn),
      duration: closestDuration(old.createdAt, old.expiresAt),
      description: old.description ?? '',
    };
    const { createToken } = await import('../onDemand.ts');
    const replacement = await createToken(parts, picked.connection, vscode.l10n.t('Rotate Access Token'), draft);
    // Only once the new one is there, and only after a yes: until then whoever uses the old one is not cut off.
    if (replacement !== undefined && (await confirmed(picked.connection, [old]))) {
      await revokeAll(picked.connection, [old]);
    }
  });

  commands.register(COMMANDS.tokenFilter, async (clicked) => {
    const title = vscode.l10n.t('Filter Access Tokens');
    const connection = await pickConnection(store, clicked, title);
    if (connection === undefined) {
      return;
    }
    const { askQuery } = await import('../onDemand.ts');
    const pages = books.of(connection.id);
    const schema = await services.of(connection).schema();
    const query = await askQuery(title, pages.query, schema.filterHasCondition);
    if (query !== undefined) {
      await pages.show(query);
    }
  });

  commands.register(COMMANDS.tokenLoadMore, async (clicked) => {
    const connection = await pickConnection(store, clicked, vscode.l10n.t('Load More Access Tokens'));
    if (connection !== undefined) {
      const pages = books.of(connection.id);
      await (pages.isLoaded ? pages.loadMore() : pages.ensureLoaded());
    }
  });

  async function revokeAll(connection: Connection, tokens: readonly AccessToken[]): Promise<void> {
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
      connection,
      revoked.length,
      failed.filter((one) => !gone.includes(one)),
    );
  }

  function tell(connection: Connection, revoked: number, failed: readonly FailedRevocation[]): void {
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
}

function confirmed(connection: Connection, tokens: readonly AccessToken[]): Promise<boolean> {
  const isCredential = tokens.some(({ id }) => id === connection.credentialTokenId);
  return confirmRevoke(tokens.map(tokenLabel), connection.name, isCredential);
}
