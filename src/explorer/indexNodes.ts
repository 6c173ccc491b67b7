/** The time series indices of a connection in the tree, by entity type. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Growth } from '../indices/growth.ts';
import { growsText } from '../indices/growthText.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { groupByEntityType, totalBytes } from '../indices/indexList.ts';
import type { IndexList, ListedIndex } from '../indices/indexList.ts';
import { limitText } from '../indices/limits.ts';
import type { Limit } from '../indices/limits.ts';
import { leftOutText } from '../indices/leftOut.ts';
import type { IndexTarget, Replaced } from '../indices/replacedIndices.ts';
import { aspectPurpose } from '../indices/timeseriesAspects.ts';
import type { IndexRef } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import { language } from '../language.ts';
import { targetOf } from '../truncation/model/plan.ts';
import { formatsOf } from '../ui/formats.ts';
import { Tooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { inOneLine } from '../ui/oneLine.ts';
import { FailureNode, MessageNode } from './failureNode.ts';
import { listAge } from './listAge.ts';
import { MUTED, mutedUri } from './mutedRows.ts';
import { shown } from './shown.ts';
import type { ExplorerNode } from './node.ts';

/** What is known of indices besides what the server lists. Asks for nothing. */
interface Known {
  /** Whether all rows that should stay are known to be in the index that took a replaced one's place. */
  readonly isCopied: (replaced: Replaced) => boolean;
  readonly limitOf: (target: IndexTarget) => Limit | undefined;
  readonly growthOf: (target: IndexTarget) => Growth | undefined;
}

