/** Commands to create, copy, inspect, revoke, rotate, filter, sort and page tokens. */
import * as l10n from '@vscode/l10n';
import { admitChange } from '../connections/admitChange.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { COMMANDS } from '../manifest.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { CommandRegistry } from '../ui/commands.ts';
import { askPick, singleStep, type PickItem } from '../ui/inputSteps.ts';
import { showInformation, showWarning } from '../ui/messages.ts';
import { copiedTokenText } from './tokenTexts.ts';
import { createToken } from './createToken.ts';
import { askTokenQuery } from './filterTokens.ts';
import { inspectToken } from './inspectToken.ts';
import { MOST_REVOKED_AT_ONCE, pickToken, pickTokens, tokensOfRows, tooManyText } from './pickTokens.ts';
import { revokeTokens } from './revokeTokens.ts';
import { rotateCredential } from './rotateCredential.ts';
import { rotateToken } from './rotateToken.ts';
import { tokenLabel } from './tokenAppearance.ts';
import type { TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import type { TokenListOrder } from './tokenOrder.ts';
import { confirmCopy } from './tokenQuestions.ts';

const EMPTY: TokenDraft = { type: 'PERSONAL', name: '', actorUrn: '', duration: 'ONE_MONTH', description: '' };

export function registerTokenCommands(commands: CommandRegistry, parts: TokenFlowParts): void {
  registerCreation(commands, parts);
  registerCopying(commands, parts);
  registerRevocation(commands, parts);
  registerList(commands, parts);
  registerRotateCredential(commands, parts);
  commands.handle(COMMANDS.tokenInspect, () => inspectToken(parts));
}

function registerCreation(commands: CommandRegistry, parts: TokenFlowParts): void {
  const { store } = parts;
  // Drafts of flows that were left or refused, for the next time.
  const unfinished = new Map<string, TokenDraft>();

  commands.handle(COMMANDS.tokenCreate, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Create Access Token'), true);
    if (connection === undefined) {
      return;
    }
    const draft = unfinished.get(connection.id) ?? { ...EMPTY };
    unfinished.set(connection.id, draft);
    const title = l10n.t('Create Access Token on {0}', connection.name);
    if (await createToken(parts, connection, title, draft)) {
      unfinished.delete(connection.id);
    }
  });

  commands.handle(COMMANDS.tokenRotate, async (clicked) => {
    const choosing = l10n.t('Rotate Access Token');
    const connection = await pickConnection(store, clicked, choosing, true);
    if (connection === undefined) {
      return;
    }
    await admitChange(store, connection);
    const old = await pickToken(parts, connection, clicked, choosing);
    if (old === undefined) {
      return;
    }
    const key = `${connection.id} ${old.id}`;
    const title = l10n.t('Rotate Access Token on {0}', connection.name);
    if (await rotateToken(parts, connection, title, old, unfinished.get(key), (draft) => unfinished.set(key, draft))) {
      unfinished.delete(key);
    }
  });
}

function registerRevocation(commands: CommandRegistry, parts: TokenFlowParts): void {
  const { store } = parts;
  commands.handle(COMMANDS.tokenRevoke, async (clicked, selected) => {
    const title = l10n.t('Revoke Access Tokens');
    const connection = await pickConnection(store, clicked, title, true);
    if (connection === undefined) {
      return;
    }
    await admitChange(store, connection);
    const rows = tokensOfRows(connection, clicked, selected);
    if (rows !== undefined && rows.length > MOST_REVOKED_AT_ONCE) {
      void showWarning(`${tooManyText(MOST_REVOKED_AT_ONCE)} ${l10n.t('Select fewer.')}`);
      return;
    }
    const tokens = rows ?? (await pickTokens(parts, connection, title, MOST_REVOKED_AT_ONCE));
    if (tokens !== undefined) {
      await revokeTokens(parts, connection, tokens);
    }
  });
}

