import type { Page } from 'playwright-core';
import { writeWorkspaceSettings, type RunningVSCode } from './vscode.ts';
import { webviewPage } from './webview.ts';

/** A built-in theme of VS Code, with the markers on its workbench and its pages. */
export type Theme = {
  /** Name in the settings. */
  readonly id: string;
  /** Part of file names. */
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

/** Themes of the approved pictures: a light one, and a dark one with high contrast. */
export const PICTURED_THEMES: readonly Theme[] = THEMES.filter(({ slug }) => slug === 'light' || slug === 'hc-dark');

/**
 * Sets the theme of the workspace, and waits until the window and its page show it. Uses the workspace's settings:
 * the list of themes previews several on the way to one, and takes three times as long.
 */
export async function showTheme(page: Page, vscode: RunningVSCode, theme: Theme): Promise<void> {
  await writeWorkspaceSettings(vscode.workspace, { 'workbench.colorTheme': theme.id });
  await page.locator(`.monaco-workbench${theme.workbench}`).waitFor();
  if ((await page.locator('iframe.webview.ready').count()) > 0)
    await webviewPage(page).locator(`body${theme.webview}`).waitFor();
}

export async function shownTheme(page: Page): Promise<Theme | undefined> {
  const classes = (await page.locator('.monaco-workbench').first().getAttribute('class'))?.split(' ') ?? [];
  return THEMES.find(({ workbench }) => classes.includes(workbench.slice(1)));
}
