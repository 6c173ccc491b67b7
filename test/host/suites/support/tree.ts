/** The tree, read through VS Code's own provider. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import { currentActivation } from './extension.ts';
import { until } from './until.ts';

export interface Row {
  readonly node: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  readonly description: string;
  /** Text for a screen reader, if different. */
  readonly spoken: string;
}

/** The rows below one, or the connections. */
export async function rowsBelow(row?: Row): Promise<Row[]> {
  const { explorer } = currentActivation().api;
  assert.ok(explorer !== undefined, 'the API has no tree');
  const nodes = (await explorer.getChildren(row?.node)) ?? [];
  return Promise.all(
    nodes.map(async (node) => {
      const item = await explorer.getTreeItem(node);
      const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
      const description = typeof item.description === 'string' ? item.description : '';
      const spoken = item.accessibilityInformation?.label ?? '';
      return { node, item, label, description, spoken };
    }),
  );
}

/** The row at this path of labels, starting with the connection. Waits until each row exists. */
export async function rowAt(...path: readonly (string | RegExp)[]): Promise<Row> {
  return until(`the row ${path.join(' > ')}`, () => findRow(path));
}

/** The rows of tokens below a row, with the expired ones that are folded away. */
export async function tokenRowsBelow(group: Row): Promise<Row[]> {
  return (await unfolded(await rowsBelow(group))).filter(({ item }) => item.contextValue?.split(';')[0] === 'token');
}

async function unfolded(rows: readonly Row[]): Promise<Row[]> {
  const folded = rows.find(({ item }) => item.contextValue === 'expiredTokens');
  return [...rows, ...(folded === undefined ? [] : await rowsBelow(folded))];
}

/** The row of an index, which is below its entity type if that has several. @param target As in `dataset/operation`. */
export async function indexRow(connection: string, target: string): Promise<Row> {
  const list = [connection, 'Time series indices'];
  const lone = [...list, target];
  const grouped = [...list, ...target.split('/')];
  return until(`the row of ${target}`, async () => (await findRow(lone)) ?? (await findRow(grouped)));
}

/**
 * The row at this path of labels, without waiting. Also an expired token that is folded away. Finds an index by any
 * spelling of its name.
 */
export async function findRow(path: readonly (string | RegExp)[]): Promise<Row | undefined> {
  let row: Row | undefined;
  for (const label of path) {
    const rows = await unfolded(await rowsBelow(row));
    row =
      typeof label === 'string'
        ? (rows.find((one) => one.label === label) ??
          rows.find((one) => one.label.toLowerCase() === label.toLowerCase()))
        : rows.find((one) => label.test(one.label));
    if (row === undefined) {
      return undefined;
    }
  }
  return row;
}

export async function labelsBelow(...path: readonly (string | RegExp)[]): Promise<string[]> {
  return (await rowsBelow(await rowAt(...path))).map(({ label }) => label);
}

export async function tooltipOf(row: Row): Promise<vscode.MarkdownString | string> {
  const { explorer } = currentActivation().api;
  const resolved =
    (await explorer?.resolveTreeItem?.(row.item, row.node, new vscode.CancellationTokenSource().token)) ?? row.item;
  return resolved.tooltip ?? '';
}

/** Text of a tooltip, without the escapes. */
export function textOf(tooltip: vscode.MarkdownString | string): string {
  return typeof tooltip === 'string' ? tooltip : tooltip.value.replaceAll('&nbsp;', ' ').replaceAll(/\\(.)/g, '$1');
}

/** User of a connection, whom the tooltip of its row names. */
export async function shownUser(connection: string): Promise<string | undefined> {
  return /\bas urn:li:corpuser:(\S+)/.exec(textOf(await tooltipOf(await rowAt(connection))))?.[1];
}

/** The failure of all lists of a connection, which has one row. */
export async function onlyFailureOf(connection: string): Promise<Row> {
  return until(`the failure of ${connection}`, async () => {
    const [failure, ...others] = await rowsBelow(await rowAt(connection));
    const lists = others.filter(({ item }) => item.contextValue !== 'truncations');
    const below = (await Promise.all(lists.map((list) => rowsBelow(list)))).flat();
    const isOnly = !below.some(({ item }) => item.contextValue === 'failure');
    return isOnly && failure?.item.contextValue === 'failure' && failure;
  });
}

/** Refreshes the tree as the icon of the view does while a row has the focus, and waits for the end of the refresh. */
export async function refresh(row: Row): Promise<void> {
  await vscode.commands.executeCommand(COMMANDS.explorerRefresh, row.node);
}

export async function pressEnter({ item }: Row): Promise<void> {
  const { command } = item;
  assert.ok(command !== undefined, `the row "${String(item.label)}" does nothing`);
  await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}
