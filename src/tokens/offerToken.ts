/** Offers the value of a created token until it is stored somewhere. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type Connection, identityOf, lacksConsent } from '../connections/connection.ts';
import { signInWith } from '../connections/signIn.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { askModal } from '../ui/messages.ts';
import type { IssuedAccessToken } from './issueToken.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { copiedTokenText } from './tokenTexts.ts';

/** Holds the value before anything else can fail, and offers it. */
export async function offerIssuedToken(
  parts: TokenFlowParts,
  connection: Connection,
  issued: IssuedAccessToken,
): Promise<void> {
  const { listed, secret } = issued;
  const before = parts.store.get(connection.id);
  // Signing out drops what is held, also while the server answered or the token was tested.
  if (listed !== undefined && before !== undefined && before.signedOutAt === connection.signedOutAt) {
    parts.held.hold(connection.id, listed, secret);
  }
  await offerTokenValue(parts, connection, issued);
  if (listed === undefined) {
    return;
  }
  const current = parts.store.get(connection.id);
  if (current !== undefined && identityOf(current) === identityOf(connection)) {
    // Signing in dropped the loaded list, and the listing may lag.
    parts.tokenLists.get(connection.id).addCreatedToken(listed);
  } else {
    // The connection was changed or removed before the value was held. Another server never lists it.
    parts.held.release(connection.id, listed.id);
  }
}

/**
 * Offers the value until it is stored somewhere. Closing the dialog loses nothing: the value stays held, or is
 * asked about. Failures are reported and the value is offered again, since the token exists.
 */
async function offerTokenValue(parts: TokenFlowParts, connection: Connection, token: IssuedAccessToken): Promise<void> {
  const copy: vscode.MessageItem = { title: l10n.t('Copy Token') };
  const keepIt: vscode.MessageItem = { title: l10n.t('Use for This Connection') };
  const close: vscode.MessageItem = { title: l10n.t('Close'), isCloseAffordance: true };
  for (let hasPlace = false; !hasPlace;) {
    const chosen = await askModal(
      l10n.t('The access token "{0}" was created on "{1}".', token.name, connection.name),
      [offerDetail(token)],
      copy,
      ...(token.isSelf && !lacksConsent(connection) ? [keepIt] : []),
      close,
    );
    try {
      hasPlace = await (chosen === copy
        ? copyOffered(parts, connection, token)
        : chosen === keepIt
          ? keepAsCredential(parts, connection, token)
          : confirmClosing(parts, connection, token));
    } catch (thrown) {
      parts.notices.failure(placementFailure(thrown), connection);
    }
  }
}

/** For example, the clipboard rejects a window without focus. The next question is the retry. */
function placementFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : new ServiceFailure(
        'storage',
        l10n.t("The access token couldn't be copied or stored. You can try again in the dialog that reopens."),
      );
}

function offerDetail({ listed }: IssuedAccessToken): string {
  return listed === undefined
    ? l10n.t("Copy it now. The server didn't return its ID, so you won't be able to copy it later.")
    : l10n.t(
        'Copy it now: the server won\'t show it again. Until this window closes, you can also copy it with "Copy Access Token".',
      );
}

async function copyOffered(
  { clipboard, held, notices }: TokenFlowParts,
  connection: Connection,
  { listed, secret }: IssuedAccessToken,
): Promise<boolean> {
  const seconds = await clipboard.copySecret(secret);
  if (listed !== undefined) {
    held.markCopied(connection.id, listed.id);
  }
  notices.done(copiedTokenText(connection.name, seconds));
  return true;
}

async function keepAsCredential(
  { store, credentials, held, notices }: TokenFlowParts,
  connection: Connection,
  { listed, name, secret }: IssuedAccessToken,
): Promise<boolean> {
  const origin = { user: connection.actorUrn, tokenId: listed?.id };
  // The connection may have been edited or removed while the dialogs were open.
  const saved = await signInWith({ store, credentials }, connection, secret.reveal(), origin).catch(
    (thrown: unknown) => {
      throw toServiceFailure(thrown).with({
        next: l10n.t('You can copy the access token in the dialog that reopens.'),
      });
    },
  );
  if (listed !== undefined) {
    held.release(connection.id, listed.id);
  }
  notices.done(l10n.t('"{0}" now signs in with "{1}"', saved.name, name));
  return true;
}

/** Closing is fine while the value is held. Otherwise ask first, since it would be lost. */
async function confirmClosing(
  { held }: TokenFlowParts,
  connection: Connection,
  { listed, name }: IssuedAccessToken,
): Promise<boolean> {
  if (listed !== undefined && held.secretOf(connection.id, listed.id) !== undefined) {
    return true;
  }
  const discard: vscode.MessageItem = { title: l10n.t('Discard Token') };
  const chosen = await askModal(
    l10n.t('Discard the access token "{0}" from "{1}" without copying it?', name, connection.name),
    [l10n.t('It stays on the server, but its value will be lost.')],
    discard,
  );
  return chosen === discard;
}
