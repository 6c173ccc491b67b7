import * as vscode from 'vscode';
import type { SettingId } from '../../../../src/manifest.ts';

/** Does something while a user setting has a value. */
export async function withSetting(id: SettingId, value: number, work: () => Promise<void>): Promise<void> {
  const update = (to: number | undefined): Thenable<void> => vscode.workspace.getConfiguration().update(id, to, vscode.ConfigurationTarget.Global);
  await update(value);
  try {
    await work();
  } finally {
    await update(undefined);
  }
}
