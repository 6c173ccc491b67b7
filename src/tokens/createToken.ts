/** Creates an access token: asks, sends once, and offers the string. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { admitChange } from '../connections/admitChange.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { runInputSteps, type InputStep } from '../ui/inputSteps.ts';
import { askDraftSummary, SummaryLoad, type SummarizedDraft } from './draftSummary.ts';
import { tokenNameStep } from './draftSteps.ts';
import { issueToken } from './issueToken.ts';
import { offerIssuedToken } from './offerToken.ts';
import { loadCreationFacts, proposeDefaults, type TokenDraft } from './tokenDraft.ts';
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
  let isNamed = false;
  const name: InputStep = { ...tokenNameStep(draft), applies: () => !isNamed };
  const issued = await askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const accepted = await askForToken(parts, agreed, title, draft, name);
      isNamed = true;
      return accepted && issueToken(parts, agreed, accepted);
    },
  );
  if (issued === undefined) {
    return false;
  }
  await offerIssuedToken(parts, connection, issued);
  return true;
}

/** @returns undefined if the user cancelled. */
async function askForToken(
  { services }: TokenFlowParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
  nameStep: InputStep,
): Promise<SummarizedDraft | undefined> {
  const stop = new AbortController();
  const load = new SummaryLoad(async () => {
    const facts = await loadCreationFacts(services.get(connection), stop.signal);
    proposeDefaults(draft, facts);
    return { draft, facts };
  });
  // While the name is typed. The list reports a failure.
  load.attempt().catch(() => undefined);
  const texts = {
    placeholder: l10n.t('Press Enter to create the access token on "{0}"', connection.name),
    connection: connection.name,
    accept: l10n.t('Create Access Token'),
    name: ({ name }: TokenDraft) => `"${name}"`,
  };
  const summary: InputStep = { ask: (place) => askDraftSummary(place, texts, load) };
  const isAccepted = await runInputSteps(title, [nameStep, summary]).finally(() => stop.abort());
  return isAccepted ? load.loaded : undefined;
}
