/** Questions before a token is revoked or copied. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import type { Connection } from '../connections/connection.ts';
import { confirmTypedName } from '../connections/connectionQuestions.ts';
import { productionLine } from '../connections/role.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { confirm, confirmOrKeep } from '../ui/messages.ts';
import { formatsOf } from '../ui/formats.ts';
import { distinguishingText, shortTokenId, shortTokenLabel, tokenLabel } from './tokenAppearance.ts';

type ConnectionSummary = Pick<Connection, 'name' | 'baseUrl' | 'role' | 'credentialTokenId'>;

/** Shows each token with a distinguishing fact. On production, several tokens require the connection's name. */
export async function confirmRevoke(tokens: readonly AccessToken[], connection: ConnectionSummary): Promise<boolean> {
  const [first] = tokens;
  const consequences = revocationConsequences(tokens, connection);
  if (tokens.length === 1 && first !== undefined) {
    return confirm(
      l10n.t('Revoke the access token "{0}"?', tokenLabel(first)),
      [...productionLine(connection), tokenIdentityText(first), ...consequences],
      l10n.t('Revoke'),
    );
  }
  const title = l10n.t('Revoke {0} Tokens', tokens.length);
  if (!(await confirmTypedName(connection, title))) {
    return false;
  }
  return confirm(
    l10n.t('Revoke {0} access tokens?', tokens.length),
    // The list comes last: in a low window VS Code cuts off the end of long questions.
    [...productionLine(connection), ...consequences, tokenLines(tokens).map((line) => `• ${line}`)],
    title,
  );
}

/**
 * Asked after a rotation. Proposes to keep both, since nothing uses the new token yet.
 * @param replacementId Undefined if the server didn't return it.
 */
export function confirmRevokeOld(
  old: AccessToken,
  replacementId: string | undefined,
  connection: ConnectionSummary,
): Promise<boolean> {
  const { createdAt } = old;
  const { date, time } = formatsOf(language());
  return confirmOrKeep(
    createdAt === undefined
      ? l10n.t('Revoke the old token "{0}" (ID {1})?', shortTokenLabel(old), old.id)
      : l10n.t('Revoke the old token "{0}", created {1}?', shortTokenLabel(old), date(createdAt)),
    [
      ...productionLine(connection),
      [
        createdAt === undefined
          ? l10n.t('Old token: ID {0}', old.id)
          : l10n.t('Old token: created {0}, ID {1}', time(createdAt), old.id),
        ...(replacementId === undefined ? [] : [l10n.t('Replacement: created just now, ID {0}', replacementId)]),
      ],
      l10n.t(
        "Anything still using the old token will lose access to {0}, possibly after a few minutes. This can't be undone.",
        connection.name,
      ),
      ...credentialText([old], connection),
      l10n.t("If you keep both, the old token is marked as superseded until it's revoked."),
    ],
    l10n.t('Keep Both for Now'),
    l10n.t('Revoke Old Token'),
  );
}

/** @param name The token's label in the tree. */
export function confirmCopy(name: string, connection: ConnectionSummary): Promise<boolean> {
  return confirm(
    l10n.t('Copy the access token "{0}"?', name),
    [
      ...productionLine(connection),
      l10n.t('The token itself is copied, not its ID. Other programs and extensions can read the clipboard.'),
    ],
    l10n.t('Copy Token'),
  );
}

function revocationConsequences(tokens: readonly AccessToken[], connection: ConnectionSummary): string[] {
  const { name } = connection;
  return [
    tokens.length === 1
      ? l10n.t(
          "Anything using this token will lose access to {0}, possibly after a few minutes. This can't be undone.",
          name,
        )
      : l10n.t(
          "Anything using these tokens will lose access to {0}, possibly after a few minutes. This can't be undone.",
          name,
        ),
    ...credentialText(tokens, connection),
  ];
}

function credentialText(
  tokens: readonly AccessToken[],
  { credentialTokenId }: Pick<Connection, 'credentialTokenId'>,
): string[] {
  const isCredential = credentialTokenId !== undefined && tokens.some(({ id }) => id === credentialTokenId);
  return isCredential ? [l10n.t('This connection signs in with this token.')] : [];
}

/** Creation time and ID. */
function tokenIdentityText({ id, createdAt }: AccessToken): string {
  return createdAt === undefined
    ? l10n.t('ID: {0}', id)
    : l10n.t('Created {0} · ID {1}', formatsOf(language()).time(createdAt), id);
}

/** One line per token; identical lines also get the ID. */
function tokenLines(tokens: readonly AccessToken[]): string[] {
  const lines = tokens.map((token) => `${shortTokenLabel(token)} · ${distinguishingText(token)}`);
  return tokens.map(({ id }, index) => {
    const line = lines[index] ?? '';
    return lines.filter((other) => other === line).length > 1 ? `${line} · ${shortTokenId(id)}` : line;
  });
}
