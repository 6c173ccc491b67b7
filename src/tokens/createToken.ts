/** Creating an access token: asked step by step, sent once, its string offered once. */
import type { Connection } from '../connections/connection.ts';
import { shortActor } from '../service/urn.ts';
import { runSteps } from '../ui/inputSteps.ts';
import { draftSteps } from './draftSteps.ts';
import { issueToken, offerIssued } from './issueToken.ts';
import { actorsFrom, loadCreationFacts } from './tokenDraft.ts';
import type { TokenDraft } from './tokenDraft.ts';
import type { TokenParts } from './tokenParts.ts';

/**
 * Asks, creates, offers the string.
 * @param draft What is proposed; it keeps what was typed, so that leaving or a refusal loses nothing.
 * @returns whether it was created: false when the person left, or it failed and was told.
 * @throws ServiceFailure when the server does not tell what it takes; then nothing was asked.
 */
export async function createToken(
  parts: TokenParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  const facts = await loadCreationFacts(parts.services.get(connection), connection.name);
  draft.actor = draft.actor === '' ? shortActor(facts.caller) : draft.actor;
  const actorOf = actorsFrom(draft.actor);
  const { type, name, actor, duration, description } = draftSteps(draft, facts, actorOf);
  if (!(await runSteps(title, [type, name, actor, duration, description]))) {
    return false;
  }
  const checked = actorOf(draft.actor);
  const issued = await issueToken(parts, connection, draft, 'actorUrn' in checked ? checked.actorUrn : '', facts);
  if (issued === undefined) {
    return false;
  }
  await offerIssued(parts, connection, issued);
  return true;
}
