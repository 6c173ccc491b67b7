/** Questions about tokens: which ones a command is for, and whether to revoke or copy them. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import type { Connection, SignIn } from '../connections/connection.ts';
import { commandLineTokenPlace } from '../connections/credentialLife.ts';
import { productionLine } from '../connections/role.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { confirm, confirmOrKeep, showWarning } from '../ui/messages.ts';
import { formatsOf } from '../ui/formats.ts';
import {
  distinguishingText,
  shortTokenLabel,
  tokenLabel,
  isTokenReference,
  tokenSpoken,
  shortTokenId,
} from './tokenAppearance.ts';
import { connectionChanged } from '../service/failure/failure.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import {
  createPickList,
  failureItems,
  showPickItems,
  type PickItem,
  singleStep,
  showInput,
  askExactText,
} from '../ui/inputSteps.ts';
import { isTypedName } from '../ui/typedName.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { inOneLine } from '../ui/textLines.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { emptyListText, loadMoreText } from './tokenTexts.ts';
import type { CredentialMatches } from './credentialToken.ts';
import type { TokenMemory } from './tokenMemory.ts';
import type { TokenLists } from './tokenLists.ts';
import type { TokenList } from './tokenList.ts';

export interface PickedTokens {
  readonly connection: Connection;
  readonly tokens: readonly AccessToken[];
}

/** Limit per revocation, so the question can show a line for each token. */
export const MOST_REVOKED_AT_ONCE = 25;

interface TokenPickItem extends PickItem {
  readonly token?: AccessToken;
  readonly loadsMore?: true;
}

/**
 * @param most Number of tokens that the command accepts; above one, the list has check boxes.
 * @param admit Called with the connection before a token is picked. Its error ends the command.
 * @returns undefined if the user cancelled, or selected too many and was warned.
 * @throws ServiceFailure if the tokens can't be listed.
 */
export async function pickTokens(
  parts: {
    readonly store: ConnectionStore;
    readonly tokenLists: TokenLists;
    readonly memory: TokenMemory;
  },
  clicked: unknown,
  selected: unknown,
  title: string,
  most: number,
  admit: (connection: Connection) => Promise<unknown> = () => Promise.resolve(),
): Promise<PickedTokens | undefined> {
  const clickedOn = isTokenReference(clicked) ? parts.store.get(clicked.connectionId) : undefined;
  if (isTokenReference(clicked) && clickedOn !== undefined) {
    // A selection may span connections; the clicked row decides.
    const chosen =
      most > 1 && Array.isArray(selected)
        ? selected.filter(isTokenReference).filter(({ connectionId }) => connectionId === clicked.connectionId)
        : [];
    const listed = parts.tokenLists.get(clickedOn.id);
    await admit(clickedOn);
    // It reloads what another window changed, so the row may belong to the previous server.
    if (parts.tokenLists.get(clickedOn.id) !== listed) {
      throw connectionChanged();
    }
    const tokens = chosen.length > 0 ? withoutDuplicates(chosen.map(({ token }) => token)) : [clicked.token];
    if (tokens.length > most) {
      void showWarning(`${tooManyText(most)} ${l10n.t('Select fewer.')}`);
      return undefined;
    }
    return { connection: clickedOn, tokens };
  }
  const connection = await pickConnection(parts.store, clicked, title);
  if (connection === undefined) {
    return undefined;
  }
  await admit(connection);
  const pages = parts.tokenLists.get(connection.id);
  const many = most > 1;
  const pick = createPickList<TokenPickItem>(
    many ? l10n.t('Select access tokens ({0} at most)', most) : l10n.t('Select an access token'),
  );
  pick.canSelectMany = many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const load = async (work: () => Promise<void>): Promise<void> => {
    pick.busy = true;
    await work();
    pick.busy = false;
    showTokenItems(pick, pages, many, ({ id }) => parts.memory.isSuperseded(connection.id, id));
  };
  const answer = await showInput<readonly AccessToken[]>(pick, singleStep(title), (done) => {
    void load(() => pages.ensureTried());
    return [
      pick.onDidAccept(() => {
        const tokens = pick.selectedItems.flatMap(({ token }) => token ?? []);
        if (pick.selectedItems.some(({ loadsMore }) => loadsMore)) {
          void load(() => pages.loadMoreTokens());
        } else if (tokens.length > most) {
          void showWarning(tooManyText(most));
        } else if (tokens.length > 0) {
          done({ kind: 'value', value: tokens });
        }
      }),
    ];
  });
  if (pages.failure !== undefined && answer.kind !== 'value') {
    throw pages.failure;
  }
  return answer.kind === 'value' ? { connection, tokens: answer.value } : undefined;
}

