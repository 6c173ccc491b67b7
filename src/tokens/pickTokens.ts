/** Which access tokens a command is about: the clicked ones, or those that are picked. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { connectionChanged } from '../connections/currentRole.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { Connection } from '../connections/connection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { createPick, failureItems, offer, type PickItem } from '../ui/quickPick.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { alone, show } from '../ui/inputSteps.ts';
import { showWarning } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { loadMoreText } from './tokenTexts.ts';
import type { SupersededTokens } from './supersededTokens.ts';
import type { TokenLists } from './tokenLists.ts';
import type { TokenList } from './tokenList.ts';
import { distinction, isTokenRef, shortTokenLabel, tokenLabel, tokenSpoken } from './tokenAppearance.ts';

export interface PickedTokens {
  readonly connection: Connection;
  readonly tokens: readonly AccessToken[];
}

/** How many access tokens can be revoked at once: the question names each of them in a line, and has to be seen whole. */
export const MOST_REVOKED_AT_ONCE = 25;

interface TokenItem extends PickItem {
  readonly token?: AccessToken;
  readonly loadsMore?: true;
}

/**
 * @param most How many tokens the command takes; a list of several has check boxes.
 * @param admit Told which connection is meant, before a token is picked: what it throws ends the command.
 * @returns undefined when the person left, or selected more than the command takes and was told so.
 * @throws ServiceFailure when the tokens cannot be listed.
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
    // A selection may reach over several connections; what was clicked says which is meant.
    const chosen =
      most > 1 && Array.isArray(selected)
        ? selected.filter(isTokenRef).filter(({ connectionId }) => connectionId === clicked.connectionId)
        : [];
    const listed = parts.tokenLists.get(clickedOn.id);
    await admit(clickedOn);
    // It learns what another window changed, of which VS Code tells nothing: the row may be one of the server before.
    if (parts.tokenLists.get(clickedOn.id) !== listed) {
      throw connectionChanged();
    }
    const tokens = chosen.length > 0 ? withoutTwins(chosen.map(({ token }) => token)) : [clicked.token];
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
  const pick = createPick<TokenItem>(
    many ? l10n.t('Select access tokens ({0} at most)', most) : l10n.t('Select an access token'),
  );
  pick.canSelectMany = many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const load = async (work: () => Promise<void>): Promise<void> => {
    pick.busy = true;
    await work();
    pick.busy = false;
    render(pick, pages, many, ({ id }) => parts.superseded.since(connection.id, id) !== undefined);
  };
  const answer = await show<readonly AccessToken[]>(pick, alone(title), (done) => {
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

/** Another extension may name a row twice. */
function withoutTwins(tokens: readonly AccessToken[]): readonly AccessToken[] {
  return [...new Map(tokens.map((token) => [token.id, token])).values()];
}

function render(
  pick: vscode.QuickPick<TokenItem>,
  pages: TokenList,
  many: boolean,
  isSuperseded: (token: AccessToken) => boolean,
): void {
  // Each row of a list of several has a check box: where there is no token to check, none has.
  pick.canSelectMany = many && pages.tokens.length > 0;
  const items: TokenItem[] = pages.tokens.map((token) => itemOf(token, pages, isSuperseded(token)));
  if (pages.failure !== undefined) {
    items.unshift(...failureItems(pages.failure));
  } else if (items.length === 0) {
    items.push({ label: l10n.t('No access tokens'), alwaysShow: true });
  }
  // A row with a check box cannot load more: there, what is loaded in the tree is offered.
  if (pages.hasMore && !many) {
    items.push({
      icon: 'ellipsis',
      label: loadMoreText(pages.ahead, language()),
      alwaysShow: true,
      loadsMore: true,
    });
  }
  offer(pick, items);
}

/** A list has no columns and no tooltips: each row says by itself which token it is. */
function itemOf(token: AccessToken, pages: TokenList, isSuperseded: boolean): TokenItem {
  const name = tokenLabel(token);
  const label = shortTokenLabel(token);
  const quiet = [
    tokenSpoken(token, { showOwner: pages.query.scope === 'all', isSuperseded }),
    ...(token.createdAt === undefined ? [] : [distinction(token)]),
  ];
  // What was left out of a long name can still be searched for.
  const detail = [...(label === name ? [] : [name]), inPlainText(token.description ?? '')];
  return {
    label,
    description: inOneLine(quiet),
    detail: inOneLine(detail),
    token,
  };
}
