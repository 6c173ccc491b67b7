import type { Page } from 'playwright-core';
import { acceptQuickInput, fillQuickInput, quickInput, quickPickRow, runCommand } from './quickInput.ts';
import { webviewPage } from './webview.ts';

/** A theme that comes with VS Code, with what its workbench and the pages inside it are stamped with. */
export type Theme = {
  /** As in the list of themes. */
  readonly label: string;
  /** In names of files. */
  readonly slug: string;
  readonly workbench: string;
  readonly webview: string;
};

export const THEMES: readonly Theme[] = [
  { label: 'Dark Modern', slug: 'dark', workbench: '.vs-dark', webview: '.vscode-dark' },
  { label: 'Light Modern', slug: 'light', workbench: '.vs', webview: '.vscode-light' },
  {
    label: 'Dark High Contrast',
    slug: 'hc-dark',
    workbench: '.hc-black',
    webview: '.vscode-high-contrast:not(.vscode-high-contrast-light)',
  },
  {
    label: 'Light High Contrast',
    slug: 'hc-light',
    workbench: '.hc-light',
    webview: '.vscode-high-contrast-light',
  },
];

/** Chooses a theme, and waits until the window and the page in it show it. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await quickPickRow(page, THEMES[0]?.label ?? '').waitFor();
  await fillQuickInput(page, theme.label);
  await quickPickRow(page, theme.label).and(page.locator('.focused')).waitFor();
  await acceptQuickInput(page);
  await quickInput(page).waitFor({ state: 'hidden' });
  await page.locator(`.monaco-workbench${theme.workbench}`).waitFor();
  if ((await page.locator('iframe.webview.ready').count()) > 0)
    await webviewPage(page).locator(`body${theme.webview}`).waitFor();
}
