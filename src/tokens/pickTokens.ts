/** Picks the tokens that a command is for: the rows it was run on, or from a list. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { language } from '../language.ts';
import { connectionChanged } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { createPickList, failureItems, showInput, showPickItems, singleStep, type PickItem } from '../ui/inputSteps.ts';
import { showWarning } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import {
  distinguishingText,
  isTokenReference,
  shortTokenLabel,
  tokenLabel,
  tokenSpoken,
  type TokenReference,
} from './tokenAppearance.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenLists } from './tokenLists.ts';
import type { TokenMemory } from './tokenMemory.ts';
import { listsAllUsers } from './tokenQuery.ts';
import { emptyListText, loadMoreText } from './tokenTexts.ts';

interface PickedTokens {
  readonly connection: Connection;
  readonly tokens: readonly AccessToken[];
}

interface PickedToken {
  readonly connection: Connection;
  readonly token: AccessToken;
}

/** Limit per revocation, so the question can show a line for each token. */
export const MOST_REVOKED_AT_ONCE = 25;

interface TokenPickParts {
  readonly store: ConnectionStore;
  readonly tokenLists: TokenLists;
  readonly memory: TokenMemory;
}

interface TokenPickItem extends PickItem {
  readonly token?: AccessToken;
  readonly loadsMore?: true;
}

/**
 * @param clicked Argument of the command: the row it was run on.
 * @param selected All selected rows.
 * @param most Number of tokens that the command accepts; above one, the list has check boxes.
 * @param admit Called with the connection before a token is picked. Its error ends the command.
 * @returns undefined if the user cancelled, or selected too many and was warned.
 * @throws ServiceFailure if the tokens can't be listed.
 */
export async function pickTokens(
  parts: TokenPickParts,
  clicked: unknown,
  selected: unknown,
  title: string,
  most: number,
  admit: (connection: Connection) => Promise<unknown> = () => Promise.resolve(),
): Promise<PickedTokens | undefined> {
  const clickedOn = isTokenReference(clicked) ? parts.store.get(clicked.connectionId) : undefined;
  if (isTokenReference(clicked) && clickedOn !== undefined) {
    return selectedTokens(parts.tokenLists, clickedOn, clicked, selected, most, admit);
  }
  const connection = await pickConnection(parts.store, clicked, title);
  if (connection === undefined) {
    return undefined;
  }
  await admit(connection);
  const tokens = await pickFromList(parts, connection, title, most);
  return tokens && { connection, tokens };
}

/** For a command that takes one token. @throws as `pickTokens`. */
export async function pickToken(
  parts: TokenPickParts,
  clicked: unknown,
  title: string,
  admit?: (connection: Connection) => Promise<unknown>,
): Promise<PickedToken | undefined> {
  const picked = await pickTokens(parts, clicked, undefined, title, 1, admit);
  const token = picked?.tokens[0];
  return picked && token && { connection: picked.connection, token };
}

/** A selection may span connections; the clicked row decides. */
async function selectedTokens(
  tokenLists: TokenLists,
  connection: Connection,
  clicked: TokenReference,
  selected: unknown,
  most: number,
  admit: (connection: Connection) => Promise<unknown>,
): Promise<PickedTokens | undefined> {
  const chosen =
    most > 1 && Array.isArray(selected)
      ? selected.filter(isTokenReference).filter(({ connectionId }) => connectionId === connection.id)
      : [];
  const listed = tokenLists.get(connection.id);
  await admit(connection);
  // It reloads what another window changed, so the row may belong to the previous server.
  if (tokenLists.get(connection.id) !== listed) {
    throw connectionChanged();
  }
  const tokens = chosen.length > 0 ? withoutDuplicates(chosen.map(({ token }) => token)) : [clicked.token];
  if (tokens.length > most) {
    void showWarning(`${tooManyText(most)} ${l10n.t('Select fewer.')}`);
    return undefined;
  }
  return { connection, tokens };
}

/** @returns undefined if the user cancelled. @throws ServiceFailure if the tokens can't be listed. */
async function pickFromList(
  { tokenLists, memory }: TokenPickParts,
  { id: connectionId, name }: Connection,
  title: string,
  most: number,
): Promise<readonly AccessToken[] | undefined> {
  const list = tokenLists.get(connectionId);
  const many = most > 1;
  const pick = createPickList<TokenPickItem>(
    many
      ? l10n.t('Select access tokens on "{0}" ({1} at most)', name, most)
      : l10n.t('Select an access token on "{0}"', name),
  );
  pick.canSelectMany = many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const load = async (work: () => Promise<void>): Promise<void> => {
    pick.busy = true;
    await work();
    pick.busy = false;
    showTokenItems(pick, list, many, ({ id }) => memory.isSuperseded(connectionId, id));
  };
  const answer = await showInput<readonly AccessToken[]>(pick, singleStep(title), (done) => {
    void load(() => list.ensureTried());
    return [
      pick.onDidAccept(() => {
        const tokens = pick.selectedItems.flatMap(({ token }) => token ?? []);
        if (pick.selectedItems.some(({ loadsMore }) => loadsMore)) {
          void load(() => list.loadMoreTokens());
        } else if (tokens.length > most) {
          void showWarning(tooManyText(most));
        } else if (tokens.length > 0) {
          done({ kind: 'value', value: tokens });
        }
      }),
    ];
  });
  if (answer.kind === 'value') {
    return answer.value;
  }
  if (list.failure !== undefined) {
    throw list.failure;
  }
  return undefined;
}

function tooManyText(most: number): string {
  return l10n.t('At most {0} access tokens can be revoked at once.', most);
}

/** Other extensions may pass a row twice. */
function withoutDuplicates(tokens: readonly AccessToken[]): readonly AccessToken[] {
  return [...new Map(tokens.map((token) => [token.id, token])).values()];
}

function showTokenItems(
  pick: vscode.QuickPick<TokenPickItem>,
  list: TokenList,
  many: boolean,
  isSuperseded: (token: AccessToken) => boolean,
): void {
  // Every row of a multi-select list has a check box, so allow none while there are no tokens.
  pick.canSelectMany = many && list.tokens.length > 0;
  const items: TokenPickItem[] = list.tokens.map((token) => tokenPickItem(token, list, isSuperseded(token)));
  if (list.failure !== undefined) {
    items.unshift(...failureItems(list.failure));
  } else if (items.length === 0) {
    items.push({ label: emptyListText(list, language()), alwaysShow: true });
  }
  // A row with a check box can't load more; the list then has only the loaded tokens.
  if (list.hasMoreTokens && !many) {
    items.push({
      icon: 'ellipsis',
      label: loadMoreText(list.remainingRows, language()),
      alwaysShow: true,
      loadsMore: true,
    });
  }
  showPickItems(pick, items);
}

/** Pick lists have no columns or tooltips, so each row identifies its token. */
function tokenPickItem(token: AccessToken, list: TokenList, isSuperseded: boolean): TokenPickItem {
  const name = tokenLabel(token);
  const label = shortTokenLabel(token);
  const quiet = [
    tokenSpoken(token, { showUser: listsAllUsers(list.query), isSuperseded }),
    ...(token.createdAt === undefined ? [] : [distinguishingText(token)]),
  ];
  // Lets the user search for the shortened part of a long name.
  const detail = [...(label === name ? [] : [name]), inPlainText(token.description ?? '')];
  return {
    label,
    description: inOneLine(quiet),
    detail: inOneLine(detail),
    token,
  };
}
