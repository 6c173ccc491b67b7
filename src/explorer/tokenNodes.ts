/** Access tokens of a connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { COMMANDS, type CommandId } from '../manifest.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { arrangementText, emptyListText, limitText, loadMoreText } from '../tokens/tokenTexts.ts';
import {
  filtersByExpiry,
  filtersExpired,
  listsAllUsers,
  saidOfToken,
  SOON_DAYS,
  soonUntil,
  tokenQueryText,
} from '../tokens/tokenQuery.ts';
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
import { splitExpired } from '../tokens/tokenOrder.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { ChildNode, ListFailureNode, ListMessageNode, sayHover, type ExplorerNode } from './node.ts';
import { listAgeText, currentList } from '../connections/loadableList.ts';

export interface TokenNodesParts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly tokenLists: TokenLists;
  readonly held: HeldTokens;
  readonly memory: TokenMemory;
}

export class TokenGroupNode extends ChildNode {
  readonly #parts: TokenNodesParts;

  constructor(parent: ExplorerNode, parts: TokenNodesParts) {
    super(parent);
    this.#parts = parts;
  }

  item(): vscode.TreeItem {
    const list = this.#currentTokenList();
    const isFiltered = hasTokenFilters(list);
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
    sayHover(item, expiringCountText(list, Date.now()));
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
    const [working, expired] = splitExpired(list.tokens, Date.now());
    // Nothing to fold away if there is nothing else, or if these were asked for.
    const isFolded = working.length > 0 && expired.length > 0 && !filtersExpired(list.query);
    const rows: ExplorerNode[] = [...tokenRows(this, this.#parts, isFolded ? working : list.tokens, list)];
    if (isFolded) {
      rows.push(new ExpiredTokensNode(this, this.#parts, expired, list));
    }
    if (list.failure !== undefined) {
      return this.parent.failure === undefined ? [new ListFailureNode(this, list.failure), ...rows] : rows;
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

  #rowsWithoutTokens(list: TokenList): ExplorerNode[] {
    const message = new ListMessageNode(this, emptyListText(list, language()));
    return hasTokenFilters(list)
      ? [message, this.#rowOf(COMMANDS.tokenClearFilters, l10n.t('Clear Filters'))]
      : [message];
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
  readonly #parts: TokenNodesParts;
  readonly #tokens: readonly AccessToken[];
  readonly #list: TokenList;

  constructor(parent: ExplorerNode, parts: TokenNodesParts, tokens: readonly AccessToken[], list: TokenList) {
    super(parent);
    this.#parts = parts;
    this.#tokens = tokens;
    this.#list = list;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#label, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/tokens/expired`;
    item.iconPath = new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    item.contextValue = 'expiredTokens';
    return item;
  }

  children(): readonly ExplorerNode[] {
    return tokenRows(this, this.#parts, this.#tokens, this.#list);
  }

  get #label(): string {
    if (this.#list.isPartial) {
      return l10n.t('Expired tokens');
    }
    return l10n.t('{0} expired', formatsOf(language()).number(this.#tokens.length));
  }
}

function tokenRows(
  parent: ExplorerNode,
  parts: TokenNodesParts,
  tokens: readonly AccessToken[],
  { query }: TokenList,
): readonly TokenNode[] {
  const { store, held, memory } = parts;
  const { connectionId } = parent;
  const now = Date.now();
  const credentialId = store.get(connectionId)?.signIn?.tokenId;
  const rights = rightsMarks(parts, connectionId);
  return tokens.map(
    (token) =>
      new TokenNode(parent, token, {
        isCredential: token.id === credentialId,
        isHeld: held.secretOf(connectionId, token.id) !== undefined,
        isSuperseded: memory.isSuperseded(connectionId, token.id),
        showUser: listsAllUsers(query),
        said: saidOfToken(query, token, now),
        rights,
      }),
  );
}

interface ShownTokenMarks extends LocalTokenMarks {
  /** Its value can still be copied in this window. */
  readonly isHeld: boolean;
  /** The list has tokens of other users. */
  readonly showUser: boolean;
  /** Facts that the filter states, left out of the row. */
  readonly said: ReturnType<typeof saidOfToken>;
  readonly rights: readonly string[];
}

class TokenNode extends ChildNode implements TokenReference {
  readonly token: AccessToken;
  readonly #marks: ShownTokenMarks;

  constructor(parent: ExplorerNode, token: AccessToken, marks: ShownTokenMarks) {
    super(parent);
    this.token = token;
    this.#marks = marks;
  }

  item(): vscode.TreeItem {
    const { isHeld, rights } = this.#marks;
    const label = tokenLabel(this.token);
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/token/${this.token.id}`;
    item.description = tokenDescription(this.token, this.#marks.isSuperseded, this.#marks.said);
    item.iconPath = tokenThemeIcon(this.token, this.#marks);
    item.contextValue = ['token', ...(isHeld ? ['held'] : []), ...rights].join(';');
    const spoken = [label, tokenSpoken(this.token, this.#marks)];
    item.accessibilityInformation = { label: spoken.filter((part) => part !== '').join(', ') };
    return item;
  }

  tooltip(): RowTooltip {
    return tokenTooltip(this.token, this.#marks);
  }
}

/** Words of a row's context value, by which menus leave out what can't work. */
function rightsMarks({ store, services }: TokenNodesParts, connectionId: string): readonly string[] {
  const connection = store.get(connectionId);
  return connection === undefined
    ? []
    : [
        ...(connection.role === 'readOnly' ? ['readOnly'] : []),
        ...(services.get(connection).tokens.cannotCreate ? ['cannotCreate'] : []),
      ];
}

function hasTokenFilters({ query }: TokenList): boolean {
  return query.filters.length > 0;
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

function tokenCountText(list: TokenList, count: number): string {
  if (!list.isLoaded) {
    return list.isLoading ? l10n.t('loading…') : '';
  }
  const { number } = formatsOf(language());
  const { total, readSoFar } = list;
  return total > count && readSoFar === undefined ? l10n.t('{0} of {1}', number(count), number(total)) : number(count);
}
