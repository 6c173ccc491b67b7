/** Words for an index that the server lists without entity type and aspect, although it names all of its own (PROTOCOL.md §9.3). */
import * as l10n from '@vscode/l10n';
import type { IndexSize } from '../service/indices/indices.ts';

export function isForeign({ entityType, aspect, isTotal }: IndexSize): boolean {
  return !isTotal && (entityType === undefined || aspect === undefined);
}

/** Beside its name. */
export function shortForeignText(): string {
  return l10n.t('may belong to another installation');
}

export function foreignText(): string {
  return l10n.t("May belong to another installation: its name isn't one of this server's indices.");
}