export class IndicesNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #lists: IndexLists;
  readonly #known: Known;
  #groups = new Map<string | undefined, EntityTypeNode>();

  /** @param isCopied Whether all rows that should stay are known to be in the index that took a replaced one's place. */
  constructor(parent: ExplorerNode, lists: IndexLists, isCopied: (replaced: Replaced) => boolean) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#lists = lists;
    this.#known = {
      isCopied,
      limitOf: (target) => lists.limits(this.connectionId)(target),
      growthOf: (target) => lists.growthOf(this.connectionId, target)?.growth,
    };
  }

  item(): vscode.TreeItem {
    const list = this.#list();
    const item = new vscode.TreeItem(l10n.t('Time series indices'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${this.connectionId}/indices`;
    item.iconPath = new vscode.ThemeIcon('database');
    item.contextValue = list.needsNames ? 'indices;added' : 'indices';
    const total = totalBytes(list.indices.map(({ sizeBytes }) => sizeBytes));
    item.description =
      total === undefined
        ? list.isLoading && !list.isLoaded
          ? l10n.t('loading…')
          : ''
        : inOneLine([totalText(total, list.leftOut), listAge(list)]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const list = await shown(() => this.#list());
    const before = this.#groups;
    // A share of what isn't all of them would say too much.
    const total = list.leftOut > 0 ? undefined : totalBytes(list.indices.map(({ sizeBytes }) => sizeBytes));
    this.#groups = new Map(
      [...groupByEntityType(list.indices, this.#lists.order)].map(([entityType, indices]) => {
        const group = before.get(entityType) ?? new EntityTypeNode(this, entityType, this.#known);
        group.show(indices, total);
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
      const add = { command: COMMANDS.indexAdd, title: l10n.t('Add Index…'), arguments: [handleOf(this)] };
      const hint = list.isUnsupported
        ? l10n.t("This server doesn't list its indices. Add them by name.")
        : l10n.t('This server only reports a total. Add indices by name.');
      return [...rows, new MessageNode(this, hint, add)];
    }
    return rows.length > 0 ? rows : [new MessageNode(this, l10n.t('This server has no time series indices yet.'))];
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
  return leftOut > 0 ? l10n.t('{0} or more', size) : size;
}

/** Neither it nor an index in use has an icon: it would say nothing, and in a narrow side bar its place is needed for the sizes. */
class EntityTypeNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #entityType: string | undefined;
  readonly #known: Known;
  #indices: readonly ListedIndex[] = [];
  #total: number | undefined;
  #rows = new Map<string, IndexNode>();

  constructor(parent: ExplorerNode, entityType: string | undefined, known: Known) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#entityType = entityType;
    this.#known = known;
  }

  /** @param total Of all indices of the server together, in bytes, where that is known. */
  show(indices: readonly ListedIndex[], total: number | undefined): void {
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
    item.description = sizeText(totalBytes(this.#indices.map(({ sizeBytes }) => sizeBytes)), this.#total);
    return item;
  }

  children(): readonly ExplorerNode[] {
    const before = this.#rows;
    this.#rows = new Map(
      this.#indices.map((index) => {
        const row = before.get(index.indexName) ?? new IndexNode(this, index, this.#known);
        row.show(index, {
          total: this.#total,
          isCopied: index.replaced !== undefined && this.#known.isCopied(index.replaced),
        });
        return [index.indexName, row];
      }),
    );
    return [...this.#rows.values()];
  }
}

/**
 * The longest name, in characters, beside which size and share fit into a side bar as wide as VS Code opens it, in the font of the tests.
 * Beside a longer one the size stands alone.
 */
const LONGEST_BESIDE_SHARE = 22;

class IndexNode implements ExplorerNode, IndexRef {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  index: ListedIndex;
  readonly #known: Known;
  #among: { readonly total: number | undefined; readonly isCopied: boolean } = { total: undefined, isCopied: false };

  constructor(parent: ExplorerNode, index: ListedIndex, known: Known) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.index = index;
    this.#known = known;
  }

  /** @param among What is known of it besides what the server lists. */
  show(index: ListedIndex, among: { readonly total: number | undefined; readonly isCopied: boolean }): void {
    this.index = index;
    this.#among = among;
  }

  item(): vscode.TreeItem {
    const { aspect, indexName, entityType, isAdded, replaced } = this.index;
    const isNamed = aspect !== undefined && entityType !== undefined;
    // The name that the search engine gave to one that was replaced is long, and tells less than that of the index that it was.
    const label = isNamed ? aspect : replaced?.target === undefined ? indexName : targetOf(replaced.target);
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/index/${indexName}`;
    const said = this.#description(this.#among.total);
    item.description = label.length > LONGEST_BESIDE_SHARE ? this.#description(undefined) : said;
    item.accessibilityInformation = { label: [entityType, label, said].filter((part) => part).join(', ') };
    if (replaced !== undefined) {
      // Where a narrow side bar cuts the words off, the icon still tells an old copy from what may hold rows.
      item.iconPath = new vscode.ThemeIcon(this.#among.isCopied ? 'archive' : 'warning', MUTED);
      item.resourceUri = mutedUri(item.id);
    }
    const isTruncatable = isNamed && replaced === undefined;
    item.contextValue = ['index', ...(isTruncatable ? ['truncatable'] : []), ...(isAdded ? ['added'] : [])].join(';');
    return item;
  }

  tooltip(): Tooltip {
    const { aspect, indexName, entityType, sizeBytes, isTotal, replaced } = this.index;
    const isNamed = entityType !== undefined && aspect !== undefined;
    const tooltip = new Tooltip().heading(isNamed ? `${entityType}/${aspect}` : indexName);
    if (isNamed) {
      tooltip.text(l10n.t('Index: {0}', indexName));
    }
    if (sizeBytes !== undefined) {
      const { size, number } = formatsOf(language());
      const text = l10n.t('Size: {0} ({1} bytes)', size(sizeBytes), number(Math.round(sizeBytes)));
      tooltip.text(inOneLine([text, replaced === undefined ? shareText(sizeBytes, this.#among.total) : '']));
    }
    if (replaced !== undefined) {
      return tooltip.text(
        this.#among.isCopied
          ? l10n.t(
              'Replaced by a reindex, which finished: its remaining rows were copied to the current index. It uses disk space until an administrator removes it.',
            )
          : l10n.t(
              "Replaced by a reindex that isn't known here to have finished. It may hold rows that readers can't see, so don't remove it before an administrator has checked the current index.",
            ),
      );
    }
    if (isNamed) {
      const limit = this.#known.limitOf({ entityType, aspect });
      return tooltip
        .text(growsText(this.#known.growthOf({ entityType, aspect }), language()))
        .text(limit === undefined ? undefined : l10n.t('Retention: {0}', limitText(limit)))
        .text(aspectPurpose({ entityType, aspect }));
    }
    return tooltip.text(
      isTotal
        ? l10n.t('All time series rows of this server together. Add an index by name to truncate it.')
        : l10n.t(
            "Can't be truncated here: the server doesn't report its entity type and aspect. It may be left over from a reindex.",
          ),
    );
  }

  /** @param total What its size is a share of; without it there is no share. */
  #description(total: number | undefined): string {
    const { sizeBytes, isAdded, replaced } = this.index;
    // The warning about one that was replaced matters more than its size, which a narrow side bar may cut off.
    const parts =
      replaced === undefined
        ? [sizeText(sizeBytes, total), isAdded ? l10n.t('added by name') : '']
        : [this.#replacedText(), sizeText(sizeBytes, undefined)];
    return inOneLine(parts);
  }

  #replacedText(): string {
    return this.#among.isCopied ? l10n.t('old copy') : l10n.t("may hold hidden rows: don't remove");
  }
}

/** `8.1 GB · 62%`: sizes have different units, so that their share tells at a glance which are the large ones. */
function sizeText(bytes: number | undefined, total: number | undefined): string {
  return bytes === undefined ? '' : inOneLine([formatsOf(language()).size(bytes), shareText(bytes, total)]);
}

/** Empty where nothing is known of the rest, or there is none. */
function shareText(bytes: number, total: number | undefined): string {
  return total === undefined || total === 0 || bytes === total
    ? ''
    : formatsOf(language()).share((bytes / total) * 100);
}
