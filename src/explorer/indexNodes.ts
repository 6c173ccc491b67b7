/** Time series indices in the tree, by entity type. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { foreignIndexText, isForeignIndex, shortForeignIndexText } from '../indices/foreignIndex.ts';
import { leftOutText, sizeGrowthText } from '../indices/indexTexts.ts';
import type { IndexSizeGrowth } from '../indices/sizeHistory.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import {
  indicesById,
  groupByEntityType,
  type IndexList,
  type ListedIndex,
  totalKnownBytes,
} from '../indices/indexList.ts';
import { type RetentionLimit, retentionLimitText } from '../indices/limits.ts';
import { type IndexName, indexNameText } from '../indices/indexName.ts';
import { aspectPurpose } from '../indices/timeseriesAspects.ts';
import type { IndexReference } from '../indices/pickIndex.ts';
import type { RowClick } from '../connections/pickConnection.ts';
import { COMMANDS } from '../manifest.ts';
import { language } from '../language.ts';
import { commonPrecision } from '../service/indices/indexSize.ts';
import { approximateSizesText, formatsOf, reportedSizeText, sizeText } from '../ui/formats.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { ChildNode, ListFailureNode, ListMessageNode, type ExplorerNode } from './node.ts';
import { listAgeText, currentList } from '../connections/loadableList.ts';

/** Known facts beyond the server's list. Sends nothing. */
interface KnownIndexFacts {
  readonly limitOf: (target: IndexName) => RetentionLimit | undefined;
  readonly growthOf: (target: IndexName) => IndexSizeGrowth | undefined;
}

export class IndexGroupNode extends ChildNode {
  readonly #lists: IndexLists;
  readonly #known: KnownIndexFacts;
  #groups = new Map<string | undefined, EntityTypeNode>();

  constructor(parent: ExplorerNode, lists: IndexLists) {
    super(parent);
    this.#lists = lists;
    this.#known = {
      limitOf: (target) => lists.retentionLimits(this.connectionId)(target),
      growthOf: (target) => lists.growthOfIndex(this.connectionId, target),
    };
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
        : inOneLine([totalSizeText(total, list), listAgeText(list)]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const list = await currentList(() => this.#currentIndexList());
    const before = this.#groups;
    // Shares need the exact sizes of all indices.
    const isWhole = list.leftOut === 0 && list.precision === 'exact';
    const total = !isWhole ? undefined : totalKnownBytes(list.indices.map(({ sizeBytes }) => sizeBytes));
    const listed = indicesById(list.indices);
    const ids = new Map([...listed].map(([id, index]) => [index, id]));
    this.#groups = new Map(
      [...groupByEntityType([...listed.values()], this.#lists.order)].map(([entityType, indices]) => {
        const group = before.get(entityType) ?? new EntityTypeNode(this, entityType, this.#known);
        group.updateIndices(new Map(indices.map((index) => [ids.get(index) ?? '', index])), total);
        return [entityType, group];
      }),
    );
    const rows: ExplorerNode[] = [...this.#groups.values()];
    if (list.leftOut > 0) {
      rows.push(new ListMessageNode(this, leftOutText(list.leftOut)));
    }
    if (list.failure !== undefined) {
      return this.parent.failure === undefined ? [new ListFailureNode(this, list.failure), ...rows] : rows;
    }
    if (list.needsIndexNames && !list.indices.some(({ isAdded }) => isAdded)) {
      const add = { command: COMMANDS.indexAdd, title: l10n.t('Add Index…'), arguments: [handleOf(this)] };
      const hint = list.isUnsupported
        ? l10n.t("This server doesn't list its indices. Add them by name.")
        : l10n.t('This server only reports a total. Add indices by name.');
      return [...rows, new ListMessageNode(this, hint, add)];
    }
    return rows.length > 0 ? rows : [new ListMessageNode(this, l10n.t('This server has no time series indices yet.'))];
  }

  /** True also with indices that were added by name, whether or not the server lists any. */
  get isLoaded(): boolean {
    const { isLoaded, indices } = this.#currentIndexList();
    return isLoaded || indices.length > 0;
  }

  #currentIndexList(): IndexList {
    return this.#lists.get(this.connectionId);
  }
}

function totalSizeText(total: number, { leftOut, precision }: IndexList): string {
  const size = sizeText(total, precision, formatsOf(language()));
  return leftOut > 0 ? l10n.t('{0} or more', size) : size;
}

/** Rows of indices have no icons: narrow side bars need the space for sizes. */
class EntityTypeNode extends ChildNode {
  readonly #entityType: string | undefined;
  readonly #known: KnownIndexFacts;
  #indices: ReadonlyMap<string, ListedIndex> = new Map();
  #total: number | undefined;
  #rows = new Map<string, IndexNode>();

  constructor(parent: ExplorerNode, entityType: string | undefined, known: KnownIndexFacts) {
    super(parent);
    this.#entityType = entityType;
    this.#known = known;
  }

