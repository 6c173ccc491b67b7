import type { Page } from 'playwright-core';
import { escaped } from '../../../tools/escaped.ts';
import { answerModal } from '../harness/dialogs.ts';
import {
  acceptQuickInput,
  fillQuickInput,
  pick,
  quickInput,
  quickInputMessage,
  quickInputStep,
  quickPickRow,
  runCommand,
} from '../harness/quickInput.ts';
import { chooseFromRow, treeRow } from '../harness/tree.ts';
import { openViewContainer } from '../harness/workbench.ts';

/** Input of a user for a connection. */
export type Entered = {
  /** Pasted text. */
  readonly address: string;
  readonly actor: string;
  /** If undefined, the step is left empty. */
  readonly token?: string;
  readonly name: string;
  /** Role of the server. Development by default. */
  readonly role?: string;
};

/**
 * Walks through "Add Connection", from the palette to the last step.
 * @returns the text of that step
 */
export async function describeConnection(page: Page, entered: Entered): Promise<string> {
  await runCommand(page, 'Metadata Service (DataHub): Add Connection...');
  await quickInputStep(page, 'Add Connection');
  await quickPickRow(page, /Type or paste the address/).waitFor();
  return enterConnection(page, entered);
}

/**
 * Answers each step, starting with the address.
 * @returns the text of the last one
 */
export async function enterConnection(page: Page, entered: Entered): Promise<string> {
  await fillQuickInput(page, entered.address);
  await quickPickRow(page, /^\s*https?:/).waitFor();
  await acceptQuickInput(page);
  await answerStep(page, /Your user ID or URN/, entered.actor);
  await answerStep(page, /Access token/, entered.token ?? '');
  await answerStep(page, /A name for this connection/, entered.name);
  await pickRole(page, entered.role);
  await quickPickRow(page, /Save Connection|Save Anyway/).waitFor();
  return quickInput(page).innerText();
}

/** Chooses the role of the server. */
export async function pickRole(page: Page, role = 'Development'): Promise<void> {
  await pick(page, role);
}

/** Answers the input box with this prompt. */
export async function answerStep(page: Page, prompt: string | RegExp, text: string): Promise<void> {
  await quickInputMessage(page).filter({ hasText: prompt }).waitFor();
  await fillQuickInput(page, text);
  await acceptQuickInput(page);
}

/** Adds a working connection, and shows the tree with it. */
export async function addConnection(page: Page, entered: Entered): Promise<void> {
  await openViewContainer(page, 'Metadata Service');
  await describeConnection(page, entered);
  await pick(page, 'Save Connection');
  await connectionRow(page, entered.name).waitFor();
}

/** Removes a connection by the menu of its row. */
export async function removeConnection(page: Page, name: string): Promise<void> {
  await chooseFromRow(page, namedBy(name), 'Remove Connection');
  await answerModal(page, 'Remove');
  await connectionRow(page, name).waitFor({ state: 'detached' });
}

/** Row of a connection. */
export function connectionRow(page: Page, name: string): ReturnType<typeof treeRow> {
  return treeRow(page, namedBy(name)).and(page.locator('[aria-level="1"]'));
}

/** Matches labels beginning with a whole name. */
function namedBy(name: string): RegExp {
  return new RegExp(`^${escaped(name)}(?![\\p{L}\\p{N}_])`, 'u');
}
