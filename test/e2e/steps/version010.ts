// Steps in the user interface of version 0.1.0.
import type { FrameLocator, Page } from 'playwright-core';
import { answerModal, modal } from '../harness/dialogs.ts';
import {
  acceptQuickInput,
  fillQuickInput,
  pick,
  quickInputStep,
  quickPickRow,
  runCommand,
} from '../harness/quickInput.ts';
import { pressRowIcon } from '../harness/tree.ts';
import { webviewPage } from '../harness/webview.ts';
import { openViewContainer } from '../harness/workbench.ts';
import { answerStep, connectionRow, type Entered } from './connections.ts';

/** Adds a connection. 0.1.0 asks for no role. */
export async function addConnection(page: Page, entered: Omit<Entered, 'role'>): Promise<void> {
  await openViewContainer(page, 'Metadata Service');
  await runCommand(page, 'Metadata Service: Add Connection...');
  await quickInputStep(page, 'Add Connection');
  await quickPickRow(page, /Type or paste the address/).waitFor();
  await fillQuickInput(page, entered.address);
  await quickPickRow(page, /^\s*https?:/).waitFor();
  await acceptQuickInput(page);
  await answerStep(page, /Who are you\?/, entered.actor);
  await answerStep(page, /Access token/, entered.token ?? '');
  await answerStep(page, /A name for this connection/, entered.name);
  await pick(page, entered.token === undefined ? 'Save Anyway' : 'Save Connection');
  await connectionRow(page, entered.name).waitFor();
}

/** Creates a token that ends in a month, and copies it. */
export async function createToken(page: Page, name: string, description: string): Promise<void> {
  await runCommand(page, 'Metadata Service: Create Access Token...');
  await quickInputStep(page, 'Create Access Token');
  await answerStep(page, /A name by which you will know/, name);
  await answerStep(page, /Whom the token acts as/, 'admin');
  await pick(page, '1 month (30 days)');
  await answerStep(page, /A description/, description);
  await answerModal(page, 'Copy Token');
  await page.locator('.statusbar-item', { hasText: 'Access token copied' }).waitFor();
}

/** Truncates an index up to the page's task, and closes the page. */
export async function truncate(
  page: Page,
  { entityType, aspect }: { readonly entityType: string; readonly aspect: string },
  days: number,
  strategy: RegExp,
): Promise<void> {
  const wizard = await openWizard(page, new RegExp(`^${entityType}, ${aspect},`));
  await wizard.getByRole('radio', { name: `${days} days` }).check();
  await wizard.getByRole('button', { name: 'Dry Run' }).click();
  await wizard
    .getByText(/^Strategy: /)
    .filter({ hasText: strategy })
    .waitFor();
  await wizard.getByRole('button', { name: /^Delete .*Rows…$/ }).click();
  await quickInputStep(page, `Delete Rows of ${entityType}/${aspect}`);
  await fillQuickInput(page, `${entityType}/${aspect}`);
  await acceptQuickInput(page);
  await modal(page).waitFor();
  await answerModal(page, /^Delete .*Rows$/);
  await wizard.getByText('Task ID').waitFor();
  await runCommand(page, 'View: Close All Editors');
}

/** Adds an index by name. */
export async function addIndex(page: Page, entityType: string, aspect: string): Promise<void> {
  await runCommand(page, 'Metadata Service: Add Index...');
  await answerStep(page, /^Entity type/, entityType);
  await answerStep(page, /^Aspect/, aspect);
}

export async function sortIndicesByName(page: Page): Promise<void> {
  await runCommand(page, 'Metadata Service: Sort Indices...');
  await pick(page, 'By Name');
}

/** Opens the wizard from an index in the tree. */
export async function openWizard(page: Page, row: RegExp): Promise<FrameLocator> {
  const wizard = webviewPage(page);
  const heading = wizard.getByRole('heading', { name: 'Truncate time series index' });
  await pressRowIcon(page, row, 'Truncate Index', heading);
  return wizard;
}
