import type { Locator, Page } from 'playwright-core';
import { runCommand } from './quickInput.ts';

/** The modal question that is open. */
export function modal(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** Answers the open modal question with one of its buttons, and returns what it asked (message and detail). */
export async function answerModal(page: Page, button: string | RegExp): Promise<string> {
  const box = modal(page);
  const asked = await box.locator('.dialog-message-container').innerText();
  // The next question may open as this one closes: it is this one that has to go.
  const pressed = await box.getByRole('button', { name: button, exact: true }).elementHandle();
  await pressed?.click();
  await pressed?.waitForElementState('hidden');
  return asked;
}

/** A notification that holds this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item', { hasText: text });
}

/** The text of a notification that is there for all to read. */
export async function notificationText(page: Page, text: string | RegExp): Promise<string> {
  return notification(page, text).locator('.notification-list-item-message').innerText();
}

/** Takes all notifications away. VS Code shows three at a time: a fourth is not seen until there is room. */
export async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
}

/** Presses a button of a notification. */
export async function answerNotification(page: Page, text: string | RegExp, button: string): Promise<void> {
  await notification(page, text).getByRole('button', { name: button, exact: true }).click();
}

/** The text on the clipboard of this window's person. */
export async function clipboardText(page: Page): Promise<string> {
  await page.bringToFront();
  return page.evaluate(() => navigator.clipboard.readText());
}
