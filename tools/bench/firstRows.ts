import type { Page } from 'playwright-core';

/** Times in ms from the press that opens the view for the first time in a window. */
export interface FirstRows {
  readonly connectionMs: number;
  readonly tokensMs: number;
  /** Labels of the visible tokens. */
  readonly labels: readonly string[];
}

/** Opens a view container for the first time, and the group of tokens as soon as it is visible. */
export async function firstRows(page: Page, containerTitle: string): Promise<FirstRows> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name: containerTitle, exact: true });
  await tab.waitFor();
  const rows = page.evaluate(recordRows, 'Access tokens');
  await tab.click();
  return rows;
}

/** Runs in the page, to exclude the driver's delay. */
function recordRows(groupLabel: string): Promise<FirstRows> {
  return new Promise((resolve) => {
    let start = 0;
    let connectionMs: number | undefined;
    let opened = false;
    const rows = (level: number): HTMLElement[] => [
      ...document.querySelectorAll<HTMLElement>(
        `.part.sidebar .tree-explorer-viewlet-tree-view [role="treeitem"][aria-level="${level}"]`,
      ),
    ];
    // The name that screen readers get: a long one is shortened on the screen.
    const labelOf = (row: HTMLElement): string => row.ariaLabel?.split(',')[0]?.trim() ?? '';
    const look = (): void => {
      const sinceStart = performance.now() - start;
      if (connectionMs === undefined && rows(1).length > 0) connectionMs = sinceStart;
      const group = rows(2).find((row) => row.ariaLabel?.startsWith(groupLabel));
      if (!opened && group !== undefined) {
        opened = true;
        group.querySelector<HTMLElement>('.monaco-tl-twistie')?.click();
      }
      const tokens = rows(3);
      if (connectionMs === undefined || tokens.length === 0) return;
      observer.disconnect();
      resolve({
        connectionMs,
        tokensMs: sinceStart,
        labels: tokens.map(labelOf).filter((label) => !/^Load .*More/.test(label)),
      });
    };
    const observer = new MutationObserver(look);
    addEventListener(
      'click',
      ({ timeStamp }) => {
        start = timeStamp;
        observer.observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
          attributeFilter: ['aria-level', 'aria-label'],
        });
      },
      { capture: true, once: true },
    );
  });
}
