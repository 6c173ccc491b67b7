import type { Page } from 'playwright-core';
import { writeWorkspaceSettings, type RunningVSCode } from './vscode.ts';
import { webviewPage } from './webview.ts';

/** A theme that comes with VS Code, with what its workbench and the pages inside it are stamped with. */
export type Theme = {
  /** As settings name it. */
  readonly id: string;
  /** In names of files. */
  readonly slug: string;
  readonly workbench: string;
  readonly webview: string;
};

export const THEMES: readonly Theme[] = [
  { id: 'Dark Modern', slug: 'dark', workbench: '.vs-dark', webview: '.vscode-dark' },
  { id: 'Light Modern', slug: 'light', workbench: '.vs', webview: '.vscode-light' },
  {
    id: 'Default High Contrast',
    slug: 'hc-dark',
    workbench: '.hc-black',
    webview: '.vscode-high-contrast:not(.vscode-high-contrast-light)',
  },
  {
    id: 'Default High Contrast Light',
    slug: 'hc-light',
    workbench: '.hc-light',
    webview: '.vscode-high-contrast-light',
  },
];

/**
 * Gives the workspace a theme, and waits until the window and the page in it show it. It is set in the workspace's
 * settings: the list to pick from shows several themes on the way to one, at three times the cost.
 */
export async function showTheme(page: Page, vscode: RunningVSCode, theme: Theme): Promise<void> {
  await writeWorkspaceSettings(vscode.workspace, { 'workbench.colorTheme': theme.id });
  await page.locator(`.monaco-workbench${theme.workbench}`).waitFor();
  if ((await page.locator('iframe.webview.ready').count()) > 0)
    await webviewPage(page).locator(`body${theme.webview}`).waitFor();
}
