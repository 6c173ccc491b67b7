/** Access tokens of a connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { COMMANDS, type CommandId } from '../manifest.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { arrangementText, emptyListText, limitText, loadMoreText, tokenCountText } from '../tokens/tokenTexts.ts';
import {
  filtersByExpiry,
  filtersExpired,
  isDefaultQuery,
  listsAllUsers,
  saidOfToken,
  SOON_DAYS,
  soonUntil,
  tokenQueryText,
  type TokenListQuery,
} from '../tokens/tokenFilters.ts';
import type { HeldTokens } from '../tokens/heldTokens.ts';
import type { TokenMemory } from '../tokens/tokenMemory.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import {
  tokenDescription,
  tokenThemeIcon,
  tokenLabel,
  type LocalTokenMarks,
  type TokenReference,
  tokenSpoken,
  tokenTooltip,
} from '../tokens/tokenAppearance.ts';
import type { TokenList } from '../tokens/tokenList.ts';
import { shortExpiry } from '../tokens/expiry.ts';
import { splitExpired } from '../tokens/tokenOrder.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { ListFailureNode, markFailure, ownFailure } from './failureNode.ts';
import { ChildNode, ListMessageNode, coloredIcon, type ExplorerNode } from './node.ts';
import { listAgeText, currentList } from '../connections/loadableList.ts';

/** Sources of a token row's marks: held value, superseded, rights. */
interface TokenRowParts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly held: HeldTokens;
  readonly memory: TokenMemory;
}

export interface TokenNodesParts extends TokenRowParts {
  readonly tokenLists: TokenLists;
}

export class TokenGroupNode extends ChildNode {
  readonly #parts: TokenNodesParts;
  /** When the tokens end, as the rows showed it last. Undefined before they were drawn. */
  #shownEnds: string | undefined;

  constructor(parent: ExplorerNode, parts: TokenNodesParts) {
    super(parent);
    this.#parts = parts;
  }

  /** True if a row says how long its token lasts, or that it works, as it no longer does. */
  get isOutdated(): boolean {
    return this.#shownEnds !== undefined && this.#ends !== this.#shownEnds;
  }

