/** An index that may belong to another installation, which uses the same search cluster. */
import * as l10n from '@vscode/l10n';
import type { IndexSize } from '../service/indices/indexSize.ts';
import { indexNameOf } from './indexName.ts';

/** True if its name isn't one that this server gives. */
export function isForeignIndex(index: IndexSize): boolean {
  return !index.isTotal && indexNameOf(index) === undefined;
}

/** Shown beside the name. */
export function shortForeignIndexText(): string {
  return l10n.t('may belong to another installation');
}

export function foreignIndexText(): string {
  return l10n.t("May belong to another installation: its name doesn't match those of this server's indices.");
}
