/** The time series indices of a connection in the tree, by entity type. */
import * as vscode from 'vscode';
import type { IndexLists } from '../indices/indexLists.ts';
import { groupByEntityType, totalBytes } from '../indices/indexList.ts';
import type { IndexList, ListedIndex } from '../indices/indexList.ts';
import { leftOutText } from '../indices/leftOut.ts';
import type { IndexRef } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { Tooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { FailureNode, MessageNode } from './failureNode.ts';
import { shown } from './shown.ts';
import type { ExplorerNode } from './node.ts';

export class IndicesNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #lists: IndexLists;
  #groups = new Map<string | undefined, EntityTypeNode>();

  constructor(parent: ExplorerNode, lists: IndexLists) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#lists = lists;
  }

  item(): vscode.TreeItem {
    const list = this.#list();
    const item = new vscode.TreeItem(vscode.l10n.t('Time series indices'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/indices`;
    item.iconPath = new vscode.ThemeIcon('database');
    item.contextValue = list.needsNames ? 'indices;added' : 'indices';
    const total = totalBytes(list.indices.map(({ sizeBytes }) => sizeBytes));
    item.description =
      total === undefined
        ? list.isLoading && !list.isLoaded
          ? vscode.l10n.t('loading…')
          : ''
        : totalText(total, list.leftOut);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const list = await shown(() => this.#list());
    const before = this.#groups;
    this.#groups = new Map(
      [...groupByEntityType(list.indices, this.#lists.order)].map(([entityType, indices]) => {
        const group = before.get(entityType) ?? new EntityTypeNode(this, entityType);
        group.show(indices);
        return [entityType, group];
      }),
    );
    const rows: ExplorerNode[] = [...this.#groups.values()];
    if (list.leftOut > 0) {
      rows.push(new MessageNode(this, leftOutText(list.leftOut)));
    }
    if (list.failure !== undefined) {
      return [new FailureNode(this, list.failure), ...rows];
    }
    if (list.needsNames && !list.indices.some(({ isAdded }) => isAdded)) {
      const add = { command: COMMANDS.indexAdd, title: vscode.l10n.t('Add Index…'), arguments: [handleOf(this)] };
      const hint = list.isUnsupported
        ? vscode.l10n.t("This server doesn't list its indices. Add them by name.")
        : vscode.l10n.t('This server only reports a total. Add indices by name.');
      return [...rows, new MessageNode(this, hint, add)];
    }
    return rows.length > 0
      ? rows
      : [new MessageNode(this, vscode.l10n.t('This server has no time series indices yet.'))];
  }

  refresh(): Promise<void> {
    return this.#list().refresh();
  }

  #list(): IndexList {
    return this.#lists.get(this.connectionId);
  }
}

function totalText(total: number, leftOut: number): string {
  const size = formatsOf(language()).size(total);
  return leftOut > 0 ? vscode.l10n.t('at least {0}', size) : size;
}

class EntityTypeNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #entityType: string | undefined;
  #indices: readonly ListedIndex[] = [];
  #rows = new Map<string, IndexNode>();

  constructor(parent: ExplorerNode, entityType: string | undefined) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#entityType = entityType;
  }

  show(indices: readonly ListedIndex[]): void {
    this.#indices = indices;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(
      this.#entityType ?? vscode.l10n.t('other indices'),
      vscode.TreeItemCollapsibleState.Expanded,
    );
    item.id = `${this.connectionId}/entityType/${this.#entityType ?? ''}`;
    item.iconPath = new vscode.ThemeIcon('layers');
    item.contextValue = 'entityType';
    const total = totalBytes(this.#indices.map(({ sizeBytes }) => sizeBytes));
    item.description = total === undefined ? '' : formatsOf(language()).size(total);
    return item;
  }

  children(): readonly ExplorerNode[] {
    const before = this.#rows;
    this.#rows = new Map(
      this.#indices.map((index) => {
        const row = before.get(index.indexName) ?? new IndexNode(this, index);
        row.index = index;
        return [index.indexName, row];
      }),
    );
    return [...this.#rows.values()];
  }
}

class IndexNode implements ExplorerNode, IndexRef {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  index: ListedIndex;

  constructor(parent: ExplorerNode, index: ListedIndex) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.index = index;
  }

  item(): vscode.TreeItem {
    const { aspect, indexName, sizeBytes, entityType, isAdded } = this.index;
    const isTruncatable = aspect !== undefined && entityType !== undefined;
    const item = new vscode.TreeItem(isTruncatable ? aspect : indexName);
    item.id = `${this.connectionId}/index/${indexName}`;
    item.description =
      sizeBytes === undefined ? (isAdded ? vscode.l10n.t('added by name') : '') : formatsOf(language()).size(sizeBytes);
    item.iconPath = new vscode.ThemeIcon('graph-line');
    item.contextValue = ['index', ...(isTruncatable ? ['truncatable'] : []), ...(isAdded ? ['added'] : [])].join(';');
    item.accessibilityInformation = {
      label: [entityType, aspect ?? indexName, item.description].filter((part) => part).join(', '),
    };
    return item;
  }

  tooltip(): Tooltip {
    const { aspect, indexName, entityType, sizeBytes, isTotal } = this.index;
    const isNamed = entityType !== undefined && aspect !== undefined;
    const tooltip = new Tooltip()
      .heading(isNamed ? `${entityType}/${aspect}` : indexName)
      .text(vscode.l10n.t('Index: {0}', indexName));
    if (sizeBytes !== undefined) {
      tooltip.text(
        vscode.l10n.t(
          'Size: {0} ({1} bytes)',
          formatsOf(language()).size(sizeBytes),
          formatsOf(language()).number(Math.round(sizeBytes)),
        ),
      );
    }
    if (isNamed) {
      return tooltip;
    }
    return tooltip.text(
      isTotal
        ? vscode.l10n.t('All time series rows of this server together. Add an index by name to truncate it.')
        : vscode.l10n.t(
            "Can't be truncated here: the server doesn't report its entity type and aspect. It may be left over from a reindex.",
          ),
    );
  }
}
