/** Items of the connection form: the result of the check, next steps and fields. */
import * as l10n from '@vscode/l10n';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { actorHeaderName, DEFAULT_PRODUCT } from '../service/server/serverInfo.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServerIdentity } from '../service/server/serverInfo.ts';
import { separator, wrappedLineItems, type PickItem } from '../ui/inputSteps.ts';
import { withHeader } from './additionalHeaders.ts';
import {
  hasToken,
  keepsStoredSecrets,
  keepsStoredToken,
  nameOfDraft,
  roleOfDraft,
  userInToken,
  type ConnectionDraft,
} from './connectionDraft.ts';
import type { ConnectionField } from './connectionFields.ts';
import { commandLineTokenPlace } from './credentialLife.ts';
import { localizedRoleName } from './role.ts';

/** Result of checking or saving the form. */
export interface CheckOutcome {
  readonly failure?: ServiceFailure;
  readonly server?: ServerIdentity | undefined;
  /** URN of the token's user. */
  readonly user?: string | undefined;
  /** Where the service was found. */
  readonly baseUrl?: string;
}

export type FormAction = 'save' | 'saveAnyway' | 'runOnRemote' | ConnectionField;

interface FormItem extends PickItem {
  readonly action?: FormAction;
}

/** URN of the token's user as far as is known without asking the server. */
export function userInDraft(draft: ConnectionDraft): string | undefined {
  return keepsStoredToken(draft) ? draft.saved?.signIn?.user : userInToken(draft.token);
}

/** URN of the token's user: as the check found it, else as the token says. */
export function userOfForm(draft: ConnectionDraft, outcome: CheckOutcome | undefined): string | undefined {
  return outcome?.user ?? userInDraft(draft);
}

/** True if the user has to be typed: neither the server nor the token says who it is. */
export function lacksUser(draft: ConnectionDraft, outcome: CheckOutcome | undefined): boolean {
  const isSilent = outcome !== undefined && outcome.failure === undefined && outcome.user === undefined;
  return isSilent && hasToken(draft) && draft.typedUser === undefined;
}

/** The next step: saving, unless a field has to change first. */
export function markedAction(draft: ConnectionDraft, outcome: CheckOutcome | undefined): FormAction {
  const failure = outcome?.failure;
  if (failure === undefined) {
    return lacksUser(draft, outcome) ? 'user' : 'save';
  }
  return failure.transient || failure.kind === 'storage' ? 'save' : fieldInQuestion(failure);
}

/** The field that is most likely wrong. */
function fieldInQuestion({ kind, isFromGateway }: ServiceFailure): ConnectionField {
  if (isFromGateway) {
    return 'headers';
  }
  return kind === 'signedOut' || kind === 'refused' ? 'token' : 'address';
}

/** @param otherNames Of connections. */
export function formItems(
  draft: ConnectionDraft,
  otherNames: readonly string[],
  outcome: CheckOutcome | undefined,
): FormItem[] {
  const first =
    outcome?.failure === undefined
      ? [
          shownItem('check', hasToken(draft) ? l10n.t('Save Connection') : l10n.t('Save Without a Token'), 'save'),
          ...userItems(draft, outcome),
        ]
      : [...problemItems(outcome.failure, markedAction(draft, outcome)), ...otherUserItems(draft, outcome)];
  return [...first, ...fieldItems(draft, nameOfDraft(draft, otherNames), outcome)];
}

function problemItems(failure: ServiceFailure, advised: FormAction): FormItem[] {
  const mayBeSaved = !['signedOut', 'refused', 'storage'].includes(failure.kind);
  const advice = wrappedLineItems('lightbulb', failure.next ?? '');
  return [
    separator(l10n.t('Problem')),
    // The headline, which other lists begin with, says the same in short.
    ...wrappedLineItems('error', failure.message),
    ...advice.map((item) => Object.assign(item, { action: advised })),
    separator(l10n.t('Next steps')),
    shownItem('refresh', l10n.t('Try Again'), 'save'),
    ...(failure.mayBeReachedFromRemote ? [runOnRemoteItem()] : []),
    ...(mayBeSaved ? [shownItem('save', l10n.t('Save Anyway'), 'saveAnyway')] : []),
    separator(l10n.t('Connection')),
  ];
}

