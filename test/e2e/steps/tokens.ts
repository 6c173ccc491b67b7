import type { Page } from 'playwright-core';
import { answerModal, clipboardText, modal } from '../harness/dialogs.ts';
import { pick, runCommand } from '../harness/quickInput.ts';
import { chooseFromRow } from '../harness/tree.ts';
import { answerStep } from './connections.ts';

export type WantedToken = {
  readonly name: string;
  /** Label in the list, such as `1 hour`. */
  readonly duration: string;
  /** None by default. */
  readonly description?: string;
};

/** Creates a token from the palette, up to the question about its string. */
export async function createToken(page: Page, { name, duration, description }: WantedToken): Promise<void> {
  await runCommand(page, 'DataHub: Create Access Token...');
  await answerStep(page, /Name this token so you can recognize it later/, name);
  // Fields that differ from the defaults.
  await pick(page, 'Expires after');
  await pick(page, duration);
  if (description !== undefined) {
    await pick(page, 'Description');
    await answerStep(page, /A description/, description);
  }
  await pick(page, 'Create Access Token');
  await modal(page).waitFor();
}

/**
 * Creates a token and copies it.
 * @returns the copied string
 */
export async function createAndCopyToken(page: Page, wanted: WantedToken): Promise<string> {
  await createToken(page, wanted);
  await answerModal(page, 'Copy Token');
  await page.locator('.statusbar-item', { hasText: 'Access token copied' }).waitFor();
  return clipboardText(page);
}

/**
 * Revokes the token of a row.
 * @returns the question before
 */
export async function revokeToken(page: Page, name: string | RegExp): Promise<string> {
  await chooseFromRow(page, name, 'Revoke Access Token');
  return answerModal(page, 'Revoke');
}
