// Tokens go through what users do with them, on a server that repeats the credential in its errors. Then everything that
// VS Code itself wrote and showed is searched for them. What a server can make of a token is in the invariants.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { Collection, placesWithPieces } from './harness/canary.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clearNotifications, clipboardText, modal, notification } from './harness/dialogs.ts';
import { pick, quickPickRow, runCommand } from './harness/quickInput.ts';
import { secretsAreDeleted, storedSecrets } from './harness/secretStorage.ts';
import { watchEverything } from './harness/seen.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { chooseFromRow, expandRow, pressRowIcon, treeRow } from './harness/tree.ts';
import { lookAway } from './harness/windows.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { answerStep, connectionRow, describeConnection, removeConnection, saveForm } from './steps/connections.ts';
import { createAndCopyToken, createToken } from './steps/tokens.ts';
import {
  chooseDays,
  confirmDeletion,
  deleteButton,
  dryRun,
  openWizard,
  rowsByAgeCounted,
  shownTaskId,
} from './steps/wizard.ts';

const { service, page, vscode, person } = await openStage({ vscode: { traceLog: true } });
const seen = await watchEverything(person);
const NAME = 'Canary';

/** Every token string of the story, with its origin. */
const tokens = new Map([['the credential', service.adminToken]]);
/** Everything found, step by step, including content that disappears later. */
const collection = new Collection();