function registerCopying(commands: CommandRegistry, parts: TokenFlowParts): void {
  const { store, held, clipboard, notices } = parts;
  commands.handle(COMMANDS.tokenCopy, async (clicked) => {
    const title = l10n.t('Copy Access Token');
    const connection = await pickConnection(store, clicked, title);
    const token = connection && (await pickToken(parts, connection, clicked, title));
    if (connection === undefined || token === undefined) {
      return;
    }
    if (held.secretOf(connection.id, token.id) === undefined) {
      await clipboard.copy(token.id);
      void showInformation(
        l10n.t(
          'Copied the ID of "{0}". A token\'s value can only be copied in the window that created it.',
          tokenLabel(token),
        ),
      );
      return;
    }
    // Always ask: any extension can run this command with a row from VS Code.
    if (!(await confirmCopy(tokenLabel(token), connection))) {
      return;
    }
    // Look it up again: the token may have been revoked or have expired, or its connection removed, meanwhile.
    const secret = held.secretOf(connection.id, token.id);
    if (secret !== undefined) {
      const seconds = await clipboard.copySecret(secret);
      held.markCopied(connection.id, token.id);
      notices.done(copiedTokenText(seconds));
    }
  });

  commands.handle(COMMANDS.tokenCopyId, async (clicked) => {
    const title = l10n.t('Copy Access Token ID');
    const connection = await pickConnection(store, clicked, title);
    const token = connection && (await pickToken(parts, connection, clicked, title));
    if (token !== undefined) {
      await clipboard.copy(token.id);
      notices.done(l10n.t('ID of "{0}" copied', tokenLabel(token)));
    }
  });
}

function registerList(commands: CommandRegistry, { store, services, tokenLists }: TokenFlowParts): void {
  commands.handle(COMMANDS.tokenFilter, async (clicked) => {
    const title = l10n.t('Filter Access Tokens');
    const connection = await pickConnection(store, clicked, title);
    if (connection === undefined) {
      return;
    }
    const list = tokenLists.get(connection.id);
    const query = await askTokenQuery(title, list.query, services.get(connection));
    if (query !== undefined) {
      await list.changeQuery(query);
    }
  });

  commands.handle(COMMANDS.tokenClearFilters, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Clear Access Token Filters'));
    if (connection !== undefined) {
      const list = tokenLists.get(connection.id);
      await list.changeQuery({ ...list.query, filters: [] });
    }
  });

  commands.handle(COMMANDS.tokenSort, async () => {
    const items: (PickItem & { readonly order: TokenListOrder })[] = [
      { label: l10n.t('Expiring Soonest First'), order: 'expiry' },
      { label: l10n.t('By Name'), order: 'name' },
      { label: l10n.t('Newest First'), order: 'created' },
    ];
    const answer = await askPick(singleStep(l10n.t('Sort Access Tokens')), {
      items,
      active: items.find(({ order }) => order === tokenLists.order),
      placeholder: l10n.t('Select the order'),
    });
    if (answer.kind === 'value') {
      await tokenLists.changeOrder(answer.value.order);
    }
  });

  commands.handle(COMMANDS.tokenLoadMore, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Load More Access Tokens'));
    if (connection !== undefined) {
      const list = tokenLists.get(connection.id);
      await (list.isLoaded ? list.loadMoreTokens() : list.ensureTried());
    }
  });
}

function registerRotateCredential(commands: CommandRegistry, parts: TokenFlowParts): void {
  const { store, notices } = parts;
  // A second run for a connection would leave a token that nothing uses.
  const rotating = new Set<string>();
  commands.handle(COMMANDS.connectionRotateToken, async (clicked) => {
    const title = l10n.t("Rotate Connection's Access Token");
    const connection = await pickConnection(store, clicked, title, true);
    if (connection === undefined || rotating.has(connection.id)) {
      return;
    }
    rotating.add(connection.id);
    try {
      await rotateCredential(parts, connection, title);
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) {
        throw thrown;
      }
      // With the connection, so that it can be signed in from there.
      notices.failure(thrown, connection);
    } finally {
      rotating.delete(connection.id);
    }
  });
}
