/** User settings. Values from a workspace are ignored. */
import * as vscode from 'vscode';
import { type SettingId, SETTINGS } from '../manifest.ts';

/** Reads a number within the bounds in package.json. */
function readSetting(id: SettingId, least: number, most: number): number {
  const { globalValue, defaultValue = least } = vscode.workspace.getConfiguration().inspect<number>(id) ?? {};
  return wholeNumber(globalValue, defaultValue, least, most);
}

export const settings = {
  dryRunMaxAgeMillis: (): number => readSetting(SETTINGS.dryRunMaxAgeMinutes, 1, 120) * 60_000,
  /** 0: never. */
  clipboardClearMillis: (): number => readSetting(SETTINGS.clipboardClearSeconds, 0, 3_600) * 1_000,
  tokenPageSize: (): number => readSetting(SETTINGS.tokenPageSize, 5, 500),
  requestTimeoutMillis: (): number => readSetting(SETTINGS.requestTimeoutSeconds, 5, 600) * 1_000,
};

/**
 * A whole number within bounds.
 * @returns `otherwise` for anything but a number of at least 0: 0 may mean "never", so a negative slip must
 * not.
 */
export function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise;
}
