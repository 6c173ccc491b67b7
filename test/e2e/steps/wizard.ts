import type { FrameLocator, Locator, Page } from 'playwright-core';
import { inQuickTime } from '../../host/vscode/quickTime.ts';
import { actUntil } from '../harness/conditions.ts';
import {
  acceptQuickInput,
  cancelQuickInput,
  fillQuickInput,
  quickInput,
  quickInputAsking,
  quickInputStep,
  quickInputMessage,
  quickInputTitle,
} from '../harness/quickInput.ts';
import { pressRowIcon } from '../harness/tree.ts';
import { webviewPage } from '../harness/webview.ts';

/** Report of a dry run in the wizard. */
export type ShownReport = {
  readonly rowsToDelete: number;
  readonly rowsTotal: number;
  readonly strategy: string;
};

/** Texts on the way to the wizard, by display language. */
type WizardWords = { readonly icon: string; readonly question: string; readonly heading: RegExp };

const ENGLISH: WizardWords = {
  icon: 'Truncate Index',
  question: 'Select a time series index',
  heading: /^Truncate /,
};

/**
 * Opens the wizard from an index in the tree. If VS Code is replacing the row, the command does not get it and asks
 * for the index. Then the row is clicked once more.
 */
export async function openWizard(
  page: Page,
  row: string | RegExp,
  words: WizardWords = ENGLISH,
): Promise<FrameLocator> {
  const wizard = webviewPage(page);
  const heading = wizard.getByRole('heading', { level: 1, name: words.heading });
  const question = quickInputAsking(page, words.question);
  await actUntil(async () => {
    await pressRowIcon(page, row, words.icon, async () => (await heading.isVisible()) || (await question.isVisible()));
    if (await question.isVisible()) await cancelQuickInput(page);
  }, heading);
  return wizard;
}

/** Enters the cutoff in days before now. */
export async function chooseDays(wizard: FrameLocator, days: number): Promise<void> {
  await backToFields(wizard);
  await cutoffKind(wizard).selectOption('days');
  await wizard.getByRole('combobox', { name: 'Delete rows older than' }).fill(String(days));
}

/** Enters the cutoff as a date, in the user's time zone. */
export async function chooseDate(wizard: FrameLocator, date: string): Promise<void> {
  await backToFields(wizard);
  await cutoffKind(wizard).selectOption('date and time');
  await wizard.getByLabel('Date', { exact: true }).fill(date);
}

/** The list of ways to set the cutoff. */
export function cutoffKind(wizard: FrameLocator): Locator {
  return wizard.getByRole('combobox', { name: 'Set the cutoff by' });
}

/** Leaves a review for the fields. */
export async function backToFields(wizard: FrameLocator): Promise<void> {
  const back = wizard.getByRole('button', { name: 'Back', exact: true });
  if (await back.isVisible()) await back.click();
}

/** Unfolds what a decision seldom needs. */
export async function unfoldDetails(wizard: FrameLocator): Promise<void> {
  const line = wizard.locator('details.folded:not([open]) > summary', { hasText: 'Details' });
  if (await line.isVisible()) await line.click();
}

/** The ID of the task that was sent. */
export async function shownTaskId(wizard: FrameLocator): Promise<string> {
  await wizard.locator('#outcome-heading').waitFor();
  await unfoldDetails(wizard);
  return (await fact(wizard, 'Task ID').locator('code').innerText()).trim();
}

/** Waits until the rows by age are counted, so that no dry run is sent but those of the test. */
export async function rowsByAgeCounted(wizard: FrameLocator): Promise<void> {
  await wizard.getByText(/^as of /).waitFor();
  await wizard.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
}

/**
 * Runs the dry run.
 * @returns the report
 */
export async function dryRun(wizard: FrameLocator): Promise<ShownReport> {
  await wizard.getByRole('button', { name: /^Dry Run/ }).click();
  return shownReport(wizard);
}

/** The report, once there is one. */
export async function shownReport(wizard: FrameLocator): Promise<ShownReport> {
  const toDelete = await rowsToDelete(wizard);
  await unfoldDetails(wizard);
  return {
    rowsToDelete: toDelete,
    rowsTotal: toDelete + numberIn(await fact(wizard, 'Rows to keep').innerText()),
    strategy: await fact(wizard, 'Strategy').innerText(),
  };
}

/** The rows that a dry run would delete, once it is there. */
export async function rowsToDelete(wizard: FrameLocator): Promise<number> {
  await wizard.locator('#report-heading').waitFor();
  return numberIn(await fact(wizard, 'Rows to delete').innerText());
}

/** The value next to a name, such as `Task ID`. */
export function fact(wizard: FrameLocator, name: string): Locator {
  return wizard
    .locator('dl > div', { has: wizard.locator('dt', { hasText: new RegExp(`^\\s*${name}\\s*$`) }) })
    .locator('dd')
    .first();
}

/** The button that deletes. */
export function deleteButton(wizard: FrameLocator): Locator {
  return wizard.getByRole('button', { name: /^Delete .*Rows…$/ });
}

/**
 * Types the text that is asked for before rows are deleted, and presses Enter.
 * @param subject The index, or for example "2 indices".
 * @returns title and prompt of the question
 */
export async function confirmDeletion(page: Page, subject: string): Promise<string> {
  const asked = await questionOf(page, subject);
  await typeWhatIsAsked(page);
  return asked;
}

/** Types the text of the open question, in any language. */
export async function typeWhatIsAsked(page: Page): Promise<void> {
  const text = await quickInput(page).locator('.quick-input-box input').getAttribute('placeholder');
  await fillQuickInput(page, text ?? '');
  await acceptQuickInput(page);
}

/** Waits for the question before rows are deleted. @returns its title and its prompt */
export async function questionOf(page: Page, subject: string): Promise<string> {
  const title = new RegExp(`^Delete .* of ${subject} from `, 'i');
  await quickInputStep(page, title);
  return `${await quickInputTitle(page, title).innerText()}\n${await quickInputMessage(page).innerText()}`;
}

/** Ticks all cautions of a review. */
export async function tickCautions(wizard: FrameLocator): Promise<void> {
  for (const box of await wizard.locator('label.callout input').all()) await box.check();
}

/** Waits until searches find exactly the rows that should stay, and the page shows how many were deleted. */
export function finished(wizard: FrameLocator): Promise<void> {
  return inQuickTime(() =>
    wizard
      .getByRole('heading', { name: /^[\d,]+ rows deleted/ })
      .first()
      .waitFor(),
  );
}

function numberIn(text: string): number {
  return Number(text.replaceAll(/\D/g, ''));
}