function tooManyText(most: number): string {
  return l10n.t('At most {0} access tokens can be revoked at once.', most);
}

/** Other extensions may pass a row twice. */
function withoutDuplicates(tokens: readonly AccessToken[]): readonly AccessToken[] {
  return [...new Map(tokens.map((token) => [token.id, token])).values()];
}

function showTokenItems(
  pick: vscode.QuickPick<TokenPickItem>,
  pages: TokenList,
  many: boolean,
  isSuperseded: (token: AccessToken) => boolean,
): void {
  // Every row of a multi-select list has a check box, so allow none while there are no tokens.
  pick.canSelectMany = many && pages.tokens.length > 0;
  const items: TokenPickItem[] = pages.tokens.map((token) => tokenPickItem(token, pages, isSuperseded(token)));
  if (pages.failure !== undefined) {
    items.unshift(...failureItems(pages.failure));
  } else if (items.length === 0) {
    items.push({ label: emptyListText(pages, language()), alwaysShow: true });
  }
  // A row with a check box can't load more; the list then has only the loaded tokens.
  if (pages.hasMoreTokens && !many) {
    items.push({
      icon: 'ellipsis',
      label: loadMoreText(pages.remainingRows, language()),
      alwaysShow: true,
      loadsMore: true,
    });
  }
  showPickItems(pick, items);
}

/** Pick lists have no columns or tooltips, so each row identifies its token. */
function tokenPickItem(token: AccessToken, pages: TokenList, isSuperseded: boolean): TokenPickItem {
  const name = tokenLabel(token);
  const label = shortTokenLabel(token);
  const quiet = [
    tokenSpoken(token, { showOwner: pages.query.scope === 'all', isSuperseded }),
    ...(token.createdAt === undefined ? [] : [distinguishingText(token)]),
  ];
  // Lets the user search for the shortened part of a long name.
  const detail = [...(label === name ? [] : [name]), inPlainText(token.description ?? '')];
  return {
    label,
    description: inOneLine(quiet),
    detail: inOneLine(detail),
    token,
  };
}

type ConnectionSummary = Pick<Connection, 'id' | 'name' | 'baseUrl' | 'actorUrn' | 'role'>;

/**
 * Shows whose tokens they are, each with a distinguishing fact.
 * @param signingIn Connections known to sign in with the token.
 */
