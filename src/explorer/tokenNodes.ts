/** Access tokens of a connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { HeldTokens } from '../tokens/heldTokens.ts';
import { emptyListText, loadMoreText, neverGapText } from '../tokens/tokenTexts.ts';
import { filtersByExpiry, isNeverFilter, tokenQueryText } from '../tokens/tokenQuery.ts';
import type { TokenMemory } from '../tokens/tokenMemory.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import {
  tokenDescription,
  tokenThemeIcon,
  tokenLabel,
  type LocalTokenMarks,
  type TokenReference,
  tokenSpoken,
  tokenState,
  tokenTooltip,
} from '../tokens/tokenAppearance.ts';
import type { TokenList } from '../tokens/tokenList.ts';
import { language, plural } from '../language.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { keepStateVisible } from './narrowRow.ts';
import { ChildNode, ListFailureNode, ListMessageNode, type ExplorerNode } from './node.ts';
import { listAgeText, currentList } from '../connections/loadableList.ts';

export interface TokenNodesParts {
  readonly tokenLists: TokenLists;
  readonly held: HeldTokens;
  readonly memory: TokenMemory;
  /** ID of the credential's token, if created here. */
  readonly credentialTokenId: (connectionId: string) => string | undefined;
  /** True if the connection can't create or revoke tokens. */
  readonly isReadOnly: (connectionId: string) => boolean;
}

/** As one of the filters. */
const SOON_DAYS = 30;

export class TokenGroupNode extends ChildNode {
  readonly #parts: TokenNodesParts;
  #rows = new Map<string, TokenNode>();

  constructor(parent: ExplorerNode, parts: TokenNodesParts) {
    super(parent);
    this.#parts = parts;
  }

