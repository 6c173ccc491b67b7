/** Rows of indices in the tree. They have no icons: narrow side bars need the space for sizes. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { foreignIndexText, isForeignIndex, shortForeignIndexText } from '../indices/foreignIndex.ts';
import type { ListedIndex } from '../indices/indexList.ts';
import { type IndexName, indexNameOf, indexNameText } from '../indices/indexName.ts';
import { aspectPurpose, shownIndexName } from '../indices/timeseriesAspects.ts';
import type { IndexReference } from '../indices/pickIndex.ts';
import type { RowClick } from '../connections/pickConnection.ts';
import { COMMANDS } from '../manifest.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { ChildNode, type ExplorerNode } from './node.ts';

export class IndexNode extends ChildNode implements IndexReference {
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
    return tooltip.text(
      isTotal
        ? l10n.t('All time series rows of this server together. Add an index by name to truncate it.')
        : foreignIndexText(),
    );
  }

  get #size(): string {
    return sizeText(this.index.sizeBytes);
  }

  get #note(): string {
    return this.index.isAdded ? l10n.t('added by name') : isForeignIndex(this.index) ? shortForeignIndexText() : '';
  }
}

/** Empty if unknown. */
export function sizeText(bytes: number | undefined): string {
  return bytes === undefined ? '' : formatsOf(language()).size(bytes);
}
