/** Reads and replaces the state that the extension has stored. */
import type * as vscode from 'vscode';
import type { Stored } from './stored.ts';

type Context = Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState' | 'secrets'>;

/** All of it, secrets too, but for what is in files alone: for tests, on a sample server. */
export async function stateOf({
  globalState,
  workspaceState,
  secrets,
}: Context): Promise<Omit<Stored, 'panelStates' | 'sizeHistories'>> {
  const kept = await Promise.all(
    (await secrets.keys()).toSorted().map(async (key) => [key, (await secrets.get(key)) ?? ''] as const),
  );
  return {
    globalState: valuesOf(globalState),
    workspaceState: valuesOf(workspaceState),
    secrets: Object.fromEntries(kept),
  };
}

/** Stores this instead of what there is. */
export async function putInPlace({ globalState, workspaceState, secrets }: Context, stored: Stored): Promise<void> {
  for (const [memento, values] of [
    [globalState, stored.globalState],
    [workspaceState, stored.workspaceState],
  ] as const) {
    const keys = new Set([...memento.keys(), ...Object.keys(values)]);
    await Promise.all([...keys].map((key) => memento.update(key, values[key])));
  }
  const names = new Set([...(await secrets.keys()), ...Object.keys(stored.secrets)]);
  for (const name of names) {
    const value = stored.secrets[name];
    await (value === undefined ? secrets.delete(name) : secrets.store(name, value));
  }
}

function valuesOf(memento: vscode.Memento): Record<string, unknown> {
  return Object.fromEntries(
    memento
      .keys()
      .toSorted()
      .map((key) => [key, memento.get(key)]),
  );
}