  item(): vscode.TreeItem {
    const pages = this.#currentTokenList();
    const { tokens } = pages;
    const item = new vscode.TreeItem(l10n.t('Access tokens'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/tokens`;
    item.iconPath = new vscode.ThemeIcon('key');
    item.contextValue = [
      'tokens',
      ...(hasTokenFilters(pages) ? ['filtered'] : []),
      ...(this.#parts.isReadOnly(this.connectionId) ? ['readOnly'] : []),
    ].join(';');
    item.description = inOneLine([
      tokenCountText(pages, tokens.length),
      listAgeText(pages),
      expiringCountText(pages, tokens, Date.now()),
      isUnfilteredOwnList(pages) ? undefined : tokenQueryText(pages.query, language(), pages.readSoFar),
    ]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const pages = await currentList(() => this.#currentTokenList());
    const credentialId = this.#parts.credentialTokenId(this.connectionId);
    const showOwner = pages.query.scope === 'all';
    const before = this.#rows;
    this.#rows = new Map(
      pages.tokens.map((token) => {
        const row = before.get(token.id) ?? new TokenNode(this, token.id);
        row.updateToken(token, {
          isCredential: token.id === credentialId,
          isHeld: this.#parts.held.secretOf(this.connectionId, token.id) !== undefined,
          wasCopied: this.#parts.held.wasCopied(this.connectionId, token.id),
          isSuperseded: this.#parts.memory.isSuperseded(this.connectionId, token.id),
          showOwner,
          isReadOnly: this.#parts.isReadOnly(this.connectionId),
        });
        return [token.id, row];
      }),
    );
    const rows: ExplorerNode[] = [...this.#rows.values()];
    if (pages.failure !== undefined) {
      return [new ListFailureNode(this, pages.failure), ...rows];
    }
    const gap = neverGapText(pages.neverGap, language());
    if (gap !== undefined) {
      rows.push(new ListMessageNode(this, gap));
    }
    if (pages.hasMoreTokens) {
      if (rows.length === 0 && pages.readSoFar !== undefined) {
        rows.push(new ListMessageNode(this, emptyListText(pages, language())));
      }
      rows.push(new LoadMoreTokensNode(this, loadMoreText(pages.remainingRows, language())));
    }
    return rows.length > 0 ? rows : this.#rowsWithoutTokens(pages);
  }

  refresh(): Promise<void> {
    return this.#currentTokenList().refresh();
  }

  #rowsWithoutTokens(pages: TokenList): ExplorerNode[] {
    const message = new ListMessageNode(this, emptyListText(pages, language()));
    return hasTokenFilters(pages) ? [message, new ClearFiltersNode(this)] : [message];
  }

  #currentTokenList(): TokenList {
    return this.#parts.tokenLists.get(this.connectionId);
  }
}

interface ShownTokenMarks extends LocalTokenMarks {
  readonly showOwner: boolean;
  readonly isReadOnly: boolean;
}

class TokenNode extends ChildNode implements TokenReference {
  readonly #id: string;
  token: AccessToken;
  #marks: ShownTokenMarks = {
    isCredential: false,
    isHeld: false,
    wasCopied: false,
    isSuperseded: false,
    showOwner: false,
    isReadOnly: false,
  };

  constructor(parent: ExplorerNode, id: string) {
    super(parent);
    this.#id = id;
    this.token = { id, urn: '', actorUrn: '' };
  }

  updateToken(token: AccessToken, marks: ShownTokenMarks): void {
    this.token = token;
    this.#marks = marks;
  }

  item(): vscode.TreeItem {
    const { isCredential, isHeld, wasCopied, isSuperseded, showOwner, isReadOnly } = this.#marks;
    const label = tokenLabel(this.token);
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/token/${this.#id}`;
    const labelOptions = { showOwner, isSuperseded };
    item.description = tokenDescription(this.token, labelOptions);
    item.iconPath = tokenThemeIcon(this.token, isCredential);
    // Both can be copied, but only a value that would be lost has an icon for it.
    const held = isHeld ? [wasCopied ? 'copied' : 'held'] : [];
    item.contextValue = ['token', ...held, ...(isReadOnly ? ['readOnly'] : [])].join(';');
    const spoken = [label, tokenSpoken(this.token, labelOptions)];
    item.accessibilityInformation = { label: spoken.filter((part) => part !== '').join(', ') };
    keepStateVisible(item, tokenState(this.token, labelOptions));
    return item;
  }

  tooltip(): RowTooltip {
    return tokenTooltip(this.token, this.#marks);
  }
}

class LoadMoreTokensNode extends ChildNode {
  readonly #label: string;

  constructor(parent: ExplorerNode, label: string) {
    super(parent);
    this.#label = label;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#label);
    item.id = `${this.connectionId}/tokens/more`;
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'loadMore';
    item.command = { command: COMMANDS.tokenLoadMore, title: l10n.t('Load More'), arguments: [handleOf(this)] };
    return item;
  }
}

class ClearFiltersNode extends ChildNode {
  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(l10n.t('Clear Filters'));
    item.id = `${this.connectionId}/tokens/clearFilters`;
    item.iconPath = new vscode.ThemeIcon('clear-all');
    item.contextValue = 'clearFilters';
    const title = l10n.t('Clear Filters');
    item.command = { command: COMMANDS.tokenClearFilters, title, arguments: [handleOf(this)] };
    return item;
  }
}

function hasTokenFilters({ query }: TokenList): boolean {
  return query.filters.length > 0;
}

/** True for all of the user's own tokens, so there is no filter to describe. */
function isUnfilteredOwnList(pages: TokenList): boolean {
  return pages.query.scope === 'own' && pages.query.order === undefined && !hasTokenFilters(pages);
}

/** Only where all of them are loaded, and not where a filter by expiry answers it. */
function expiringCountText(pages: TokenList, tokens: readonly AccessToken[], now: number): string | undefined {
  const days = SOON_DAYS;
  const end = now + days * MILLIS_PER_DAY;
  if (pages.loadedUntil < end || filtersByExpiry(pages.query)) {
    return undefined;
  }
  const count = tokens.filter(
    ({ expiresAt }) => typeof expiresAt === 'number' && expiresAt > now && expiresAt < end,
  ).length;
  const { number } = formatsOf(language());
  return count === 0
    ? undefined
    : plural(
        count,
        l10n.t('{0} expires within {1} days', number(count), days),
        l10n.t('{0} expire within {1} days', number(count), days),
      );
}

function tokenCountText(pages: TokenList, count: number): string {
  if (!pages.isLoaded) {
    return pages.isLoading ? l10n.t('loading…') : '';
  }
  const { number } = formatsOf(language());
  const { total } = pages;
  return pages.hasMoreTokens && total > count && !pages.query.filters.some(isNeverFilter)
    ? l10n.t('{0} of {1}', number(count), number(total))
    : number(count);
}
