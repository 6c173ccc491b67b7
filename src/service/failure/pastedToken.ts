/** Detects an access token that was pasted too early: as an address, which would be looked up, or as a user. */
import * as l10n from '@vscode/l10n';
import { containsToken } from './redaction.ts';

/** Rejects a name or value with an access token in it, since it would be stored or sent. */
export function tokenElsewhereProblem(text: string): string | undefined {
  return containsToken(text)
    ? l10n.t('This looks like an access token, which is only taken where one is asked for.')
    : undefined;
}

/** Rejects an access token in an earlier step. */
export function pastedTokenProblem(text: string): { readonly problem: string } | undefined {
  return containsToken(text)
    ? { problem: l10n.t("This looks like an access token. You'll enter it in a later step.") }
    : undefined;
}
