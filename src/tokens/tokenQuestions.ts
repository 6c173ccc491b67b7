/** Questions before tokens are revoked or copied: whose they are, and what stops working. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { productionLine } from '../connections/role.ts';
import { language } from '../language.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { askExactText } from '../ui/inputSteps.ts';
import { confirm, confirmOrKeep } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { isSameName } from '../ui/sameName.ts';
import type { CredentialMatches } from './credentialToken.ts';
import { tokenName } from './tokenAppearance.ts';
import { namesByUser } from './tokenTexts.ts';

type ConnectionSummary = Pick<Connection, 'id' | 'name' | 'baseUrl' | 'role'>;

/** Shows whose tokens they are, each with a distinguishing fact. */
export function confirmRevoke(
  tokens: readonly AccessToken[],
  connection: ConnectionSummary,
  matches: CredentialMatches,
): Promise<boolean> {
  const [first] = tokens;
  const consequences = [revocationText(), ...credentialText(tokens, matches)];
  if (tokens.length === 1 && first !== undefined) {
    return confirm(
      l10n.t('Revoke the access token "{0}" on "{1}"?', tokenName(first), connection.name),
      [...productionLine(connection), [tokenUserText(first), createdText(first)], ...consequences],
      l10n.t('Revoke'),
    );
  }
  if (connection.role === 'production') {
    return typeToRevoke(tokens, connection, consequences);
  }
  return confirm(
    l10n.t('Revoke {0} access tokens on "{1}"?', tokens.length, connection.name),
    // The list comes last: in a low window VS Code cuts off the end of long questions.
    [...consequences, tokens.map((token) => `• ${tokenLine(token)}`)],
    l10n.t('Revoke {0} Tokens', tokens.length),
  );
}

function typeToRevoke(
  tokens: readonly AccessToken[],
  { name }: ConnectionSummary,
  consequences: readonly string[],
): Promise<boolean> {
  const names = namesByUser(tokens.map((token) => ({ name: tokenName(token), user: shortActorName(token.actorUrn) })));
  return askExactText({
    title: l10n.t('Revoke {0} access tokens on "{1}"', tokens.length, name),
    prompt: [...consequences, l10n.t('Type "{0}" to revoke {1}.', name, names)].join(' '),
    placeholder: name,
    isRight: (typed) => isSameName(typed, name),
    refusal: l10n.t("Doesn't match."),
  });
}

/**
 * Asked after a rotation. Proposes to keep both, since nothing uses the new token yet.
 * @param isUncopied The value of the new one was never copied.
 */
export function confirmRevokeOld(
  old: AccessToken,
  connection: ConnectionSummary,
  matches: CredentialMatches,
  isUncopied: boolean,
): Promise<boolean> {
  return confirmOrKeep(
    l10n.t('Revoke the old token "{0}" on "{1}"?', withBothEnds(tokenName(old)), connection.name),
    [
      ...productionLine(connection),
      [
        tokenUserText(old),
        createdText(old),
        l10n.t('The replacement was created just now.'),
        ...(isUncopied ? [l10n.t("You haven't copied the new token yet.")] : []),
      ],
      revocationText(),
      ...credentialText([old], matches),
      l10n.t("If you keep both, the old token is marked as superseded until it's revoked."),
    ],
    l10n.t('Keep Both for Now'),
    l10n.t('Revoke Old Token'),
  );
}

export function confirmCopy(token: AccessToken, connection: ConnectionSummary): Promise<boolean> {
  return confirm(
    l10n.t('Copy the access token "{0}" from "{1}"?', tokenName(token), connection.name),
    [
      ...productionLine(connection),
      [tokenUserText(token), createdText(token)],
      l10n.t('The token itself is copied, not its ID. Other programs and extensions can read the clipboard.'),
    ],
    l10n.t('Copy Token'),
  );
}

function revocationText(): string {
  return l10n.t(
    "Anything still using a revoked token will lose access, possibly after a few minutes. This can't be undone.",
  );
}

function credentialText(tokens: readonly AccessToken[], matches: CredentialMatches): string[] {
  const [first, ...others] = tokens.filter(({ id }) => matches.has(id));
  if (first === undefined) {
    return [];
  }
  if (others.length > 0) {
    return [
      l10n.t("This connection might sign in with a token that you're revoking. If so, you'll have to sign in again."),
    ];
  }
  const label = withBothEnds(tokenName(first));
  return [
    matches.get(first.id) === 'yes'
      ? l10n.t('This connection signs in with "{0}". You\'ll have to sign in again.', label)
      : l10n.t('This connection might sign in with "{0}". If so, you\'ll have to sign in again.', label),
  ];
}

/** The user that the token acts as, and its owner if that is another one. */
function tokenUserText({ actorUrn, ownerUrn = actorUrn }: AccessToken): string {
  return inOneLine([
    actorUrn === '' ? '' : l10n.t('Acts as {0}', shortActorName(actorUrn)),
    ownerUrn === actorUrn ? '' : l10n.t('Created by {0}', shortActorName(ownerUrn)),
  ]);
}

/** Empty on a server that lists no dates: an ID means nothing to a person. */
function createdText({ createdAt }: AccessToken): string {
  return createdAt === undefined ? '' : l10n.t('Created {0}', formatsOf(language()).time(createdAt));
}

function tokenLine(token: AccessToken): string {
  return inOneLine([withBothEnds(tokenName(token)), tokenUserText(token), createdText(token)]);
}