suite('no token, and no piece of one, gets into anything that VS Code keeps or shows', () => {
  inOrder();

  test('a connection is added, after a refused attempt', async () => {
    answer('/api/graphql', 401, JSON.stringify({ message: spoken('sign-in'), status: 401 }));
    await openViewContainer(page, 'DataHub');
    await describeConnection(page, { address: service.frontUrl, token: service.adminToken, name: NAME });
    await saveForm(page);
    await quickPickRow(page, 'Try Again').waitFor();
    await search();
    service.faults.clear();
    await pick(page, 'Try Again');
    await connectionRow(page, NAME).waitFor();
    await expandRow(page, /^Access tokens/);
    await expandRow(page, /^Time series indices/);
  });

  test('a token is created and copied', async () => {
    const wanted = { name: 'canary', duration: '1 hour', description: 'sings' };
    tokens.set('a copied token', await createAndCopyToken(page, wanted));
    await clipboardIsCleared();
  });

  test('the dialog of a token is closed, and the token copied later', async () => {
    await createToken(page, { name: 'held', duration: '1 hour' });
    await answerModal(page, 'Close');
    await search();
    await pressRowIcon(page, /^held/, 'Copy Access Token', modal(page));
    await answerModal(page, 'Copy Token');
    // The status bar may still tell of the copy before.
    await eventually(async () => assert.match(await clipboardText(page), /^\S{20,}$/));
    tokens.set('a held token', await clipboardText(page));
    await clipboardIsCleared();
  });

  test('a token is inspected, and a server that is asked about it repeats it', async () => {
    // Another user's, so that the tree has no more rows.
    const { token } = service.issueToken({ name: 'inspected', ownerUrn: service.users.analyst.urn });
    tokens.set('an inspected token', token);
    await runCommand(page, 'DataHub: Inspect Access Token...');
    await answerStep(page, /Access token to inspect/, token);
    answer('getAccessTokenMetadata', 500, JSON.stringify({ message: spoken('token', token), status: 500 }));
    await answerModal(page, 'Ask a Server…');
    await answerModal(page, 'Send Token');
    await modal(page)
      .getByText(/HTTP 500/)
      .waitFor();
    service.faults.clear();
    await answerModal(page, 'Cancel');
    await search();
  });

  test('a created token becomes the credential', async () => {
    await createToken(page, { name: 'own', duration: '1 day' });
    await answerModal(page, 'Use for This Connection');
    await page.locator('.statusbar-item', { hasText: 'now signs in with' }).waitFor();
    const kept = await eventually(async () => {
      const [record = ''] = (await storedSecrets(page)).values();
      const { token } = JSON.parse(record) as { token: string };
      assert.notEqual(token, service.adminToken);
      return token;
    });
    tokens.set('the credential that was created', kept);
    await treeRow(page, /^Access tokens \d+/).waitFor();
  });

  test('it gets into no terminal while VS Code would log its environment', async () => {
    await chooseFromRow(page, /^Access tokens/, 'Open Terminal with Access Token...');
    await notification(page, /At the log level Trace/).waitFor();
    await clearNotifications(page);
  });

  test('a dry run fails, then one is executed and its task watched', async () => {
    const wizard = await openWizard(page, /^dataset, operation,/);
    await rowsByAgeCounted(wizard);
    await chooseDays(wizard, 365);
    const html = `<html><title>${spoken('title')}</title><p>${spoken('page')}</p></html>`;
    answer('truncateTimeseriesAspect', 500, html, 'text/html');
    await wizard.getByRole('button', { name: /^Dry Run/ }).click();
    await wizard.locator('.callout', { hasText: /Denied \(page\)/ }).waitFor();
    await wizard.getByRole('button', { name: 'Copy Details for a Report' }).click();
    const report = await eventually(async () => {
      const copied = await clipboardText(page);
      assert.match(copied, /^Operation: truncateTimeseriesAspect$/m);
      return copied;
    });
    assert.ok(!report.includes(NAME), 'a report names no connection');
    collection.add([{ where: 'clipboard', content: Buffer.from(report).toString('latin1') }]);
    service.faults.clear();

    await dryRun(wizard);
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await shownTaskId(wizard);
    await treeRow(page, /^Truncations 1 running/).waitFor();
    await search();
    const value = JSON.stringify({
      completed: true,
      error: { type: 'exception', reason: spoken('task') },
      status: { total: 9, deleted: 1, canceled: spoken('cancel'), failures: [{ cause: { reason: spoken('row') } }] },
    });
    answer('getEsTaskStatus', 200, JSON.stringify({ value }));
    service.pacing.held = false;
    await treeRow(page, /^dataset\/operation, Counting what is left/).waitFor();
    await search();
    await runCommand(page, 'View: Close All Editors');
  });

  test('the log is opened, the window reloaded', async () => {
    await runCommand(page, 'DataHub: Show Log');
    await search();
    await runCommand(page, 'View: Toggle Panel Visibility');
    await reloadWorkbench(page);
    await treeRow(page, /^Access tokens \d+/).waitFor();
    await search();
  });

  test('the user signs out, signs in, and removes the connection', async () => {
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Sign Out');
    await answerModal(page, 'Sign Out');
    await inQuickTime(() => treeRow(page, new RegExp(`^${NAME}, signed out`)).waitFor());
    await secretsAreDeleted(page);
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Sign In with an Access Token...');
    await answerStep(page, /Access token for/, service.adminToken);
    await treeRow(page, /^Access tokens \d+/).waitFor();
    await inQuickTime(() => removeConnection(page, NAME));
    await secretsAreDeleted(page);
    await search();
  });

  test('the search reads the right places, and finds no token', async () => {
    const shown = (await seen.texts()).map((text, index) => ({
      where: `shown ${index}: ${text.slice(0, 200)}`,
      content: Buffer.from(text).toString('latin1'),
    }));
    const all = [...collection.places, ...shown];
    // The name of the connection is allowed there, and proves that the search finds something.
    const found = placesWith(all, NAME).join('\n');
    for (const place of [/^page$/m, /globalStorage.*connections.*\.json$/m, /^shown \d+:/m]) assert.match(found, place);
    // Without a C++ compiler the VS Code here writes no log files.
    if (all.some(({ where }) => where.endsWith('DataHub.log'))) assert.match(found, /logs.*DataHub\.log$/m);
    assert.match(placesWith(all, 'Kind: ').join('\n'), /^clipboard$/m);
    assert.match(placesWith(all, 'signIn.').join('\n'), /^IndexedDB .*metadata-service-tools/m);
    for (const words of ['Select what to change', 'Type "dataset/operation".', 'Denied']) {
      assert.ok(
        shown.some(({ content }) => content.includes(words)),
        `"${words}" was not seen`,
      );
    }
    // Each search reads the whole page of the wizard while it is open.
    assert.ok(
      collection.places.some(({ where, content }) => where === 'page' && content.includes('Response to the dry run')),
    );
    assert.equal(tokens.size, 5);
    assert.deepEqual(placesWithPieces(all, [...tokens.values()]), []);
  });
});

/** Records all current places. A window that loses the focus writes its state. */
async function search(): Promise<void> {
  await lookAway(page);
  collection.add(await allPlaces(vscode, page));
}

/** Response of such a server: the header that it received, in several forms. */
function spoken(what: string, token = credential()): string {
  const bearer = `Bearer ${token}`;
  return `Denied (${what}): Authorization: ${bearer}; ${encodeURIComponent(bearer)}; token ${token.slice(10, 70)}…; {"authorization":"${bearer}"}`;
}

/** The token that requests have now. */
function credential(): string {
  return tokens.get('the credential that was created') ?? service.adminToken;
}

/** Answers each matching request like this from now on. */
function answer(match: string, status: number, body: string, contentType = 'application/json'): void {
  service.faults.add({ fault: { kind: 'status', status, body, contentType }, match, times: 'always' });
}

/** Clears the tokens from the clipboard, where they may be for a while, so that the next search does not find them. */
async function clipboardIsCleared(): Promise<void> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
}