  /**
   * @param indices By ID. VS Code shows no rows if two IDs are equal.
   * @param total Bytes of all indices together; undefined if unknown.
   */
  updateIndices(indices: ReadonlyMap<string, ListedIndex>, total: number | undefined): void {
    this.#indices = indices;
    this.#total = total;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(
      this.#entityType ?? l10n.t('other indices'),
      vscode.TreeItemCollapsibleState.Expanded,
    );
    item.id = `${this.connectionId}/entityType/${this.#entityType ?? ''}`;
    item.contextValue = 'entityType';
    const indices = [...this.#indices.values()];
    const bytes = totalKnownBytes(indices.map(({ sizeBytes }) => sizeBytes));
    const size = { bytes, precision: commonPrecision(indices) ?? 'exact' };
    item.description = reportedSizeText(size, formatsOf(language())) ?? '';
    return item;
  }

  children(): readonly ExplorerNode[] {
    const before = this.#rows;
    this.#rows = new Map(
      [...this.#indices].map(([id, index]) => {
        const row = before.get(id) ?? new IndexNode(this, id, index, this.#known);
        row.updateIndex(index, this.#total);
        return [id, row];
      }),
    );
    return [...this.#rows.values()];
  }
}

class IndexNode extends ChildNode implements IndexReference {
  index: ListedIndex;
  readonly #id: string;
  readonly #known: KnownIndexFacts;
  #total: number | undefined;

  constructor(parent: ExplorerNode, id: string, index: ListedIndex, known: KnownIndexFacts) {
    super(parent);
    this.#id = id;
    this.index = index;
    this.#known = known;
  }

  /** @param total Bytes of all indices together; undefined if unknown. */
  updateIndex(index: ListedIndex, total: number | undefined): void {
    this.index = index;
    this.#total = total;
  }

  item(): vscode.TreeItem {
    const { aspect, indexName, entityType, isAdded } = this.index;
    const isNamed = aspect !== undefined && entityType !== undefined;
    const label = isNamed ? aspect : indexName;
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/index/${this.#id}`;
    item.description = this.#size;
    const spoken = inOneLine([this.#size, this.#share, this.#note]);
    item.accessibilityInformation = { label: [entityType, label, spoken].filter((part) => part).join(', ') };
    if (isNamed) {
      const click: IndexReference & RowClick = { connectionId: this.connectionId, index: this.index, isClick: true };
      item.command = { command: COMMANDS.indexTruncate, title: l10n.t('Truncate Index'), arguments: [handleOf(click)] };
    }
    item.contextValue = ['index', ...(isNamed ? ['truncatable'] : []), ...(isAdded ? ['added'] : [])].join(';');
    return item;
  }

  tooltip(): RowTooltip {
    const { aspect, indexName, entityType, sizeBytes, precision, isTotal, isAdded } = this.index;
    const isNamed = entityType !== undefined && aspect !== undefined;
    const tooltip = new RowTooltip().heading(isNamed ? indexNameText({ entityType, aspect }) : indexName);
    if (isNamed) {
      tooltip.text(l10n.t('Index: {0}', indexName));
    }
    if (precision === 'approximate') {
      const size = reportedSizeText({ bytes: sizeBytes, precision }, formatsOf(language()));
      tooltip.text(l10n.t('Size: {0}', size ?? l10n.t('Unknown'))).text(approximateSizesText());
    } else if (sizeBytes !== undefined) {
      const { size, number } = formatsOf(language());
      const text = l10n.t('Size: {0} ({1} bytes)', size(sizeBytes), number(Math.round(sizeBytes)));
      tooltip.text(inOneLine([text, this.#share]));
    }
    tooltip.text(isAdded ? this.#note : undefined);
    if (isNamed) {
      const limit = this.#known.limitOf({ entityType, aspect });
      return tooltip
        .text(sizeGrowthText(this.#known.growthOf({ entityType, aspect }), language(), precision))
        .text(limit === undefined ? undefined : l10n.t('Retention: {0}', retentionLimitText(limit)))
        .text(aspectPurpose({ entityType, aspect }));
    }
    return tooltip.text(
      isTotal
        ? l10n.t('All time series rows of this server together. Add an index by name to truncate it.')
        : foreignIndexText(),
    );
  }

  get #size(): string {
    const { sizeBytes: bytes, precision } = this.index;
    return reportedSizeText({ bytes, precision }, formatsOf(language())) ?? '';
  }

  /** Units vary, so the share shows which indices are large. Empty without a total, or for the only index. */
  get #share(): string {
    const { sizeBytes } = this.index;
    const total = this.#total;
    return sizeBytes === undefined || total === undefined || total === 0 || sizeBytes === total
      ? ''
      : formatsOf(language()).share((sizeBytes / total) * 100);
  }

  get #note(): string {
    return this.index.isAdded ? l10n.t('added by name') : isForeignIndex(this.index) ? shortForeignIndexText() : '';
  }
}
