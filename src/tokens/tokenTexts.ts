/** Sentences about access tokens that several places show. Pure. */
import * as l10n from '@vscode/l10n';
import { formatsOf } from '../ui/formats.ts';
import type { TokenList } from './tokenList.ts';
import type { TokenType } from '../service/tokens/tokenCreation.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { CreationFacts } from './tokenDraft.ts';

/** Shown after copying a token. */
export function copiedText(clearedAfterSeconds: number | undefined): string {
  return clearedAfterSeconds === undefined
    ? l10n.t('Access token copied')
    : l10n.t('Access token copied; the clipboard is cleared in {0} s', clearedAfterSeconds);
}

/** @param ahead Rows left, from the server; undefined if its count is unreliable. */
export function loadMoreText(ahead: TokenList['ahead'], locale: string): string {
  if (ahead === undefined) {
    return l10n.t('Load More');
  }
  const { number } = formatsOf(locale);
  return l10n.t('Load {0} More ({1} left)', number(ahead.next), number(ahead.left));
}

/** @param privilege Name on the server's own pages, not translated. */
export function missingPrivilegeText(privilege: string): string {
  return l10n.t('You don\'t have the "{0}" privilege, so the server may refuse this.', privilege);
}

type KnownPrivileges = Pick<CreationFacts, 'mayGenerateTokens' | 'mayManageAllTokens' | 'mayManageServiceAccounts'>;

/** A sentence about the privilege known to be missing. @param isSelf The token acts as the caller. */
export function lackingPrivilege(facts: KnownPrivileges, type: TokenType, isSelf: boolean): string | undefined {
  if (type === 'SERVICE_ACCOUNT') {
    return facts.mayManageServiceAccounts === false
      ? missingPrivilegeText(PRIVILEGES.manageServiceAccounts)
      : undefined;
  }
  if (isSelf) {
    return facts.mayGenerateTokens === false ? missingPrivilegeText(PRIVILEGES.generateTokens) : undefined;
  }
  return facts.mayManageAllTokens === false ? missingPrivilegeText(PRIVILEGES.manageAllTokens) : undefined;
}
