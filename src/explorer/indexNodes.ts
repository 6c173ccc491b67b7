/** Time series indices in the tree, by entity type. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IndexLists } from '../indices/indexLists.ts';
import {
  foreignIndexText,
  listHint,
  totalOnlyText,
  groupByEntityType,
  indicesById,
  isForeignIndex,
  shortForeignIndexText,
  type IndexList,
  type ListedIndex,
  totalKnownBytes,
} from '../indices/indexList.ts';
import { type IndexName, indexNameOf, indexNameText } from '../indices/indexName.ts';
import type { IndexReference } from '../indices/pickIndex.ts';
import { aspectPurpose, registryEntityType, shownIndexName } from '../indices/timeseriesAspects.ts';
import type { RowClick } from '../connections/pickConnection.ts';
import { language } from '../language.ts';
import { COMMANDS } from '../manifest.ts';
import { formatsOf } from '../ui/formats.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { ListFailureNode, markFailure, ownFailure } from './failureNode.ts';
import { ChildNode, ListMessageNode, type ExplorerNode } from './node.ts';
import { listAgeText, currentList } from '../connections/loadableList.ts';

export class IndexGroupNode extends ChildNode {
  readonly #lists: IndexLists;

  constructor(parent: ExplorerNode, lists: IndexLists) {
    super(parent);
    this.#lists = lists;
  }

  item(): vscode.TreeItem {
    const list = this.#currentIndexList();
    const item = new vscode.TreeItem(l10n.t('Time series indices'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/indices`;
    item.iconPath = new vscode.ThemeIcon('database');
    item.contextValue = list.needsIndexNames ? 'indices;added' : 'indices';
    const total = totalKnownBytes(list.indices.map(({ sizeBytes }) => sizeBytes));
    item.description =
      total === undefined
        ? list.isLoading && !list.isLoaded
          ? l10n.t('loading…')
          : ''
        : inOneLine([sizeText(total), listAgeText(list)]);
    markFailure(item, ownFailure(this, list));
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const list = await currentList(() => this.#currentIndexList());
    const rows = this.#indexRows(list);
    if (list.failure !== undefined) {
      const failure = ownFailure(this, list);
      return failure === undefined ? rows : [new ListFailureNode(this, failure), ...rows];
    }
    const lacksNames = list.needsIndexNames && !list.indices.some(({ isAdded }) => isAdded);
    const add = { command: COMMANDS.indexAdd, title: l10n.t('Add Index…'), arguments: [handleOf(this)] };
    return lacksNames || rows.length === 0
      ? [...rows, new ListMessageNode(this, listHint(list) ?? '', lacksNames ? add : undefined)]
      : rows;
  }

  /** Also with indices that were added by name, whether or not the server lists any. */
  get hasRows(): boolean {
    const { isLoaded, isUnsupported, indices } = this.#currentIndexList();
    return (isLoaded && !isUnsupported) || indices.length > 0;
  }

  /** A row for each entity type with several indices, and for each other index. */
  #indexRows(list: IndexList): ExplorerNode[] {
    const listed = [...indicesById(list.indices).values()];
    return [...groupByEntityType(listed, this.#lists.order)].flatMap(([entityType, indices]): ExplorerNode[] =>
      indices.length === 1
        ? indices.map((index) => new IndexNode(this, index, indexNameText))
        : [new EntityTypeNode(this, entityType, indices)],
    );
  }

  #currentIndexList(): IndexList {
    return this.#lists.get(this.connectionId);
  }
}

class EntityTypeNode extends ChildNode {
  readonly #entityType: string | undefined;
  readonly #indices: readonly ListedIndex[];

  constructor(parent: ExplorerNode, entityType: string | undefined, indices: readonly ListedIndex[]) {
    super(parent);
    this.#entityType = entityType;
    this.#indices = indices;
  }

  item(): vscode.TreeItem {
    const entityType = this.#indices[0]?.entityType;
    const label = entityType === undefined ? l10n.t('other indices') : registryEntityType(entityType);
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${this.connectionId}/entityType/${this.#entityType ?? ''}`;
    item.contextValue = 'entityType';
    item.description = sizeText(totalKnownBytes(this.#indices.map(({ sizeBytes }) => sizeBytes)));
    return item;
  }

  children(): readonly ExplorerNode[] {
    return this.#indices.map((index) => new IndexNode(this, index, ({ aspect }) => aspect));
  }
}

/** An index has no icon: narrow side bars need the space for its size. */
class IndexNode extends ChildNode implements IndexReference {
  readonly index: ListedIndex;
  readonly #labelOf: (name: IndexName) => string;

  constructor(parent: ExplorerNode, index: ListedIndex, labelOf: (name: IndexName) => string) {
    super(parent);
    this.index = index;
    this.#labelOf = labelOf;
  }

  item(): vscode.TreeItem {
    const { isAdded, indexName, entityType } = this.index;
    const name = shownIndexName(this.index);
    const item = new vscode.TreeItem(name === undefined ? indexName : this.#labelOf(name));
    item.id = `${this.connectionId}/index/${indexName}`;
    item.description = this.#size;
    const spoken = [name?.entityType ?? entityType, name?.aspect ?? indexName, inOneLine([this.#size, this.#note])];
    item.accessibilityInformation = { label: spoken.filter((part) => part).join(', ') };
    if (name !== undefined) {
      const click: IndexReference & RowClick = { connectionId: this.connectionId, index: this.index, isClick: true };
      item.command = { command: COMMANDS.indexTruncate, title: l10n.t('Truncate Index'), arguments: [handleOf(click)] };
    }
    const isTruncatable = name !== undefined;
    item.contextValue = ['index', ...(isTruncatable ? ['truncatable'] : []), ...(isAdded ? ['added'] : [])].join(';');
    return item;
  }

  tooltip(): RowTooltip {
    const { indexName, sizeBytes, isTotal, isAdded } = this.index;
    const name = shownIndexName(this.index);
    const tooltip = new RowTooltip().heading(name === undefined ? indexName : indexNameText(name));
    if (name !== undefined) {
      tooltip.text(l10n.t('Index: {0}', indexName));
    }
    if (sizeBytes !== undefined) {
      const { size, number } = formatsOf(language());
      tooltip.text(l10n.t('Size: {0} ({1} bytes)', size(sizeBytes), number(Math.round(sizeBytes))));
    }
    tooltip.text(isAdded ? this.#note : undefined);
    const target = indexNameOf(this.index);
    if (target !== undefined) {
      return tooltip.text(aspectPurpose(target));
    }
    return tooltip.text(isTotal ? totalOnlyText() : foreignIndexText());
  }

  get #size(): string {
    return sizeText(this.index.sizeBytes);
  }

  get #note(): string {
    return this.index.isAdded ? l10n.t('added by name') : isForeignIndex(this.index) ? shortForeignIndexText() : '';
  }
}

/** Empty if unknown. */
function sizeText(bytes: number | undefined): string {
  return bytes === undefined ? '' : formatsOf(language()).size(bytes);
}
