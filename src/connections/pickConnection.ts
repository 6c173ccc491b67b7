/** Finds the clicked connection, the only one, or asks; and asks which one to use. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { askPick, separator, singleStep, type PickItem } from '../ui/inputSteps.ts';
import { showInformation } from '../ui/messages.ts';
import { inOneLine } from '../ui/textLines.ts';
import { hostOf, userOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { signedOutWord } from './credentialLife.ts';
import { roleWord } from './role.ts';

/** A row of a connection, as commands get it. */
export interface ConnectionRef {
  readonly connectionId: string;
}

export function isConnectionRef(clicked: unknown): clicked is ConnectionRef {
  return (
    typeof clicked === 'object' &&
    clicked !== null &&
    'connectionId' in clicked &&
    typeof clicked.connectionId === 'string'
  );
}

/** A click on a row, or Enter. Menus pass the row itself, and the title of the view the row that has the focus. */
export interface RowClick extends ConnectionRef {
  readonly isClick: true;
}

export function isRowClick(clicked: unknown): clicked is RowClick {
  return isConnectionRef(clicked) && 'isClick' in clicked;
}

/** Without a connection, the item adds one. */
interface ConnectionItem extends PickItem {
  readonly connection?: Connection;
}

/**
 * @param isFit True for those that the command can work for: the others aren't listed unless there are only such.
 * @returns undefined if the user cancelled or may add one. @throws ServiceFailure `storage` if none could be read.
 */
export async function pickConnection(
  store: ConnectionStore,
  clicked: unknown,
  title: string,
  isFit: (connection: Connection) => boolean = () => true,
): Promise<Connection | undefined> {
  await store.load();
  const id = isConnectionRef(clicked) ? clicked.connectionId : undefined;
  const named = id === undefined ? undefined : store.get(id);
  if (named !== undefined) {
    return named;
  }
  const all = allOf(store);
  if (all.length === 0) {
    const add = l10n.t('Add Connection…');
    const chosen = await showInformation(l10n.t('There are no connections yet.'), add);
    if (chosen === add) {
      await vscode.commands.executeCommand(COMMANDS.connectionAdd);
    }
    return undefined;
  }
  // A removed connection's row must not select another one.
  if (all.length === 1 && id === undefined) {
    return all[0];
  }
  const every = connectionItems(store);
  const fit = every.filter(({ connection }) => connection !== undefined && isFit(connection));
  const items = fit.length > 0 ? fit : every;
  const question = { items, active: items[0], placeholder: l10n.t('Select a connection') };
  const answer = await askPick(singleStep(title), question);
  return answer.kind === 'value' ? answer.value.connection : undefined;
}

/** Asks which connection to use in this workspace, or adds one. @throws as `pickConnection` does. */
export async function switchConnection(store: ConnectionStore): Promise<void> {
  await store.load();
  const items = connectionItems(store);
  const answer = await askPick<ConnectionItem>(singleStep(l10n.t('Switch Connection')), {
    items: [...items, separator(), { icon: 'add', label: l10n.t('Add Connection…'), alwaysShow: true }],
    active: items[0],
    placeholder: l10n.t('Select the connection to use'),
  });
  if (answer.kind === 'value') {
    const { connection } = answer.value;
    await (connection ? store.use(connection.id) : vscode.commands.executeCommand(COMMANDS.connectionAdd));
  }
}

/** All connections, the one in use first. */
function connectionItems(store: ConnectionStore): ConnectionItem[] {
  const inUse = store.inUse();
  const inUseFirst = allOf(store).toSorted((a, b) => Number(b === inUse) - Number(a === inUse));
  return inUseFirst.map((connection) => ({
    label: connection.name,
    description: inOneLine([
      roleWord(connection),
      signedOutWord(connection),
      connection.actorUrn === undefined ? hostOf(connection) : `${userOf(connection)} @ ${hostOf(connection)}`,
      connection === inUse ? l10n.t('in use') : undefined,
    ]),
    connection,
  }));
}

function allOf(store: ConnectionStore): readonly Connection[] {
  const all = store.all();
  if (all.length === 0 && store.failure !== undefined) {
    throw store.failure;
  }
  return all;
}
