/** An access token that is pasted before it is asked for: into the address, where it would be looked up as a host, or as a user. */
import * as l10n from '@vscode/l10n';
import { containsToken } from './redaction.ts';

/** Why a text cannot be a name or a value that is stored or sent to a server as such, where it holds an access token. */
export function tokenElsewhereProblem(text: string): string | undefined {
  return containsToken(text)
    ? l10n.t('This looks like an access token, which is only taken where one is asked for.')
    : undefined;
}

/** Why a text cannot be what an earlier step asks for, where it holds an access token. */
export function pastedTokenProblem(text: string): { readonly problem: string } | undefined {
  return containsToken(text)
    ? { problem: l10n.t("This looks like an access token. You'll enter it in a later step.") }
    : undefined;
}
