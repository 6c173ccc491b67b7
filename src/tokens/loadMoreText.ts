/** What the row says that loads more access tokens. Pure. */
import * as l10n from '@vscode/l10n';
import { formatsOf } from '../ui/formats.ts';
import type { TokenList } from './tokenList.ts';

/** @param ahead What the server says is left; undefined where it says nothing that can be relied on. */
export function loadMoreText(ahead: TokenList['ahead'], locale: string): string {
  if (ahead === undefined) {
    return l10n.t('Load More');
  }
  const { number } = formatsOf(locale);
  return l10n.t('Load {0} More ({1} left)', number(ahead.next), number(ahead.left));
}
