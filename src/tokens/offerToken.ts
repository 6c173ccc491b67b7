/** The string of a created token exists once: copy it, or keep it as the credential. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Connection, hostOf, lacksConsent, originOf, withConsentTo } from '../connections/connection.ts';
import type { CredentialPlace } from '../connections/credentialStore.ts';
import { saveSignedIn } from '../connections/signIn.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import { confirmPlainHttp } from '../connections/connectionQuestions.ts';
import { askModal, showInformation } from '../ui/messages.ts';
import { copiedText } from './tokenTexts.ts';
import type { TokenParts } from './tokens.ts';

export interface OfferedToken {
  readonly secret: TokenSecret;
  readonly name: string;
  /** Undefined: neither the server told it nor was it found, so that nothing but this offer has the string. */
  readonly id: string | undefined;
  /** It acts as whom the connection is: another's token as its credential would make the person somebody else. */
  readonly isSelf: boolean;
}

/**
 * Offers the string until it has a place. A dialog that is closed loses nothing: the string stays held, or is asked about again. What
 * fails is told, and the string is offered again: the token was created, so nothing may end what comes of it.
 */
export async function offerToken(parts: TokenParts, connection: Connection, token: OfferedToken): Promise<void> {
  const copy: vscode.MessageItem = { title: l10n.t('Copy Token') };
  const keepIt: vscode.MessageItem = { title: l10n.t('Use for This Connection') };
  const close: vscode.MessageItem = { title: l10n.t('Close'), isCloseAffordance: true };
  for (let hasPlace = false; !hasPlace;) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const chosen = await askModal(
      l10n.t('The access token "{0}" was created.', token.name),
      [detailOf(token)],
      copy,
      ...(token.isSelf ? [keepIt] : []),
      close,
    );
    try {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      hasPlace = await (chosen === copy
        ? copied(parts, connection, token)
        : chosen === keepIt
          ? keptAs(parts, connection, token)
          : mayBeLost(token));
    } catch (thrown) {
      parts.notices.failure(notPlaced(thrown), connection);
    }
  }
}

/** A clipboard without the focus fails, for example. To try again is what the question that follows is for. */
function notPlaced(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : new ServiceFailure('storage', l10n.t("The access token couldn't be copied or stored. It's offered again."));
}

function detailOf({ id }: OfferedToken): string {
  return id === undefined
    ? l10n.t("Copy it now. The server didn't return its ID, so you won't be able to copy it later.")
    : l10n.t('Copy it now. The server never shows it again; "Copy Access Token" has it only until this window closes.');
}

async function copied(
  { clipboard, created, notices }: TokenParts,
  connection: Connection,
  { id, secret }: OfferedToken,
): Promise<boolean> {
  const seconds = await clipboard.copySecret(secret);
  if (id !== undefined) {
    created.release(connection.id, id);
  }
  notices.done(copiedText(seconds));
  return true;
}

/** @returns false when the person does not want it to cross the network in clear. */
async function keptAs(
  { store, credentials, created, notices }: TokenParts,
  connection: Connection,
  { id, name, secret }: OfferedToken,
): Promise<boolean> {
  const agreed = store.get(connection.id);
  const agreedOrigin =
    agreed !== undefined && lacksConsent(agreed) && (await confirmPlainHttp(hostOf(agreed)))
      ? originOf(agreed)
      : undefined;
  // Looked up again: the dialogs may have stood open while the connection was edited or removed, here or in another window.
  await store.reload().catch(() => undefined);
  const current = store.get(connection.id);
  if (current === undefined || originOf(current) !== originOf(connection) || current.actorUrn !== connection.actorUrn) {
    throw new ServiceFailure(
      'storage',
      l10n.t("The connection was changed in the meantime, so the access token wasn't kept."),
      { next: l10n.t("It's offered again.") },
    );
  }
  const { credentialTokenId: _replaced, ...rest } = current;
  const signedIn = {
    ...(agreedOrigin === undefined ? rest : withConsentTo(agreedOrigin, rest)),
    ...(id === undefined ? {} : { credentialTokenId: id }),
  };
  if (lacksConsent(signedIn)) {
    return false;
  }
  let kept: CredentialPlace;
  try {
    ({ kept } = await saveSignedIn({ store, credentials }, signedIn, secret.reveal(), current));
  } catch {
    throw new ServiceFailure('storage', l10n.t("Couldn't save the connection, so it may be signed out."), {
      next: l10n.t('The access token is offered again.'),
    });
  }
  if (kept === 'memory') {
    void showInformation(
      l10n.t(
        'Couldn\'t save "{0}" in VS Code secret storage. It\'s kept until this window closes; use "Copy Access Token" to keep it longer.',
        name,
      ),
    );
    return id !== undefined;
  }
  if (id !== undefined) {
    created.release(connection.id, id);
  }
  notices.done(l10n.t('"{0}" now signs in with "{1}"', current.name, name));
  return true;
}

/** Closing is an answer where the string is held; where nothing else has it, it is asked about. */
async function mayBeLost({ id, name }: OfferedToken): Promise<boolean> {
  if (id !== undefined) {
    return true;
  }
  const discard: vscode.MessageItem = { title: l10n.t('Discard Token') };
  const chosen = await askModal(
    l10n.t('Discard the access token "{0}" without copying it?', name),
    [l10n.t('It stays on the server, but its value will be lost.')],
    discard,
  );
  return chosen === discard;
}
