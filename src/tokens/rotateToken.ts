/** Rotating a token: a replacement is created, and the old one stays until somebody says that nothing uses it any more. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { confirmInCurrentRole } from '../connections/currentRole.ts';
import { asFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/tokens.ts';
import { askReplacement, replacementOf } from './askReplacement.ts';
import { issueToken, offerIssued } from './issueToken.ts';
import { sendRevocations } from './revokeTokens.ts';
import { actorsFrom, loadCreationFacts } from './tokenDraft.ts';
import type { TokenDraft } from './tokenDraft.ts';
import type { TokenParts } from './tokenParts.ts';
import { tokenLabel } from './tokenAppearance.ts';
import { confirmRevokeOld } from './tokenQuestions.ts';

/**
 * Asks, creates, offers the string, then asks about the old token.
 * @param edited What was edited before the flow was left or refused the last time.
 * @param keep Told what is being edited, so that nothing of it is lost.
 * @returns whether the replacement was created: false when the person left, or it failed and was told.
 * @throws ServiceFailure when the server does not tell what it takes; then nothing was asked.
 */
export async function rotateToken(
  parts: TokenParts,
  connection: Connection,
  title: string,
  old: AccessToken,
  edited: TokenDraft | undefined,
  keep: (draft: TokenDraft) => void,
): Promise<boolean> {
  const facts = await loadCreationFacts(parts.services.get(connection), connection.name);
  const draft = edited ?? replacementOf(old, facts);
  keep(draft);
  const actorOf = actorsFrom(draft.actor);
  if (!(await askReplacement(title, old, draft, facts, actorOf))) {
    return false;
  }
  const checked = actorOf(draft.actor);
  const issued = await issueToken(parts, connection, draft, 'actorUrn' in checked ? checked.actorUrn : '', facts);
  if (issued === undefined) {
    return false;
  }
  // Begun before anything is asked, so that a window that closes over a question does not lose it.
  const marked = parts.notices.unlessStored(
    parts.superseded.mark(connection.id, old.id, issued.id),
    l10n.t('"{0}" was replaced, but VS Code couldn\'t mark it as superseded.', tokenLabel(old)),
  );
  await offerIssued(parts, connection, issued);
  // Looked up again: the connection may sign in with the new token by now, or be gone.
  const current = parts.store.get(connection.id);
  if (current !== undefined) {
    await marked;
    // The old token is one of the server that it was listed by, wherever the connection leads by now.
    const { baseUrl, actorUrn, product } = connection;
    await revokeOld(parts, { ...current, baseUrl, actorUrn, product }, old, issued.id).catch((thrown: unknown) =>
      parts.notices.failure(asFailure(thrown), connection),
    );
  }
  return true;
}

/** @throws ServiceFailure where the connection became read-only, leads elsewhere or was removed meanwhile. */
async function revokeOld(
  parts: TokenParts,
  connection: Connection,
  old: AccessToken,
  replacementId: string | undefined,
): Promise<void> {
  const ask = (current: Connection): Promise<boolean> => confirmRevokeOld(old, replacementId, current);
  const agreed = await confirmInCurrentRole(parts.store, connection, ask).catch((thrown: unknown) => {
    throw asFailure(thrown).with({ next: l10n.t('The old token "{0}" wasn\'t revoked.', tokenLabel(old)) });
  });
  if (agreed) {
    await sendRevocations(parts, connection, [old]);
  }
}
