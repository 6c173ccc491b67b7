/** Commands to create, copy, inspect, revoke, rotate, filter, sort and page tokens. */
import * as l10n from '@vscode/l10n';
import { admitChange } from '../connections/changeGate.ts';
import type { Connection } from '../connections/connection.ts';
import { mayRotate } from '../connections/credentialLife.ts';
import { handleForConnection, type ConnectionCommand } from '../connections/forConnection.ts';
import { language } from '../language.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { askPick, singleStep, type PickItem } from '../ui/inputSteps.ts';
import { showInformation, showWarning } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { copiedTokenText } from './tokenTexts.ts';
import { tokenExpiryText } from './expiry.ts';
import { askTokenQuery } from './filterTokens.ts';
import { inspectToken } from './inspectToken.ts';
import { askAndIssue } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import { MOST_REVOKED_AT_ONCE, pickToken, pickTokens, tokensOfRows, tooManyText } from './pickTokens.ts';
import { revokeTokens } from './revokeTokens.ts';
import { rotateCredential, rotateToken } from './rotateToken.ts';
import { isTokenReference, tokenLabel, tokenName } from './tokenAppearance.ts';
import { proposeDefaults, tokenNameStep, type TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import type { TokenListOrder } from './tokenOrder.ts';
import { OWN_TOKENS } from './tokenFilters.ts';
import { confirmCopy } from './tokenQuestions.ts';

const EMPTY: TokenDraft = { type: 'PERSONAL', name: '', actorUrn: '', duration: 'ONE_MONTH', description: '' };

export function registerTokenCommands(commands: CommandRegistry, parts: TokenFlowParts): void {
  const handle = handleForConnection(commands, parts.store);
  const mayCreate = (one: Connection): boolean =>
    isWritable(one) && !parts.services.get(one).tokens.cannotCreate('any');
  handle(COMMANDS.tokenCreate, l10n.t('Create Access Token'), creation(parts), mayCreate);
  handle(COMMANDS.tokenRotate, l10n.t('Rotate Access Token'), rotation(parts), mayCreate);
  handle(
    COMMANDS.tokenRevoke,
    l10n.t('Revoke Access Tokens'),
    (connection, title, clicked, selected) =>
      revoke(parts, connection, title, tokensOfRows(connection, clicked, selected)),
    isWritable,
  );
  handle(
    COMMANDS.connectionRotateToken,
    l10n.t("Rotate Connection's Access Token"),
    (connection, title) => rotateCredential(parts, connection, title),
    (connection) => mayRotate(parts.services, connection),
  );
  commands.handle(COMMANDS.tokenCopy, (clicked) => copyValue(parts, clicked));
  handle(COMMANDS.tokenCopyId, l10n.t('Copy Access Token ID'), async (connection, title, clicked) => {
    const token = await pickToken(parts, connection, clicked, title);
    if (token !== undefined) {
      await parts.clipboard.copy(token.id);
      parts.notices.done(l10n.t('ID of "{0}" copied from "{1}"', tokenName(token), connection.name));
    }
  });
  handle(COMMANDS.tokenFilter, l10n.t('Filter Access Tokens'), async (connection, title) => {
    const list = parts.tokenLists.get(connection.id);
    const query = await askTokenQuery(title, list.query, parts.services.get(connection));
    await (query && list.changeQuery(query));
  });
  handle(COMMANDS.tokenClearFilters, l10n.t('Clear Access Token Filters'), ({ id }) =>
    parts.tokenLists.get(id).changeQuery(OWN_TOKENS),
  );
  handle(COMMANDS.tokenLoadMore, l10n.t('Load More Access Tokens'), async ({ id }) => {
    const list = parts.tokenLists.get(id);
    await (list.isLoaded ? list.loadMoreTokens() : list.ensureTried());
  });
  commands.handle(COMMANDS.tokenSort, () => sortTokens(parts));
  commands.handle(COMMANDS.tokenInspect, (_clicked, _selected, concerns) => inspectToken(parts, concerns));
}

function isWritable({ role }: Connection): boolean {
  return role !== 'readOnly';
}

function rotation(parts: TokenFlowParts): ConnectionCommand {
  return async (connection, title, clicked) => {
    await admitChange(parts.store, connection);
    const old = await pickToken(parts, connection, clicked, title);
    if (old !== undefined) {
      await rotateToken(parts, connection, l10n.t('Rotate Access Token on {0}', connection.name), old);
    }
  };
}

/** Asks for a name, shows the rest with defaults, creates, and offers the value. */
function creation(parts: TokenFlowParts): ConnectionCommand {
  // Drafts of flows that were left or refused, for the next time.
  const unfinished = new Map<string, TokenDraft>();
  return async (connection) => {
    const { id, name } = connection;
    const draft = unfinished.get(id) ?? { ...EMPTY };
    unfinished.set(id, draft);
    const issued = await askAndIssue(parts, connection, {
      title: l10n.t('Create Access Token on {0}', name),
      placeholder: l10n.t('Press Enter to create the access token on "{0}"', name),
      accept: l10n.t('Create Access Token'),
      creates: 'any',
      draftFor: (facts) => {
        proposeDefaults(draft, facts);
        return draft;
      },
      stepsBefore: [tokenNameStep(draft)],
    });
    if (issued !== undefined) {
      await offerIssuedToken(parts, connection, issued);
      unfinished.delete(id);
    }
  };
}

/** @param rows Undefined if the command wasn't run on tokens. */
async function revoke(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  rows: ReturnType<typeof tokensOfRows>,
): Promise<void> {
  await admitChange(parts.store, connection);
  if (rows !== undefined && rows.length > MOST_REVOKED_AT_ONCE) {
    const problem = `${tooManyText(MOST_REVOKED_AT_ONCE)} ${l10n.t('Select fewer.')}`;
    void showWarning(l10n.t('{0}: {1}', connection.name, problem));
    return;
  }
  const tokens = rows ?? (await pickTokens(parts, connection, title, MOST_REVOKED_AT_ONCE));
  if (tokens !== undefined) {
    await revokeTokens(parts, connection, tokens);
  }
}

/** @param clicked The row of a token. Without one, the user picks among all whose values this window holds. */
async function copyValue({ store, held, clipboard, notices }: TokenFlowParts, clicked: unknown): Promise<void> {
  await store.load();
  const items = store.all().flatMap((connection) =>
    held.tokensOf(connection.id).map((token) => ({
      label: tokenLabel(token),
      description: inOneLine([connection.name, tokenExpiryText(token.expiresAt, Date.now(), language())]),
      connection,
      token,
    })),
  );
  const row = isTokenReference(clicked) ? clicked : undefined;
  const [first, ...others] = items.filter(
    ({ connection, token }) => row === undefined || (row.connectionId === connection.id && row.token.id === token.id),
  );
  if (first === undefined) {
    void showInformation(l10n.t("A token's value can only be copied in the window that created it."));
    return;
  }
  const question = { items: [first, ...others], active: first, placeholder: l10n.t('Select an access token') };
  const answer =
    row === undefined
      ? await askPick(singleStep(l10n.t('Copy Access Token')), question)
      : ({ kind: 'value', value: first } as const);
  if (answer.kind !== 'value') {
    return;
  }
  const { connection, token } = answer.value;
  // Always ask: any extension can run this command with a row from VS Code.
  if (!(await confirmCopy(token, connection))) {
    return;
  }
  // Look it up again: the token may have been revoked or have expired, or its connection removed, meanwhile.
  const secret = held.secretOf(connection.id, token.id);
  if (secret !== undefined) {
    const seconds = await clipboard.copySecret(secret);
    held.markCopied(connection.id, token.id);
    notices.done(copiedTokenText(connection.name, seconds));
  }
}

async function sortTokens({ tokenLists }: TokenFlowParts): Promise<void> {
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
}
