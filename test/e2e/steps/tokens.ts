import type { Page } from 'playwright-core';
import { answerModal, clipboardText, modal } from '../harness/dialogs.ts';
import { pick, quickInputStep, runCommand } from '../harness/quickInput.ts';
import { chooseFromRow } from '../harness/tree.ts';
import { answerStep } from './connections.ts';

export type WantedToken = {
  readonly name: string;
  /** Label in the list, such as `1 hour`. */
  readonly duration: string;
  /** Omitted if the server has no such step. */
  readonly description?: string;
  /** Kind of token, if the server knows several. */
  readonly type?: 'Personal' | 'Service account';
};

/**
 * Creates a token from the palette, up to the question about its string.
 * @returns the text of that question
 */
export async function createToken(page: Page, wanted: WantedToken): Promise<string> {
  await runCommand(page, 'Metadata Service (DataHub): Create Access Token...');
  await quickInputStep(page, 'Create Access Token');
  if (wanted.type !== undefined) await pick(page, wanted.type);
  await answerStep(page, /Name this token so you can recognize it later/, wanted.name);
  await answerStep(page, /User this token acts as/, 'admin');
  await pick(page, wanted.duration);
  if (wanted.description !== undefined) await answerStep(page, /A description/, wanted.description);
  await modal(page).waitFor();
  return modal(page).locator('.dialog-message-container').innerText();
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
