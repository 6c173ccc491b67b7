/** Creates an access token: asks, sends once, and offers the string. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { proposeDefaults, type TokenCreationFacts, type TokenDraft, tokenNameStep } from './tokenDraft.ts';
import { askAndIssue } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import type { TokenFlowParts } from './tokenLists.ts';

/**
 * Asks for a name, shows the rest with defaults, creates, and offers the value.
 * @param draft Proposed values. Keeps what was typed, so leaving or a refusal loses nothing.
 * @returns true if created; false if the user cancelled, or creation failed and was reported.
 */
export async function createToken(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  const texts = {
    placeholder: l10n.t('Press Enter to create the access token on "{0}"', connection.name),
    connection: connection.name,
    accept: l10n.t('Create Access Token'),
  };
  const draftFor = (facts: TokenCreationFacts): TokenDraft => {
    proposeDefaults(draft, facts);
    return draft;
  };
  const issued = await askAndIssue(parts, connection, title, texts, draftFor, [tokenNameStep(draft)]);
  if (issued === undefined) {
    return false;
  }
  await offerIssuedToken(parts, connection, issued);
  return true;
}
