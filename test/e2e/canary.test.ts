// Tokens go through what users do with them, on a server that repeats the credential in its errors. Then everything that
// VS Code itself wrote and showed is searched for them. What a server can make of a token is in the invariants.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { Collection, placesWithPieces } from './harness/canary.ts';
import { actUntil, eventually } from './harness/conditions.ts';
import { answerModal, clearNotifications, clipboardText, modal, notification } from './harness/dialogs.ts';
import {
  acceptQuickInput,
  cancelQuickInput,
  fillQuickInput,
  pick,
  quickInputMessage,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import { secretsAreDeleted, storedSecrets, untilSignInIsStored } from './harness/secretStorage.ts';
import { watchEverything } from './harness/seen.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { chooseFromRow, expandRow, pressRowIcon, refreshTree, treeRow } from './harness/tree.ts';
import { lookAway } from './harness/windows.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow, describeConnection, removeConnection, saveForm } from './steps/connections.ts';
import { revokeToken, createAndCopyToken, createToken, describeToken } from './steps/tokens.ts';
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

suite('tokens go through everything that can be done with them', () => {
  inOrder();

  test('a connection is added, after a refused attempt', async () => {
    echo('/api/graphql', 401);
    echo('/config', 500);
    await openViewContainer(page, 'DataHub');
    await describeConnection(page, {
      address: service.frontUrl,
      actor: 'admin',
      token: service.adminToken,
      name: NAME,
    });
    await saveForm(page);
    await quickPickRow(page, 'Try Again').waitFor();
    service.faults.clear();
    await pick(page, 'Try Again');
    await connectionRow(page, NAME).waitFor();
  });

  test('it is tested, and the test fails', async () => {
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Test Connection');
    await answerModal(page, 'OK');
    await clearNotifications(page);
    echo('/api/graphql', 500);
    echo('/config', 500);
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Test Connection');
    await copiesDetails();
  });

  test('the groups are expanded', async () => {
    await expandRow(page, /^Access tokens/);
    await expandRow(page, /^Time series indices/);
    await treeRow(page, /^dataset, operation,/).waitFor();
  });

  test('the list of tokens fails, with its details', async () => {
    echo('listAccessTokens', 500);
    const failure = treeRow(page, /^Failure/).first();
    await inQuickTime(() => refreshTree(page, failure));
    await failure.hover();
    await clipboardIsCleared();
    await chooseFromRow(page, /^Failure/, 'Copy Details for a Report');
    await keepClipboard();
    service.faults.clear();
    await refreshTree(page, async () => !(await failure.isVisible()));
    await search();
  });

  test('one creation gets an invalid response, the token of another is copied', async () => {
    echoAsResult('createAccessToken');
    await runCommand(page, 'DataHub: Create Access Token...');
    await describeToken(page, { name: 'refused', duration: '1 hour', description: '' });
    await copiesDetails();
    tokens.set(
      'a copied token',
      await createAndCopyToken(page, { name: 'canary', duration: '1 hour', description: 'sings' }),
    );
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
    await quickInputMessage(page)
      .filter({ hasText: /Access token to inspect/ })
      .waitFor();
    await fillQuickInput(page, token);
    await acceptQuickInput(page);
    for (const [order, outcome] of [
      [() => undefined, /On record as "inspected"/],
      [() => echo('getAccessTokenMetadata', 500, token), /HTTP 500/],
    ] as const) {
      order();
      await pick(page, 'Ask a Server…');
      await answerModal(page, 'Send Token');
      await quickPickRow(page, outcome).first().waitFor();
      service.faults.clear();
    }
    await cancelQuickInput(page);
    await search();
  });

  test('a revocation fails, and another one succeeds', async () => {
    echo('revokeAccessToken', 403);
    await revokeToken(page, /^canary/);
    await copiesDetails();
    await revokeToken(page, /^canary/);
    await treeRow(page, /^canary/).waitFor({ state: 'detached' });
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
    await notification(page, /The log level is Trace/).waitFor();
    await search();
    await clearNotifications(page);
  });
});

suite('no token, and no piece of one, gets into anything that VS Code keeps or shows', () => {
  inOrder();

  test('a dry run fails, then one is executed and its task watched', async () => {
    const wizard = await openWizard(page, /^dataset, operation,/);
    await rowsByAgeCounted(wizard);
    await chooseDays(wizard, 365);
    echoAsPage('truncateTimeseriesAspect');
    await wizard.getByRole('button', { name: /^Dry Run/ }).click();
    await wizard.locator('.callout', { hasText: /Denied \(page\)/ }).waitFor();
    await wizard.getByRole('button', { name: 'Copy Details for a Report' }).click();
    await eventually(async () => assert.match(await clipboardText(page), /^Operation: truncateTimeseriesAspect$/m));
    await keepClipboard();
    service.faults.clear();

    await dryRun(wizard);
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await shownTaskId(wizard);
    await treeRow(page, /^Truncations 1 running/).waitFor();
    await search();
    echoAsValue(
      'getEsTaskStatus',
      JSON.stringify({
        completed: true,
        error: { type: 'exception', reason: spoken('task') },
        status: { total: 9, deleted: 1, failures: [{ cause: { reason: spoken('row') } }] },
      }),
    );
    service.pacing.held = false;
    await treeRow(page, /^dataset\/operation, The task/).waitFor();
    await search();
    await runCommand(page, 'View: Close All Editors');
  });

  test('a sign-in is refused, and another one works', async () => {
    echo('/api/graphql', 401);
    await signIn();
    await quickPickRow(page, 'Try Again').waitFor();
    await search();
    service.faults.clear();
    await untilSignInIsStored(page, () => pick(page, 'Try Again'));
    await treeRow(page, /^Access tokens \d+/).waitFor();
  });

  test('the log is opened, the window reloaded', async () => {
    await runCommand(page, 'DataHub: Show Log');
    await search();
    await runCommand(page, 'View: Toggle Panel Visibility');
    await reloadWorkbench(page);
    await treeRow(page, /^Access tokens \d+/).waitFor();
    await search();
  });

  test('the user signs out, and removes the connection', async () => {
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Sign Out');
    await answerModal(page, 'Sign Out');
    await inQuickTime(() => treeRow(page, new RegExp(`^${NAME} signed out`)).waitFor());
    await secretsAreDeleted(page);
    await signIn();
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
    assert.doesNotMatch(found, /^clipboard$/m, 'a report names no connection');
    assert.match(placesWith(all, 'Kind: ').join('\n'), /^clipboard$/m);
    assert.match(placesWith(all, 'signIn.').join('\n'), /^IndexedDB .*metadata-service-tools/m);
    for (const words of ['Select what to change, or save', 'Type "dataset/operation".', "wasn't revoked", 'Denied']) {
      assert.ok(
        shown.some(({ content }) => content.includes(words)),
        `"${words}" was not seen`,
      );
    }
    // Each search reads the whole page of the wizard while it is open.
    assert.ok(collection.places.some(({ where, content }) => where === 'page' && content.includes('Server response')));
    assert.equal(tokens.size, 5);
    assert.deepEqual(placesWithPieces(all, [...tokens.values()]), []);
  });
});

test('the log file is among the searched places', async (context) => {
  await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Logged' });
  await treeRow(page, /^Access tokens \d+/).waitFor();
  const files = await allPlaces(vscode, page);
  await inQuickTime(() => removeConnection(page, 'Logged'));
  if (!files.some(({ where }) => where.endsWith('DataHub.log'))) {
    context.skip('without a C++ compiler the VS Code here writes no log files');
    return;
  }
  assert.match(placesWith(files, 'Logged').join('\n'), /logs.*DataHub\.log$/m);
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

function echo(match: string, status: number, token = credential()): void {
  service.faults.add({
    fault: {
      kind: 'status',
      status,
      body: JSON.stringify({ message: spoken(match, token), status }),
      contentType: 'application/json',
    },
    match,
    times: 'always',
  });
}

function echoAsPage(match: string): void {
  service.faults.add({
    fault: {
      kind: 'status',
      status: 500,
      body: `<html><title>${spoken(match)}</title><p>${spoken('page')}</p></html>`,
      contentType: 'text/html',
    },
    match,
    times: 'always',
  });
}

/** Answers with a GraphQL result with errors, which is invalid for an operation. */
function echoAsResult(match: string, token = credential()): void {
  const errors = [{ message: spoken(match, token), path: [match], extensions: { code: 500, type: 'SERVER_ERROR' } }];
  service.faults.add({
    fault: {
      kind: 'status',
      status: 200,
      body: JSON.stringify({ errors, data: null, extensions: {} }),
      contentType: 'application/json',
    },
    match,
    times: 'always',
  });
}

/** Answers with an operation's value. */
function echoAsValue(match: string, value: string): void {
  service.faults.add({
    fault: { kind: 'status', status: 200, body: JSON.stringify({ value }), contentType: 'application/json' },
    match,
    times: 'always',
  });
}

/** Copies the failure's details from its notification, and closes it. */
async function copiesDetails(): Promise<void> {
  const copy = page
    .locator('.notification-list-item')
    .getByRole('button', { name: 'Copy Details for a Report', exact: true })
    .first();
  // Sometimes VS Code shows no toast for a notification, so that it is only behind the bell.
  let looks = 0;
  await inQuickTime(() =>
    actUntil(async () => {
      if (looks > 0 && !(await copy.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
      looks += 1;
    }, copy),
  );
  await clipboardIsCleared();
  await copy.click();
  await keepClipboard();
  service.faults.clear();
  await clearNotifications(page);
}

/** Records what was copied to an empty clipboard, and should have no token. */
async function keepClipboard(): Promise<void> {
  const content = await eventually(async () => {
    const copied = await clipboardText(page);
    assert.notEqual(copied, '');
    return Buffer.from(copied).toString('latin1');
  });
  collection.add([{ where: 'clipboard', content }]);
}

/** Clears the tokens from the clipboard, where they may be for a while, so that the next search does not find them. */
async function clipboardIsCleared(): Promise<void> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
}

/** Signs in, unless the server refuses the token. */
async function signIn(): Promise<void> {
  await chooseFromRow(page, new RegExp(`^${NAME}`), 'Sign In with an Access Token...');
  await quickInputMessage(page)
    .filter({ hasText: /Access token for/ })
    .waitFor();
  await fillQuickInput(page, service.adminToken);
  await acceptQuickInput(page);
}
