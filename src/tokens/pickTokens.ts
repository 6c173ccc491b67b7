/** Picks the tokens that a command is for: the rows it was run on, or from a list. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { language } from '../language.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { inPlainText, withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import {
  createPickList,
  failureItems,
  type PickItem,
  setPlaceholder,
  showPickItems,
  showPickList,
  singleStep,
} from '../ui/inputSteps.ts';
import { showWarning } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { isTokenReference, tokenLabel, tokenSpoken } from './tokenAppearance.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { listsAllUsers, tokenQueryText } from './tokenFilters.ts';
import { emptyListText, tokenCountText } from './tokenTexts.ts';

/** Limit per revocation, so the question can show a line for each token. */
export const MOST_REVOKED_AT_ONCE = 25;

type TokenPickParts = Pick<TokenFlowParts, 'tokenLists' | 'memory'>;

interface TokenPickItem extends PickItem {
  readonly token?: AccessToken;
}

/**
 * Returns the tokens of the rows that a command was run on. A selection may span connections.
 * @param clicked Argument of the command: the row it was run on.
 * @param selected All selected rows, for a command that takes several.
 * @returns undefined if it wasn't run on a token of this connection.
 */
export function tokensOfRows(
  { id }: Connection,
  clicked: unknown,
  selected?: unknown,
): readonly AccessToken[] | undefined {
  const rows: readonly unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const tokens = rows.flatMap((row) => (isTokenReference(row) && row.connectionId === id ? [row.token] : []));
  // Other extensions may pass a row twice.
  const unique = [...new Map(tokens.map((token) => [token.id, token])).values()];
  return unique.length > 0 ? unique : undefined;
}

/** For a command that takes one token. @throws as `pickTokens` does. */
export async function pickToken(
  parts: TokenPickParts,
  connection: Connection,
  clicked: unknown,
  title: string,
): Promise<AccessToken | undefined> {
  const [token] = tokensOfRows(connection, clicked) ?? (await pickTokens(parts, connection, title, 1)) ?? [];
  return token;
}

/**
 * Lists the loaded tokens of a connection and lets the user select some.
 * @param most Number of tokens that the command accepts; above one, the list has check boxes.
 * @returns undefined if the user cancelled.
 * @throws ServiceFailure if the tokens can't be listed.
 */
export async function pickTokens(
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
  pick.busy = true;
  void list.ensureTried().then(() => {
    pick.busy = false;
    showTokenItems(pick, list, many, ({ id }) => memory.isSuperseded(connectionId, id));
  });
  const answer = await showPickList(pick, singleStep(title), (selected) => {
    const tokens = selected.flatMap(({ token }) => token ?? []);
    if (tokens.length > most) {
      void showWarning(tooManyText(most));
    }
    return tokens.length > 0 && tokens.length <= most ? tokens : undefined;
  });
  if (answer.kind === 'value') {
    return answer.value;
  }
  if (list.failure !== undefined) {
    throw list.failure;
  }
  return undefined;
}

export function tooManyText(most: number): string {
  return l10n.t('At most {0} access tokens can be revoked at once.', most);
}

function showTokenItems(
  pick: vscode.QuickPick<TokenPickItem>,
  list: TokenList,
  many: boolean,
  isSuperseded: (token: AccessToken) => boolean,
): void {
  // Every row of a multi-select list has a check box, so allow none while there are no tokens.
  pick.canSelectMany = many && list.tokens.length > 0;
  // A token that isn't listed may exist nevertheless.
  const listed = [
    tokenQueryText(list.query, language()),
    list.isPartial ? tokenCountText(list, list.tokens.length) : '',
  ];
  setPlaceholder(pick, inOneLine([pick.placeholder ?? '', ...listed]));
  const items: TokenPickItem[] = list.tokens.map((token) => tokenPickItem(token, list, isSuperseded(token)));
  if (list.failure !== undefined) {
    items.unshift(...failureItems(list.failure));
  } else if (items.length === 0) {
    items.push({ label: emptyListText(list), alwaysShow: true });
  }
  showPickItems(pick, items);
}

/** Pick lists have no columns or tooltips, so each row identifies its token. */
function tokenPickItem(token: AccessToken, list: TokenList, isSuperseded: boolean): TokenPickItem {
  const name = tokenLabel(token);
  const label = withBothEnds(name);
  const quiet = [
    tokenSpoken(token, { showUser: listsAllUsers(list.query), isSuperseded }),
    // Distinguishes tokens of the same name.
    ...(token.createdAt === undefined ? [] : [l10n.t('created {0}', formatsOf(language()).date(token.createdAt))]),
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
