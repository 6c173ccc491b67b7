/** Finds the tokens for a command: the clicked ones, or a choice from a list. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { connectionChanged } from '../connections/currentRole.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { Connection } from '../connections/connection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { createPickList, failureItems, showPickItems, type PickItem, singleStep, showInput } from '../ui/inputSteps.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { showWarning } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { loadMoreText } from './tokenTexts.ts';
import type { SupersededTokens } from './supersededTokens.ts';
import type { TokenLists } from './tokenLists.ts';
import type { TokenList } from './tokenList.ts';
import { distinguishingText, isTokenRef, shortTokenLabel, tokenLabel, tokenSpoken } from './tokenAppearance.ts';

export interface PickedTokens {
  readonly connection: Connection;
  readonly tokens: readonly AccessToken[];
}

/** Limit per revocation, so the question can show a line for each token. */
export const MOST_REVOKED_AT_ONCE = 25;

interface TokenItem extends PickItem {
  readonly token?: AccessToken;
  readonly loadsMore?: true;
}

/**
 * @param most Number of tokens that the command accepts; above one, the list has check boxes.
 * @param admit Called with the connection before a token is picked. Its error ends the command.
 * @returns undefined if the user left, or selected too many and was warned.
 * @throws ServiceFailure if the tokens can't be listed.
 */
export async function pickTokens(
  parts: {
    readonly store: ConnectionStore;
    readonly tokenLists: TokenLists;
    readonly superseded: SupersededTokens;
  },
  clicked: unknown,
  selected: unknown,
  title: string,
  most: number,
  admit: (connection: Connection) => Promise<unknown> = () => Promise.resolve(),
): Promise<PickedTokens | undefined> {
  const clickedOn = isTokenRef(clicked) ? parts.store.get(clicked.connectionId) : undefined;
  if (isTokenRef(clicked) && clickedOn !== undefined) {
    // A selection may span connections; the clicked row decides.
    const chosen =
      most > 1 && Array.isArray(selected)
        ? selected.filter(isTokenRef).filter(({ connectionId }) => connectionId === clicked.connectionId)
        : [];
    const listed = parts.tokenLists.get(clickedOn.id);
    await admit(clickedOn);
    // It reloads what another window changed, so the row may belong to the previous server.
    if (parts.tokenLists.get(clickedOn.id) !== listed) {
      throw connectionChanged();
    }
    const tokens = chosen.length > 0 ? withoutDuplicates(chosen.map(({ token }) => token)) : [clicked.token];
    if (tokens.length > most) {
      void showWarning(`${tooManyText(most)} ${l10n.t('Select fewer.')}`);
      return undefined;
    }
    return { connection: clickedOn, tokens };
  }
  const connection = await pickConnection(parts.store, clicked, title);
  if (connection === undefined) {
    return undefined;
  }
  await admit(connection);
  const pages = parts.tokenLists.get(connection.id);
  const many = most > 1;
  const pick = createPickList<TokenItem>(
    many ? l10n.t('Select access tokens ({0} at most)', most) : l10n.t('Select an access token'),
  );
  pick.canSelectMany = many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const load = async (work: () => Promise<void>): Promise<void> => {
    pick.busy = true;
    await work();
    pick.busy = false;
    showTokens(pick, pages, many, ({ id }) => parts.superseded.supersededAt(connection.id, id) !== undefined);
  };
  const answer = await showInput<readonly AccessToken[]>(pick, singleStep(title), (done) => {
    void load(() => pages.ensureTried());
    return [
      pick.onDidAccept(() => {
        const tokens = pick.selectedItems.flatMap(({ token }) => token ?? []);
        if (pick.selectedItems.some(({ loadsMore }) => loadsMore)) {
          void load(() => pages.loadMore());
        } else if (tokens.length > most) {
          void showWarning(tooManyText(most));
        } else if (tokens.length > 0) {
          done({ kind: 'value', value: tokens });
        }
      }),
    ];
  });
  if (pages.failure !== undefined && answer.kind !== 'value') {
    throw pages.failure;
  }
  return answer.kind === 'value' ? { connection, tokens: answer.value } : undefined;
}

function tooManyText(most: number): string {
  return l10n.t('At most {0} access tokens can be revoked at once.', most);
}

/** Other extensions may pass a row twice. */
function withoutDuplicates(tokens: readonly AccessToken[]): readonly AccessToken[] {
  return [...new Map(tokens.map((token) => [token.id, token])).values()];
}

function showTokens(
  pick: vscode.QuickPick<TokenItem>,
  pages: TokenList,
  many: boolean,
  isSuperseded: (token: AccessToken) => boolean,
): void {
  // Every row of a multi-select list has a check box, so allow none while there are no tokens.
  pick.canSelectMany = many && pages.tokens.length > 0;
  const items: TokenItem[] = pages.tokens.map((token) => tokenItem(token, pages, isSuperseded(token)));
  if (pages.failure !== undefined) {
    items.unshift(...failureItems(pages.failure));
  } else if (items.length === 0) {
    items.push({ label: l10n.t('No access tokens'), alwaysShow: true });
  }
  // A row with a check box can't load more; the list then has only the loaded tokens.
  if (pages.hasMore && !many) {
    items.push({
      icon: 'ellipsis',
      label: loadMoreText(pages.ahead, language()),
      alwaysShow: true,
      loadsMore: true,
    });
  }
  showPickItems(pick, items);
}

/** Pick lists have no columns or tooltips, so each row identifies its token. */
function tokenItem(token: AccessToken, pages: TokenList, isSuperseded: boolean): TokenItem {
  const name = tokenLabel(token);
  const label = shortTokenLabel(token);
  const quiet = [
    tokenSpoken(token, { showOwner: pages.query.scope === 'all', isSuperseded }),
    ...(token.createdAt === undefined ? [] : [distinguishingText(token)]),
  ];
  // Lets the user search for the cut-off part of a long name.
  const detail = [...(label === name ? [] : [name]), inPlainText(token.description ?? '')];
  return {
    label,
    description: inOneLine(quiet),
    detail: inOneLine(detail),
    token,
  };
}
