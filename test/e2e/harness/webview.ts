import type { FrameLocator, Page } from 'playwright-core';

/** The page inside the visible webview. VS Code wraps it in two frames. */
export function webviewPage(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}
