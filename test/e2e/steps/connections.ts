import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { escaped } from '../../../tools/escaped.ts';
import { answerModal, modal } from '../harness/dialogs.ts';
import {
  acceptQuickInput,
  fillQuickInput,
  pick,
  pressUntil,
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
  readonly token: string;
  readonly name: string;
  /** Role of the server. Development by default. */
  readonly role?: string;
};

/**
 * Fills in the form of "Add Connection", from the palette.
 * @returns the text of the form
 */
export async function describeConnection(page: Page, entered: Entered): Promise<string> {
  await runCommand(page, 'DataHub: Add Connection...');
  await quickInputStep(page, 'Add Connection');
  await quickPickRow(page, /Type or paste the address/).waitFor();
  await fillQuickInput(page, entered.address);
  // The first meaning of the address.
  await quickPickRow(page, /^\s*https?:/).waitFor();
  await pressUntil(page, 'Enter', quickInputMessage(page).filter({ hasText: /Access token/ }));
  await answerStep(page, /Access token/, entered.token);
  const saving = quickPickRow(page, 'Save Connection');
  await saving.waitFor();
  await pick(page, /^\s*Name: /);
  await answerStep(page, /A name for this connection/, entered.name);
  await saving.waitFor();
  const role = entered.role ?? 'Development';
  if (!(await quickPickRow(page, `Role: ${role}`).isVisible())) {
    await pick(page, /^\s*Role: /);
    await pick(page, role);
  }
  await quickPickRow(page, `Role: ${role}`).waitFor();
  return quickInput(page).innerText();
}

/** Saves the form. A browser's extension host runs on a server, whose loopback addresses other users may have. */
export async function saveForm(page: Page): Promise<void> {
  await pick(page, 'Save Connection');
  await modal(page).waitFor();
  assert.match(await answerModal(page, 'Use Plain HTTP'), /^Send credentials to .* without encryption/);
}

/** Answers the input box with this prompt. */
export async function answerStep(page: Page, prompt: string | RegExp, text: string): Promise<void> {
  await quickInputMessage(page).filter({ hasText: prompt }).waitFor();
  await fillQuickInput(page, text);
  await acceptQuickInput(page);
}

/** Adds a working connection, and shows the tree with it. */
export async function addConnection(page: Page, entered: Entered): Promise<void> {
  await openViewContainer(page, 'DataHub');
  await describeConnection(page, entered);
  await saveForm(page);
  const row = connectionRow(page, entered.name);
  await row.waitFor();
  // The first row takes the focus once it is drawn, which closes a palette that was opened before.
  if ((await treeRow(page, /./).and(page.locator('[aria-level="1"]')).count()) === 1) {
    await row.and(page.locator('.monaco-list:focus .monaco-list-row.focused')).waitFor();
  }
}

/** Chooses another role in the form of a connection. A question about it stays open. */
export async function chooseRole(page: Page, name: string, role: string): Promise<void> {
  await chooseFromRow(page, namedBy(name), 'Edit Connection...');
  await pick(page, /^\s*Role: /);
  await pick(page, role);
  await pick(page, 'Save Connection');
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
