/** User settings. Values from a workspace are ignored. */
import * as vscode from 'vscode';
import { SETTING_BOUNDS, type SettingKey, SETTINGS } from '../manifest.ts';

/** Reads a number within the bounds in package.json. */
function readSetting(key: SettingKey): number {
  const [least, most] = SETTING_BOUNDS[key];
  const { globalValue, defaultValue = least } =
    vscode.workspace.getConfiguration().inspect<number>(SETTINGS[key]) ?? {};
  return wholeNumber(globalValue, defaultValue, least, most);
}

export const settings = {
  dryRunMaxAgeMillis: (): number => readSetting('dryRunMaxAgeMinutes') * 60_000,
  /** 0: never. */
  clipboardClearMillis: (): number => readSetting('clipboardClearSeconds') * 1_000,
  requestTimeoutMillis: (): number => readSetting('requestTimeoutSeconds') * 1_000,
};

/**
 * A whole number within bounds.
 * @returns `otherwise` for anything but a number of at least 0: 0 may mean "never", so a negative slip must
 * not.
 */
export function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise;
}
