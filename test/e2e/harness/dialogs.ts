import type { Locator, Page } from 'playwright-core';
import { actUntil, type Effect } from './conditions.ts';
import { runCommand } from './quickInput.ts';

/** The open modal question. */
export function modal(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/**
 * Answers the open modal question with one of its buttons.
 * @returns its message and detail
 */
export async function answerModal(page: Page, button: string | RegExp): Promise<string> {
  const box = modal(page);
  const asked = await box.locator('.dialog-message-container').innerText();
  // The next question may open as this one closes, so this waits for exactly this one to disappear.
  const pressed = await box.getByRole('button', { name: button, exact: true }).elementHandle();
  const isGone = async (): Promise<boolean> => (await pressed?.isVisible()) !== true;
  await actUntil(async () => {
    await pressed?.click().catch(async (error: unknown) => {
      if (!(await isGone())) throw error;
    });
  }, isGone);
  return asked;
}

/** A notification with this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item', { hasText: text });
}

/** Clears all notifications. VS Code shows three at a time, so a fourth is not visible until there is room. */
export async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
}

/** Presses a notification's button until that has an effect. */
export async function answerNotification(
  page: Page,
  text: string | RegExp,
  button: string,
  effect: Effect,
): Promise<void> {
  const shown = notification(page, text);
  await actUntil(async () => {
    // It may disappear before its effect.
    if (await shown.isVisible()) await shown.getByRole('button', { name: button, exact: true }).click();
  }, effect);
}

/** Text on the clipboard of this window's user. */
export async function clipboardText(page: Page): Promise<string> {
  await page.bringToFront();
  return page.evaluate(() => navigator.clipboard.readText());
}
