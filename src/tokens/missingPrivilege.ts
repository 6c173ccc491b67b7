/** What is said before anything is asked, where the server has told that the person lacks a privilege. It is never guessed. */
import * as l10n from '@vscode/l10n';
import type { TokenType } from '../service/tokens/tokens.ts';
import type { CreationFacts } from './tokenDraft.ts';

/** @param privilege As the server's own pages call it: it is not translated. */
export function missingPrivilegeText(privilege: string): string {
  return l10n.t('You don\'t have the "{0}" privilege, so the server may refuse this.', privilege);
}

type KnownRights = Pick<CreationFacts, 'mayGenerateTokens' | 'mayManageAllTokens' | 'mayManageServiceAccounts'>;

/** The privilege that is known to be missing for a token of this type, in a sentence. @param isSelf It acts as the caller. */
export function lackingPrivilege(facts: KnownRights, type: TokenType, isSelf: boolean): string | undefined {
  if (type === 'SERVICE_ACCOUNT') {
    return facts.mayManageServiceAccounts === false ? missingPrivilegeText('Manage Service Accounts') : undefined;
  }
  if (isSelf) {
    return facts.mayGenerateTokens === false ? missingPrivilegeText('Generate Personal Access Tokens') : undefined;
  }
  return facts.mayManageAllTokens === false ? missingPrivilegeText('Manage All Access Tokens') : undefined;
}
