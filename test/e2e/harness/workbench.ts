import type { BrowserContext, Page } from 'playwright-core';
import { actUntil } from './conditions.ts';
import { PATIENCE_MS } from './patience.ts';
import type { RunningVSCode } from './vscode.ts';

/**
 * Opens a window of VS Code and waits until its commands work.
 *
 * @param folder to open; the empty workspace by default
 */
export async function openWorkbench(
  person: BrowserContext,
  vscode: RunningVSCode,
  folder: string = vscode.workspace,
): Promise<Page> {
  const page = await person.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${vscode.url}/?folder=${encodeURIComponent(folder)}`);
  await untilReady(page);
  return page;
}

/** Reloads a window, like Developer: Reload Window. */
export async function reloadWorkbench(page: Page): Promise<void> {
  await page.reload();
  await untilReady(page);
}

async function untilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.activitybar .action-item').first().waitFor();
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  // The status bar shows this until extensions that belong to the start are activated.
  await page.locator('.statusbar-item', { hasText: 'Activating Extensions' }).waitFor({ state: 'detached' });
}

/** Opens a view container by its name in the activity bar. */
export async function openViewContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name });
  await tab.waitFor();
  // Clicking the selected tab would close the side bar.
  await actUntil(
    async () => {
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    },
    page.locator('.part.sidebar .title-label', { hasText: name }),
  );
}

/** All text of the document and its frames, including markup and form values, for tests of what must not be there. */
export async function everythingInPage(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const found: string[] = [];
        const look = (root: Document | ShadowRoot): void => {
          found.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
          for (const element of root.querySelectorAll('*')) {
            if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
              found.push(element.value);
            if (element.shadowRoot !== null) look(element.shadowRoot);
          }
        };
        look(document);
        return found.join('\n');
      }),
    ),
  );
  return texts.join('\n');
}