  item(): vscode.TreeItem {
    const list = this.#currentTokenList();
    const isFiltered = !isDefaultQuery(list.query);
    const item = new vscode.TreeItem(l10n.t('Access tokens'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/tokens`;
    item.iconPath = new vscode.ThemeIcon(isFiltered ? 'filter-filled' : 'key');
    item.contextValue = [
      'tokens',
      ...(isFiltered ? ['filtered'] : []),
      ...rightsMarks(this.#parts, this.connectionId),
    ].join(';');
    item.description = inOneLine([
      tokenQueryText(list.query, language(), list.readSoFar),
      tokenCountText(list, list.tokens.length),
      listAgeText(list),
      arrangementText(list.arrangement, this.#parts.tokenLists.order),
    ]);
    const expiring = expiringCountText(list, Date.now());
    if (expiring !== undefined) {
      // Screen readers don't read hovers.
      item.accessibilityInformation = { label: `${String(item.label)} ${item.description}, ${expiring}` };
    }
    markFailure(item, ownFailure(this, list));
    return item;
  }

  tooltip(): RowTooltip | undefined {
    const list = this.#currentTokenList();
    // Narrow side bars cut these off.
    const arranged = inOneLine([
      tokenQueryText(list.query, language(), list.readSoFar),
      arrangementText(list.arrangement, this.#parts.tokenLists.order),
    ]);
    const expiring = expiringCountText(list, Date.now());
    return arranged || expiring ? new RowTooltip().text(arranged).text(expiring) : undefined;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const list = await currentList(() => this.#currentTokenList());
    this.#shownEnds = this.#ends;
    const [working, expired] = splitExpired(list.tokens, Date.now());
    const rows: ExplorerNode[] = working.map((token) => new TokenNode(this, this.#parts, token, list.query));
    if (expired.length > 0) {
      rows.push(new ExpiredTokensNode(this, this.#parts, expired, list));
    }
    if (list.failure !== undefined) {
      const failure = ownFailure(this, list);
      return failure === undefined ? rows : [new ListFailureNode(this, failure), ...rows];
    }
    if (rows.length === 0) {
      rows.push(...this.#rowsWithoutTokens(list));
    }
    if (list.exceedsLimit) {
      rows.push(new ListMessageNode(this, limitText(language())));
    }
    if (list.hasMoreTokens) {
      rows.push(this.#rowOf(COMMANDS.tokenLoadMore, loadMoreText(list.remainingRows, language())));
    }
    return rows;
  }

  /** Also with tokens that were created here, whether or not the server lists any. */
  get hasRows(): boolean {
    const { isLoaded, tokens } = this.#currentTokenList();
    return isLoaded || tokens.length > 0;
  }

  get #ends(): string {
    const now = Date.now();
    return this.#currentTokenList()
      .tokens.map(({ expiresAt }) => shortExpiry(expiresAt, now, language()))
      .join();
  }

  #rowsWithoutTokens(list: TokenList): ExplorerNode[] {
    const message = new ListMessageNode(this, emptyListText(list));
    return isDefaultQuery(list.query)
      ? [message]
      : [message, this.#rowOf(COMMANDS.tokenClearFilters, l10n.t('Clear Filters'))];
  }

  #rowOf(command: CommandId, title: string): ListMessageNode {
    return new ListMessageNode(this, title, { command, title, arguments: [handleOf(this)] });
  }

  #currentTokenList(): TokenList {
    return this.#parts.tokenLists.get(this.connectionId);
  }
}

/** Tokens that no longer work, folded away at the end. */
class ExpiredTokensNode extends ChildNode {
  readonly #parts: TokenRowParts;
  readonly #tokens: readonly AccessToken[];
  readonly #list: TokenList;

  constructor(parent: ExplorerNode, parts: TokenRowParts, tokens: readonly AccessToken[], list: TokenList) {
    super(parent);
    this.#parts = parts;
    this.#tokens = tokens;
    this.#list = list;
  }

  item(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    // Not folded if they were asked for. VS Code keeps by its ID whether a row is folded.
    const isAskedFor = filtersExpired(this.#list.query);
    const item = new vscode.TreeItem(this.#label, isAskedFor ? Expanded : Collapsed);
    item.id = `${this.connectionId}/tokens/${isAskedFor ? 'onlyExpired' : 'expired'}`;
    item.iconPath = coloredIcon('circle-slash', 'disabledForeground');
    item.contextValue = 'expiredTokens';
    return item;
  }

  children(): readonly ExplorerNode[] {
    return this.#tokens.map((token) => new TokenNode(this, this.#parts, token, this.#list.query));
  }

  get #label(): string {
    if (this.#list.isPartial) {
      return l10n.t('Expired tokens');
    }
    return l10n.t('{0} expired', formatsOf(language()).number(this.#tokens.length));
  }
}

class TokenNode extends ChildNode implements TokenReference {
  readonly token: AccessToken;
  readonly #parts: TokenRowParts;
  readonly #query: TokenListQuery;

  /** @param query What is listed: facts that it states are left out of the row. */
  constructor(parent: ExplorerNode, parts: TokenRowParts, token: AccessToken, query: TokenListQuery) {
    super(parent);
    this.token = token;
    this.#parts = parts;
    this.#query = query;
  }

  item(): vscode.TreeItem {
    const { connectionId, token } = this;
    const marks = this.#marks;
    const label = tokenLabel(token);
    const item = new vscode.TreeItem(label);
    item.id = `${connectionId}/token/${token.id}`;
    item.description = tokenDescription(token, marks.isSuperseded, saidOfToken(this.#query, token, Date.now()));
    item.iconPath = tokenThemeIcon(token, marks);
    // Its value can still be copied in this window.
    const isHeld = this.#parts.held.secretOf(connectionId, token.id) !== undefined;
    item.contextValue = ['token', ...(isHeld ? ['held'] : []), ...rightsMarks(this.#parts, connectionId)].join(';');
    const spoken = [label, tokenSpoken(token, { ...marks, showUser: listsAllUsers(this.#query) })];
    item.accessibilityInformation = { label: spoken.filter((part) => part !== '').join(', ') };
    return item;
  }

  tooltip(): RowTooltip {
    return tokenTooltip(this.token, this.#marks);
  }

  get #marks(): LocalTokenMarks {
    const { connectionId, token } = this;
    const { store, memory } = this.#parts;
    return {
      isCredential: store.get(connectionId)?.signIn?.tokenId === token.id,
      isSuperseded: memory.isSuperseded(connectionId, token.id),
    };
  }
}

/** Words of a row's context value, by which menus leave out what can't work. */
function rightsMarks({ store, services }: TokenRowParts, connectionId: string): readonly string[] {
  const connection = store.get(connectionId);
  return connection === undefined
    ? []
    : [
        ...(connection.role === 'readOnly' ? ['readOnly'] : []),
        ...(services.get(connection).tokens.cannotCreate('own') ? ['cannotCreateOwn'] : []),
        ...(services.get(connection).tokens.cannotCreate('any') ? ['cannotCreate'] : []),
      ];
}

/** Only of a whole list, and not where a filter by expiry answers it. */
function expiringCountText(list: TokenList, now: number): string | undefined {
  if (!list.isLoaded || list.isPartial || filtersByExpiry(list.query)) {
    return undefined;
  }
  const end = soonUntil(now);
  const count = list.tokens.filter(
    ({ expiresAt }) => typeof expiresAt === 'number' && expiresAt > now && expiresAt < end,
  ).length;
  const { number } = formatsOf(language());
  return count === 0
    ? undefined
    : plural(
        count,
        l10n.t('{0} expires within {1} days', number(count), SOON_DAYS),
        l10n.t('{0} expire within {1} days', number(count), SOON_DAYS),
      );
}
