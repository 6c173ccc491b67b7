/** Truncation pages that are listened to. */
import assert from 'node:assert/strict';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { TruncationPageView } from '../../../../src/pages/truncation/protocol.ts';
import { openPage, type ListenedPage } from './openPage.ts';
import type { Row } from './tree.ts';

/** Opens the wizard of an index, or of a truncation, from its row. */
export async function openWizard(
  row: Row,
  command: string = COMMANDS.indexTruncate,
): Promise<{ readonly page: ListenedPage }> {
  const page = await openPage(command, row);
  assert.ok(page !== undefined, 'a wizard was open');
  return { page };
}

export function shownWizard(page: ListenedPage): TruncationPageView | undefined {
  return page.view() as unknown as TruncationPageView | undefined;
}
