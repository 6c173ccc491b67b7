import type { Page } from 'playwright-core';
import { answerModal, clipboardText, modal } from '../harness/dialogs.ts';
import { pick, quickInputStep, runCommand } from '../harness/quickInput.ts';
import { chooseFromRow } from '../harness/tree.ts';
import { answerStep } from './connections.ts';

export type WantedToken = {
  readonly name: string;
  /** As the list calls it, such as `1 hour`. */
  readonly duration: string;
  /** Left out where the server takes none: then there is no such step. */
  readonly description?: string;
  /** The kind, where the server knows several. */
  readonly type?: 'Personal' | 'Service account';
};

/** Creates a token from the palette, up to the question what to do with its string. Returns what that question says. */
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

/** Creates a token and copies it. Returns its string, as it is on the clipboard. */
export async function createAndCopyToken(page: Page, wanted: WantedToken): Promise<string> {
  await createToken(page, wanted);
  await answerModal(page, 'Copy Token');
  await page.locator('.statusbar-item', { hasText: 'Access token copied' }).waitFor();
  return clipboardText(page);
}

/** Revokes the token of a row, and returns what was asked before. */
export async function revokeToken(page: Page, name: string | RegExp): Promise<string> {
  await chooseFromRow(page, name, 'Revoke Access Token');
  return answerModal(page, 'Revoke');
}
