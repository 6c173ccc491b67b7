/** Offers the value of a new token once: to copy, or to keep as the credential. */
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
import type { TokenFlowParts } from './tokens.ts';

export interface OfferedToken {
  readonly secret: TokenSecret;
  readonly name: string;
  /** Undefined if unknown: then only this offer has the value. */
  readonly id: string | undefined;
  /** The token acts as the connection's own user. Only then may it become the credential. */
  readonly isSelf: boolean;
}

/**
 * Offers the value until it is stored somewhere. Closing the dialog loses nothing: the value stays held, or is
 * asked about. Failures are reported and the value is offered again, since the token exists.
 */
export async function offerToken(parts: TokenFlowParts, connection: Connection, token: OfferedToken): Promise<void> {
  const copy: vscode.MessageItem = { title: l10n.t('Copy Token') };
  const keepIt: vscode.MessageItem = { title: l10n.t('Use for This Connection') };
  const close: vscode.MessageItem = { title: l10n.t('Close'), isCloseAffordance: true };
  for (let hasPlace = false; !hasPlace;) {
    const chosen = await askModal(
      l10n.t('The access token "{0}" was created.', token.name),
      [offerDetail(token)],
      copy,
      ...(token.isSelf ? [keepIt] : []),
      close,
    );
    try {
      hasPlace = await (chosen === copy
        ? copyOffered(parts, connection, token)
        : chosen === keepIt
          ? keepAsCredential(parts, connection, token)
          : confirmClosing(token));
    } catch (thrown) {
      parts.notices.failure(placementFailure(thrown), connection);
    }
  }
}

/** For example, the clipboard rejects a window without focus. The next question is the retry. */
function placementFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : new ServiceFailure('storage', l10n.t("The access token couldn't be copied or stored. It's offered again."));
}

function offerDetail({ id }: OfferedToken): string {
  return id === undefined
    ? l10n.t("Copy it now. The server didn't return its ID, so you won't be able to copy it later.")
    : l10n.t('Copy it now. The server never shows it again; "Copy Access Token" has it only until this window closes.');
}

async function copyOffered(
  { clipboard, created, notices }: TokenFlowParts,
  connection: Connection,
  { id, secret }: OfferedToken,
): Promise<boolean> {
  const seconds = await clipboard.copySecret(secret);
  if (id !== undefined) {
    created.releaseSecret(connection.id, id);
  }
  notices.done(copiedText(seconds));
  return true;
}

/** @returns false if the user declines to send it unencrypted. */
async function keepAsCredential(
  { store, credentials, created, notices }: TokenFlowParts,
  connection: Connection,
  { id, name, secret }: OfferedToken,
): Promise<boolean> {
  const agreed = store.get(connection.id);
  const agreedOrigin =
    agreed !== undefined && lacksConsent(agreed) && (await confirmPlainHttp(hostOf(agreed)))
      ? originOf(agreed)
      : undefined;
  // Look it up again: the connection may have been edited or removed while the dialogs were open.
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
    created.releaseSecret(connection.id, id);
  }
  notices.done(l10n.t('"{0}" now signs in with "{1}"', current.name, name));
  return true;
}

/** Closing is fine while the value is held. Otherwise ask first, since it would be lost. */
async function confirmClosing({ id, name }: OfferedToken): Promise<boolean> {
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