/** Leads to the setting that has the extension run on the remote machine. */
function runOnRemoteItem(): FormItem {
  return {
    ...shownItem('remote', l10n.t('Run on the Remote…'), 'runOnRemote'),
    detail: l10n.t('The extension must be installed there. The setting applies to every remote window.'),
  };
}

/** The user that the connection will sign in as. */
function userItems(draft: ConnectionDraft, outcome: CheckOutcome | undefined): FormItem[] {
  if (lacksUser(draft, outcome)) {
    return [shownItem('warning', l10n.t("The server doesn't say who you are"))];
  }
  const user = userOfForm(draft, outcome);
  const others = otherUserItems(draft, outcome);
  return user === undefined || others.length > 0
    ? others
    : [shownItem('person', l10n.t('This connection will sign in as {0}', shortActorName(user)))];
}

/** Said also where the connection can be saved without a check. */
function otherUserItems(draft: ConnectionDraft, outcome: CheckOutcome | undefined): FormItem[] {
  const user = userOfForm(draft, outcome);
  const former = draft.saved?.actorUrn ?? draft.typedUser ?? user;
  return user === undefined || former === undefined || former === user
    ? []
    : [
        shownItem(
          'warning',
          l10n.t('This connection will sign in as {0}, not {1}', shortActorName(user), shortActorName(former)),
        ),
      ];
}

/** The user and the product only where the server doesn't say. */
function fieldItems(draft: ConnectionDraft, name: string, outcome: CheckOutcome | undefined): FormItem[] {
  const { baseUrl, typedUser, product } = draft;
  const asksUser = typedUser !== undefined || lacksUser(draft, outcome) || !hasToken(draft);
  const user = typedUser === undefined ? l10n.t('User: none') : l10n.t('User: {0}', shortActorName(typedUser));
  const asksProduct = product !== undefined || (outcome?.server !== undefined && outcome.server.product === undefined);
  const header = l10n.t('Actor header: {0}', actorHeaderName(product ?? DEFAULT_PRODUCT));
  return [
    fieldItem('address', 'globe', l10n.t('Address: {0}', baseUrl)),
    fieldItem('token', 'key', tokenLabel(draft)),
    ...(asksUser ? [fieldItem('user', 'account', user)] : []),
    fieldItem('name', 'tag', l10n.t('Name: {0}', name)),
    fieldItem('role', 'shield', l10n.t('Role: {0}', localizedRoleName(roleOfDraft(draft)))),
    ...(asksProduct ? [fieldItem('product', 'symbol-string', header)] : []),
    fieldItem('headers', 'list-unordered', headersLabel(draft)),
  ];
}

function fieldItem(action: ConnectionField, icon: string, label: string): FormItem {
  return { ...shownItem(icon, label, action), description: l10n.t('Change…') };
}

function shownItem(icon: string, label: string, action?: FormAction): FormItem {
  return { icon, label, alwaysShow: true, ...(action !== undefined && { action }) };
}

function tokenLabel(draft: ConnectionDraft): string {
  const { source, token } = draft;
  if (source !== undefined) {
    return l10n.t('Access token: from {0}', commandLineTokenPlace(source));
  }
  if (token !== undefined) {
    return l10n.t('Access token: entered');
  }
  return keepsStoredToken(draft) ? l10n.t('Access token: stored') : l10n.t('Access token: none');
}

function headersLabel(draft: ConnectionDraft): string {
  const stored = keepsStoredSecrets(draft) ? (draft.saved?.signIn?.headerNames ?? []) : [];
  const names = Object.keys(draft.headers.reduce(withHeader, Object.fromEntries(stored.map((name) => [name, '…']))));
  return names.length === 0 ? l10n.t('Additional headers: none') : l10n.t('Additional headers: {0}', names.join(', '));
}
