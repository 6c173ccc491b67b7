/** The settings, as the person set them for all workspaces: what a workspace says is not looked at. */
import * as vscode from 'vscode';
import { type SettingId, SETTINGS } from '../manifest.ts';

/** Reads one number within the bounds that package.json declares. */
function read(id: SettingId, least: number, most: number): number {
  const { globalValue, defaultValue = least } = vscode.workspace.getConfiguration().inspect<number>(id) ?? {};
  return wholeNumber(globalValue, defaultValue, least, most);
}

export const settings = {
  dryRunMaxAgeMillis: (): number => read(SETTINGS.dryRunMaxAgeMinutes, 1, 120) * 60_000,
  /** 0: never. */
  clipboardClearMillis: (): number => read(SETTINGS.clipboardClearSeconds, 0, 3_600) * 1_000,
  tokenPageSize: (): number => read(SETTINGS.tokenPageSize, 5, 500),
  requestTimeoutMillis: (): number => read(SETTINGS.requestTimeoutSeconds, 5, 600) * 1_000,
};

/**
 * A whole number as a setting has it, within its bounds.
 * @returns `otherwise` for what is no number, or is negative: 0 may mean "never", which a slip of the hand must not.
 */
export function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise;
}
