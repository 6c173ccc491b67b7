/** The access tokens of a connection in the tree. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { AccessToken } from '../service/tokens/tokens.ts';
import { queryText } from '../tokens/queryText.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import { tokenDescription, tokenIcon, tokenLabel, tokenSpoken, tokenTooltip } from '../tokens/tokenAppearance.ts';
import type { TokenRef } from '../tokens/tokenAppearance.ts';
import type { TokenList } from '../tokens/tokenList.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import type { Tooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { FailureNode, MessageNode } from './failureNode.ts';
import { shown } from './shown.ts';
import type { ExplorerNode } from './node.ts';

export interface TokenNodesParts {
  readonly tokenLists: TokenLists;
  /** Id of the token that the connection signs in with, if it was created here. */
  readonly credentialTokenId: (connectionId: string) => string | undefined;
}

export class TokensNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #parts: TokenNodesParts;
  #rows = new Map<string, TokenNode>();

  constructor(parent: ExplorerNode, parts: TokenNodesParts) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#parts = parts;
  }

  item(): vscode.TreeItem {
    const pages = this.#pages();
    const item = new vscode.TreeItem(vscode.l10n.t('Access tokens'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/tokens`;
    item.iconPath = new vscode.ThemeIcon('key');
    item.contextValue = 'tokens';
    item.description = [countText(pages), ...(isPlain(pages) ? [] : [queryText(pages.query)])]
      .filter((part) => part !== '')
      .join(' · ');
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const pages = await shown(() => this.#pages());
    const credentialId = this.#parts.credentialTokenId(this.connectionId);
    const showOwner = pages.query.scope === 'all';
    const before = this.#rows;
    this.#rows = new Map(
      pages.tokens.map((token) => {
        const row = before.get(token.id) ?? new TokenNode(this, token.id);
        row.show(token, { isCredential: token.id === credentialId, showOwner });
        return [token.id, row];
      }),
    );
    const rows: ExplorerNode[] = [...this.#rows.values()];
    if (pages.failure !== undefined) {
      return [new FailureNode(this, pages.failure), ...rows];
    }
    if (pages.hasMore) {
      rows.push(new LoadMoreNode(this));
    }
    return rows.length > 0
      ? rows
      : [
          new MessageNode(
            this,
            isPlain(pages) ? vscode.l10n.t('You have no access tokens') : vscode.l10n.t('No matching access tokens'),
          ),
        ];
  }

  refresh(): Promise<void> {
    return this.#pages().refresh();
  }

  #pages(): TokenList {
    return this.#parts.tokenLists.get(this.connectionId);
  }
}

class TokenNode implements ExplorerNode, TokenRef {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #id: string;
  token: AccessToken;
  #marks = { isCredential: false, showOwner: false };

  constructor(parent: ExplorerNode, id: string) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#id = id;
    this.token = { id, urn: '', actorUrn: '' };
  }

  show(token: AccessToken, marks: { readonly isCredential: boolean; readonly showOwner: boolean }): void {
    this.token = token;
    this.#marks = marks;
  }

  item(): vscode.TreeItem {
    const { isCredential, showOwner } = this.#marks;
    const label = tokenLabel(this.token);
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/token/${this.#id}`;
    item.description = tokenDescription(this.token, showOwner);
    item.iconPath = tokenIcon(this.token, isCredential);
    item.contextValue = 'token';
    const spoken = [label, tokenSpoken(this.token, showOwner)];
    item.accessibilityInformation = { label: spoken.filter((part) => part !== '').join(', ') };
    return item;
  }

  tooltip(): Tooltip {
    return tokenTooltip(this.token, this.#marks.isCredential);
  }
}

class LoadMoreNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;

  constructor(parent: ExplorerNode) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Load More…'));
    item.id = `${this.connectionId}/tokens/more`;
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'loadMore';
    item.command = { command: COMMANDS.tokenLoadMore, title: vscode.l10n.t('Load More'), arguments: [handleOf(this)] };
    return item;
  }
}

/** Own tokens, all of them: nothing to say about the filter. */
function isPlain(pages: TokenList): boolean {
  return pages.query.scope === 'own' && pages.query.filters.length === 0;
}

function countText(pages: TokenList): string {
  if (!pages.isLoaded) {
    return pages.isLoading ? vscode.l10n.t('loading…') : '';
  }
  const { number } = formatsOf(language());
  const count = pages.tokens.length;
  return pages.hasMore && pages.total > count
    ? vscode.l10n.t('{0} of {1}', number(count), number(pages.total))
    : number(count);
}
