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
  await runCommand(page, 'DataHub: Add Connection...');
  await quickInputStep(page, 'Add Connection');
  await quickPickRow(page, /Type or paste the address/).waitFor();
  return enterConnection(page, entered);
}

/**
 * Answers each step, starting with the address, whatever the server says. The user is typed if it is asked, and name
 * and role are changed in the summary.
 * @returns the text of the summary
 */
export async function enterConnection(page: Page, entered: Entered): Promise<string> {
  await enterAddress(page, entered.address);
  await enterToken(page, entered.token ?? '');
  const saving = quickPickRow(page, /Save Connection|Save Anyway/);
  const user = quickInputMessage(page).filter({ hasText: /Your user ID or URN/ });
  await saving.or(user).first().waitFor();
  if (await user.isVisible()) {
    await answerStep(page, /Your user ID or URN/, entered.actor);
  }
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

/** Goes on even if no service is found there. */
async function enterAddress(page: Page, address: string): Promise<void> {
  await fillQuickInput(page, address);
  await quickPickRow(page, /^\s*https?:/).waitFor();
  const anyway = quickPickRow(page, 'Use This Address Anyway');
  const token = quickInputMessage(page).filter({ hasText: /Access token/ });
  await pressUntil(page, 'Enter', anyway.or(token).or(modal(page)));
  if (await anyway.isVisible()) {
    await pick(page, 'Use This Address Anyway');
  }
  await agreeToPlainHttp(page);
}

/** A browser's extension host runs on a server, whose loopback addresses other users may have. */
export async function agreeToPlainHttp(page: Page): Promise<void> {
  const token = quickInputMessage(page).filter({ hasText: /Access token/ });
  await modal(page).or(token).first().waitFor();
  if (await modal(page).isVisible()) {
    assert.match(await answerModal(page, 'Use Plain HTTP'), /^Send credentials to .* without encryption/);
  }
}

/** Keeps a token even if the server refuses it. */
async function enterToken(page: Page, token: string): Promise<void> {
  await answerStep(page, /Access token/, token);
  if (
    await quickInputMessage(page)
      .filter({ hasText: /Press Enter again/ })
      .isVisible()
  ) {
    await acceptQuickInput(page);
  }
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