export function confirmRevoke(
  tokens: readonly AccessToken[],
  connection: ConnectionSummary,
  matches: CredentialMatches,
  signingIn: readonly Connection[] = [],
): Promise<boolean> {
  const [first] = tokens;
  const consequences = [...revocationConsequences(tokens, connection, signingIn), ...credentialText(tokens, matches)];
  if (tokens.length === 1 && first !== undefined) {
    return confirm(
      l10n.t('Revoke the access token "{0}" on "{1}"?', tokenLabel(first), connection.name),
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
    [...consequences, tokens.map((token) => `• ${tokenLine(token, connection.actorUrn)}`)],
    l10n.t('Revoke {0} Tokens', tokens.length),
  );
}

/** The prompt has room for the labels alone. */
function typeToRevoke(
  tokens: readonly AccessToken[],
  { name }: ConnectionSummary,
  consequences: readonly string[],
): Promise<boolean> {
  const labels = tokens.map((token) => `"${shortTokenLabel(token)}"`).join(', ');
  return askExactText({
    title: l10n.t('Revoke {0} access tokens on "{1}"', tokens.length, name),
    prompt: [`${labels}.`, ...consequences, l10n.t('Type "{0}".', name)].join(' '),
    placeholder: name,
    isRight: (typed) => isTypedName(typed, name),
    refusal: l10n.t("Doesn't match."),
  });
}

/** Asked after a rotation. Proposes to keep both, since nothing uses the new token yet. */
export function confirmRevokeOld(
  old: AccessToken,
  connection: ConnectionSummary,
  matches: CredentialMatches,
): Promise<boolean> {
  return confirmOrKeep(
    l10n.t('Revoke the old token "{0}" on "{1}"?', shortTokenLabel(old), connection.name),
    [
      ...productionLine(connection),
      [tokenUserText(old), createdText(old), l10n.t('The replacement was created just now.')],
      l10n.t(
        "Anything still using the old token will lose access, possibly after a few minutes. This can't be undone.",
      ),
      ...credentialText([old], matches),
      l10n.t("If you keep both, the old token is marked as superseded until it's revoked."),
    ],
    l10n.t('Keep Both for Now'),
    l10n.t('Revoke Old Token'),
  );
}

/** @param name The token's label in the tree. */
export function confirmCopy(name: string, connection: ConnectionSummary): Promise<boolean> {
  return confirm(
    l10n.t('Copy the access token "{0}" of "{1}"?', name, connection.name),
    [
      ...productionLine(connection),
      l10n.t('The token itself is copied, not its ID. Other programs and extensions can read the clipboard.'),
    ],
    l10n.t('Copy Token'),
  );
}

function revocationConsequences(
  tokens: readonly AccessToken[],
  connection: ConnectionSummary,
  signingIn: readonly Connection[],
): string[] {
  const others = signingIn.filter(({ id }) => id !== connection.id);
  const imported = signingIn.flatMap(({ name: other, signIn }) =>
    signIn?.source === undefined ? [] : [commandLineStopsText(other, signIn.source)],
  );
  return [
    ...imported.slice(0, 1),
    tokens.length === 1
      ? l10n.t("Anything using this token will lose access, possibly after a few minutes. This can't be undone.")
      : l10n.t("Anything using these tokens will lose access, possibly after a few minutes. This can't be undone."),
    ...others.map((other) => l10n.t('The connection "{0}" signs in with this token.', other.name)),
  ];
}

/** Says what stops working with a token that the command line has as well. */
function commandLineStopsText(name: string, source: NonNullable<SignIn['source']>): string {
  return l10n.t(
    "The datahub command on this machine signs in to {0} with this token, from {1}. That command, and anything else that uses the token, will stop working until it gets another token. This can't be undone.",
    name,
    commandLineTokenPlace(source),
  );
}

function credentialText(tokens: readonly AccessToken[], matches: CredentialMatches): string[] {
  const [first, ...others] = tokens.filter(({ id }) => matches.has(id));
  if (first === undefined) {
    return [];
  }
  const label = shortTokenLabel(first);
  if (matches.get(first.id) === 'yes') {
    return [l10n.t('This connection signs in with "{0}". You\'ll have to sign in again.', label)];
  }
  return [
    others.length > 0
      ? l10n.t("This connection might sign in with one of these tokens. If so, you'll have to sign in again.")
      : l10n.t(
          'This connection might sign in with "{0}", which has the same user and expiry. If so, you\'ll have to sign in again.',
          label,
        ),
  ];
}

/** The user that the token acts as, and its owner if that is another one. */
function tokenUserText({ actorUrn, ownerUrn = actorUrn }: AccessToken): string {
  return inOneLine([
    actorUrn === '' ? '' : l10n.t('Acts as {0}', shortActorName(actorUrn)),
    ownerUrn === actorUrn ? '' : l10n.t('Owner: {0}', shortActorName(ownerUrn)),
  ]);
}

/** Some servers list no dates. */
function createdText({ id, createdAt }: AccessToken): string {
  return createdAt === undefined ? shortTokenId(id) : l10n.t('Created {0}', formatsOf(language()).time(createdAt));
}

/** @param caller Their own tokens are listed without a user. */
function tokenLine(token: AccessToken, caller: string | undefined): string {
  const { actorUrn, ownerUrn = actorUrn } = token;
  const user = actorUrn === caller && ownerUrn === caller ? '' : tokenUserText(token);
  return inOneLine([shortTokenLabel(token), user, createdText(token)]);
}
