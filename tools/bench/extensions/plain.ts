/**
 * The simplest tree and page to compare with: the same rows after one bare request with a token from secret storage, a
 * panel with one field.
 */
import * as vscode from 'vscode';

interface PlainRow {
  readonly label: string;
  readonly state: vscode.TreeItemCollapsibleState;
  readonly children?: () => PlainRow[] | Promise<PlainRow[]>;
}

interface PlainToken {
  readonly name: string;
  /** Unix time in ms; null: never. */
  readonly expiresAt: number | null;
}

interface TokensResponse {
  readonly data: { readonly listAccessTokens: { readonly tokens: readonly PlainToken[] } };
}

const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;

const listing =
  'query($owner: String!) { listAccessTokens(input: {start: 0, count: 1000, filters: [{field: "ownerUrn", values: [$owner]}]}) { tokens { urn id name description actorUrn ownerUrn createdAt expiresAt } } }';

let secrets: vscode.SecretStorage;

export function activate(context: vscode.ExtensionContext): void {
  ({ secrets } = context);
  context.subscriptions.push(
    vscode.window.createTreeView('benchPlain.tree', { treeDataProvider: { getChildren, getTreeItem } }),
    vscode.commands.registerCommand('benchPlain.openPanel', openPanel),
  );
}

function getChildren(row?: PlainRow): PlainRow[] | Promise<PlainRow[]> {
  return row === undefined ? [{ label: 'Bench', state: Expanded, children: groups }] : (row.children?.() ?? []);
}

function getTreeItem({ label, state }: PlainRow): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.id = label;
  item.iconPath = new vscode.ThemeIcon('key');
  item.contextValue = state === None ? 'index' : 'group';
  return item;
}

/** The request starts before the group is opened, as simple code would do it. */
function groups(): PlainRow[] {
  const tokens = listTokens();
  return [
    { label: 'Access tokens', state: Collapsed, children: () => tokens },
    { label: 'Time series indices', state: Collapsed, children: () => [{ label: 'dataset, operation', state: None }] },
  ];
}

async function listTokens(): Promise<PlainRow[]> {
  const settings = vscode.workspace.getConfiguration('benchPlain');
  const response = await fetch(`${settings.get<string>('url')}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await storedToken()}` },
    body: JSON.stringify({ query: listing, variables: { owner: settings.get<string>('owner') } }),
  });
  const { data } = (await response.json()) as TokensResponse;
  const endOf = ({ expiresAt }: PlainToken): number => expiresAt ?? Number.MAX_SAFE_INTEGER;
  return data.listAccessTokens.tokens
    .filter((token) => endOf(token) > Date.now())
    .toSorted((a, b) => endOf(a) - endOf(b) || a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(({ name }) => ({ label: name, state: None }));
}

/** Stored by the first window, which isn't measured. */
async function storedToken(): Promise<string | undefined> {
  const stored = await secrets.get('token');
  if (stored !== undefined) {
    return stored;
  }
  const token = vscode.workspace.getConfiguration('benchPlain').get<string>('token');
  await secrets.store('token', token ?? '');
  return token;
}

function openPanel(): void {
  // The page has no script. The one that looks for its field comes from outside.
  const panel = vscode.window.createWebviewPanel('benchPlain.panel', 'Plain', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  panel.webview.html = '<!DOCTYPE html><html lang="en"><head><title>Plain</title></head><body><input></body></html>';
}
