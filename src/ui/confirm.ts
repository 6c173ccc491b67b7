/** Every question before something is destroyed, or a token gets where others can read it. Nothing is sent without a yes from here. */
import * as vscode from 'vscode';
import type { CutOffCaution } from '../truncation/plan.ts';
import { inPlainText } from './foreignText.ts';
import { alone, askText } from './inputSteps.ts';
import { warnModal } from './messages.ts';
import type { Paragraph } from './messages.ts';

async function modal(message: string, detail: readonly Paragraph[], yes: string): Promise<boolean> {
  return (await warnModal(message, detail, yes)) === yes;
}

/** @param names The tokens as the tree shows them. */
export function confirmRevoke(names: readonly string[], connectionName: string, isCredential: boolean): Promise<boolean> {
  const [first] = names;
  const shown = names.slice(0, 10).map((name) => `• ${inPlainText(name)}`);
  const rest = names.length - shown.length;
  const detail = [
    ...(names.length > 1 ? [[...shown, ...(rest > 0 ? [vscode.l10n.t('… and {0} more', rest)] : [])]] : []),
    vscode.l10n.t('Whoever uses it loses access to {0}; on a server with several nodes it may work for some minutes more. This cannot be undone.', connectionName),
    ...(isCredential ? [vscode.l10n.t('It is the access token that this connection itself signs in with.')] : []),
  ];
  return names.length === 1
    ? modal(vscode.l10n.t('Revoke the access token "{0}"?', first ?? ''), detail, vscode.l10n.t('Revoke'))
    : modal(vscode.l10n.t('Revoke {0} access tokens?', names.length), detail, vscode.l10n.t('Revoke {0} Tokens', names.length));
}

/** @param name The token as the tree shows it. */
export function confirmCopy(name: string): Promise<boolean> {
  return modal(
    vscode.l10n.t('Copy the access token "{0}"?', name),
    [vscode.l10n.t('The token itself is copied, not its ID. Other programs and extensions can read the clipboard.')],
    vscode.l10n.t('Copy Token'),
  );
}

/** @param running How many truncations still run there. */
export function confirmRemoveConnection(name: string, hasCredential: boolean, running: number): Promise<boolean> {
  const kept = [
    hasCredential
      ? vscode.l10n.t('Its access token is deleted from the secret storage. The token itself stays valid until it is revoked on the server.')
      : vscode.l10n.t('Nothing on the server changes.'),
    ...(running === 0
      ? []
      : [
          running === 1
            ? vscode.l10n.t('A truncation still runs there and goes on: its task ID is forgotten.')
            : vscode.l10n.t('{0} truncations still run there and go on: their task IDs are forgotten.', running),
        ]),
  ];
  return modal(vscode.l10n.t('Remove the connection "{0}"?', name), kept, vscode.l10n.t('Remove'));
}

export function confirmSignOut(name: string): Promise<boolean> {
  return modal(
    vscode.l10n.t('Sign out of "{0}"?', name),
    [vscode.l10n.t('Its access token is deleted from the secret storage. The token itself stays valid until it is revoked on the server.')],
    vscode.l10n.t('Sign Out'),
  );
}

export function confirmPlainHttp(host: string): Promise<boolean> {
  return modal(
    vscode.l10n.t('Send credentials to {0} without encryption?', host),
    [vscode.l10n.t('Its address starts with http://. Whoever can listen on the network between here and there can read the access token.')],
    vscode.l10n.t('Use Plain HTTP'),
  );
}

/** What a person has to know to say yes to a truncation, ready to be shown. */
export interface TruncationQuestion {
  /** `entityType/aspect`: this is to be typed. */
  readonly target: string;
  readonly connectionName: string;
  /** Names can be alike, or say one thing and mean another: this is where rows are deleted. */
  readonly baseUrl: string;
  /** In the person's time zone, with its name. */
  readonly cutOff: string;
  readonly caution: CutOffCaution | undefined;
  /** Undefined: the server's text was not understood. */
  readonly rows: { readonly toDelete: string; readonly total: string; readonly percent: string } | undefined;
  readonly serverText: string;
  readonly strategyMeaning: string;
}

/** First the name is typed, then a modal is answered; a report that could not be read is asked about before. */
export async function confirmTruncation(question: TruncationQuestion): Promise<boolean> {
  const { rows, target } = question;
  if (rows === undefined) {
    const goOn = await modal(
      vscode.l10n.t('Go on without knowing how many rows will be deleted?'),
      [vscode.l10n.t('The dry run answered in words that this extension does not understand:'), inPlainText(question.serverText)],
      vscode.l10n.t('Go On'),
    );
    if (!goOn) {
      return false;
    }
  }
  const typed = await askText(alone(vscode.l10n.t('Delete Rows of {0}', target)), {
    value: '',
    prompt: vscode.l10n.t('Type {0} to confirm.', target),
    placeholder: target,
    problem: (text) => (text.trim() === target ? undefined : vscode.l10n.t('This is not {0}.', target)),
  });
  if (typed.kind !== 'value') {
    return false;
  }
  const detail = [
    vscode.l10n.t('Connection: {0} ({1})', question.connectionName, question.baseUrl),
    vscode.l10n.t('Rows up to and including: {0}', question.cutOff),
    ...(rows === undefined ? [] : [vscode.l10n.t('{0} of {1} rows ({2} %)', rows.toDelete, rows.total, rows.percent)]),
    question.strategyMeaning,
    ...(question.caution === undefined ? [] : [cautionText(question.caution)]),
    vscode.l10n.t('Deleted rows cannot be brought back.'),
  ];
  return rows === undefined
    ? modal(vscode.l10n.t('Delete the rows of {0}?', target), detail, vscode.l10n.t('Delete Rows'))
    : modal(vscode.l10n.t('Delete {0} rows of {1}?', rows.toDelete, target), detail, vscode.l10n.t('Delete {0} Rows', rows.toDelete));
}

export function cautionText(caution: CutOffCaution): string {
  return caution === 'future'
    ? vscode.l10n.t('The cut-off lies in the future: every row there is now goes, and those written until then.')
    : vscode.l10n.t('The cut-off lies within the last 24 hours: rows written just now go too.');
}
