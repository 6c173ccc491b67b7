/** The settings, as the person set them for all workspaces: what a workspace says is not looked at. */
import * as vscode from 'vscode';
import { SETTINGS } from '../manifest.ts';
import type { SettingId } from '../manifest.ts';

/** Reads one number within the bounds that package.json declares. */
function wholeNumber(id: SettingId, least: number, most: number): number {
  const found = vscode.workspace.getConfiguration().inspect<number>(id);
  const value = found?.globalValue ?? found?.defaultValue;
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.floor(value)))
    : least;
}

export const settings = {
  dryRunMaxAgeMillis: (): number => wholeNumber(SETTINGS.dryRunMaxAgeMinutes, 1, 120) * 60_000,
  /** 0: never. */
  clipboardClearMillis: (): number => wholeNumber(SETTINGS.clipboardClearSeconds, 0, 3_600) * 1_000,
  tokenPageSize: (): number => wholeNumber(SETTINGS.tokenPageSize, 5, 500),
  requestTimeoutMillis: (): number => wholeNumber(SETTINGS.requestTimeoutSeconds, 5, 600) * 1_000,
};
