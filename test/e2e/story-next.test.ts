// The main job of a user, on a current server, through a company's front proxy.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { clearNotifications, clipboardText, notification } from './harness/dialogs.ts';
import { eventually } from './harness/conditions.ts';
import { pick } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { chooseFromRow, expandRow, treeRow } from './harness/tree.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { connectionRow, describeConnection, saveForm } from './steps/connections.ts';
import {
  assertRows,
  cutoffOf,
  dryRunRequests,
  executeRequests,
  listedSizes,
  operationStatus,
  tokenIsAccepted,
} from './steps/service.ts';
import { createAndCopyToken, revokeToken } from './steps/tokens.ts';
import { chooseDays, confirmDeletion, deleteButton, dryRun, fact, openWizard, shownTaskId } from './steps/wizard.ts';

const stage = await openStage({ service: { profile: 'next' }, vscode: { traceLog: true } });
const { service, database, page, vscode } = stage;
const { admin } = service.users;

/** String of the token that the story creates. */
let createdToken = '';

suite('a user does the main job on a current server', () => {
  inOrder();

  test('adds a connection from an address that was copied with its path', async () => {
    await openViewContainer(page, 'DataHub');
    await page.getByRole('button', { name: 'Add Connection' }).and(page.locator('.monaco-text-button')).waitFor();
    const verdict = await describeConnection(page, {
      address: ` ${service.frontUrl}/api/graphql/ `,
      actor: admin.urn,
      token: admin.token,
      name: 'Production',
    });
    assert.ok(verdict.includes('This connection will sign in as admin'), verdict);
    await saveForm(page);
    await connectionRow(page, 'Production').waitFor();
    await page.locator('.statusbar-item', { hasText: 'Production' }).first().waitFor();
    assert.deepEqual(
      [...new Set(service.requests.map(({ server }) => server))],
      ['front'],
      'nothing goes past the front',
    );
  });

  test('sees the access tokens with their number and their expiry', async () => {
    const own = service.tokens().filter(({ ownerUrn }) => ownerUrn === admin.urn);
    await treeRow(page, `Access tokens ${own.length}`).waitFor();
    await expandRow(page, 'Access tokens');
    await expandRow(page, /^\d+ expired/);
    for (const { name, expiresAt } of own) {
      const ending = expiresAt === null ? 'never expires' : expiresAt < Date.now() ? 'expired' : 'expires in';
      await treeRow(page, new RegExp(`^${name}, ${ending}`)).waitFor();
    }
  });

  test('sees the indices with their sizes, the largest first', async () => {
    await expandRow(page, 'Time series indices');
    const sizes = await listedSizes(service.frontUrl, admin.token);
    const labels = await eventually(async () => {
      const found = await treeRow(page, /^\w+, \w+, [\d.]+ [kMG]?B(?: · [<>]?[\d.]+%)?$/).evaluateAll((rows) =>
        rows.map((row) => row.getAttribute('aria-label') ?? ''),
      );
      assert.equal(found.length, sizes.length);
      return found;
    });
    const shown = labels
      .map((label) => /^(\w+), (\w+), ([\d.]+) ([kMG]?)B(?: · [<>]?[\d.]+%)?$/.exec(label))
      .map((match) => {
        const [, entity = '', aspect = '', number, unit = ''] = match ?? [];
        return {
          name: `${entity}_${aspect}aspect_v1`.toLowerCase(),
          entity,
          bytes: Number(number) * ({ '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit] ?? 0),
        };
      });
    for (const { name, bytes } of shown) {
      const told = sizes.find(({ indexName }) => indexName.startsWith(name))?.bytes ?? 0;
      assert.ok(Math.abs(bytes - told) <= told * 0.06, `${name}: shown ${bytes}, told ${told}`);
    }
    for (const [index, { entity, bytes }] of shown.entries()) {
      const next = shown[index + 1];
      assert.ok(
        next === undefined || next.entity !== entity || next.bytes <= bytes,
        `${labels.join('; ')} is not sorted`,
      );
    }
  });

  test('creates an access token and copies it', async () => {
    createdToken = await createAndCopyToken(page, {
      name: 'nightly ingestion',
      duration: '1 hour',
      description: 'runs at night',
    });
    assert.equal(await tokenIsAccepted(service.frontUrl, createdToken), true);
    await treeRow(page, /^nightly ingestion, expires in (59 minutes|1 hour)/).waitFor();

    // The string is offered once. From now on there is only its ID.
    await chooseFromRow(page, /^nightly ingestion/, 'Copy Access Token ID');
    const id = service.tokens().find(({ name }) => name === 'nightly ingestion')?.id;
    await eventually(async () => assert.equal(await clipboardText(page), id));
  });

  test('revokes it', async () => {
    const asked = await revokeToken(page, /^nightly ingestion/);
    assert.match(asked, /Revoke the access token "nightly ingestion" on ".+"\?/);
    await treeRow(page, /^nightly ingestion/).waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await tokenIsAccepted(service.frontUrl, createdToken), false));
    assert.equal(await operationStatus(service.url, createdToken), 401);
  });

  test('sees in the wizard what would be deleted first, executes it and watches the task', async () => {
    const before = database.rows('dataset', 'operation');
    const wizard = await openWizard(page, /^dataset, operation,/);
    await chooseDays(wizard, 365);
    await wizard.getByText('Advanced').click();
    await wizard.getByLabel('Batch size').fill('100');
    const report = await dryRun(wizard);
    const cutoff = cutoffOf(dryRunRequests(service).at(-1));
    const doomed = before.filter(({ timestampMillis }) => timestampMillis <= cutoff);
    assert.deepEqual([report.rowsToDelete, report.rowsTotal], [doomed.length, before.length]);
    assert.match(report.strategy, /^Delete by query\. /);
    assert.match(report.serverText, /This was a dry run/);
    assertRows(database.rows('dataset', 'operation'), before, 'a dry run deletes nothing');
    assert.ok(
      Math.abs(cutoff - (Date.now() - 365 * 86_400_000)) < 120_000,
      'the cutoff is 365 days ago, to the minute',
    );

    service.pacing.held = true;
    await deleteButton(wizard).click();
    const asked = await confirmDeletion(page, 'dataset/operation');
    for (const part of [' from Production (', `of ${before.length.toLocaleString('en')} rows`, "Can't be undone."]) {
      assert.ok(asked.includes(part), asked);
    }
    const taskId = await shownTaskId(wizard);
    assert.equal(taskId, service.tasks()[0]?.id);
    await treeRow(page, /^Truncations 1 running/).waitFor();
    await wizard.getByText('Deleting: 0 of').first().waitFor();

    service.pacing.batchDelayMillis = 60;
    service.pacing.held = false;
    const finished = wizard.getByText(`${doomed.length.toLocaleString('en')} rows deleted · still `).first();
    await inQuickTime(() => finished.waitFor());
    await treeRow(
      page,
      new RegExp(`^dataset/operation, Finished: ${doomed.length.toLocaleString('en')} rows deleted`),
    ).waitFor();
    const kept = before.filter(({ timestampMillis }) => timestampMillis > cutoff);
    assertRows(database.rows('dataset', 'operation'), kept, 'what is newer than the cutoff is left');
    assert.equal(executeRequests(service).length, 1);
    // No new size is claimed, because only an administrator can send the request that frees the space.
    await wizard.getByText('Searches no longer find the rows. The index may keep its size').first().waitFor();
    await fact(wizard, 'For an administrator').getByRole('button', { name: 'Copy Request' }).click();
    await eventually(async () =>
      assert.match(
        await clipboardText(page),
        /^POST \/dataset_operationaspect_v1\S*\/_forcemerge\?only_expunge_deletes=true\n$/,
      ),
    );
    await fact(wizard, 'Task ID').getByRole('button', { name: 'Copy' }).click();
    await eventually(async () => assert.equal(await clipboardText(page), taskId));

    // The truncated rows are gone, but a run would reindex another index of the list.
    const usage = database.rows('dataset', 'datasetusagestatistics').length;
    database.insert('dataset', 'datasetusagestatistics', Date.now() - 400 * 86_400_000, usage);
    await wizard.getByRole('button', { name: 'Automate…' }).click();
    await pick(page, 'Copy as datahub-gc Recipe');
    await pick(page, '1.6.0.15 or later');
    await notification(
      page,
      /The first run would reindex dataset\/datasetusagestatistics, .* older than 365 days/,
    ).waitFor();
    assert.equal(await clipboardText(page), taskId);
    await clearNotifications(page);
  });

  test('leaves no token in anything that VS Code keeps or shows', async () => {
    const shown = await allPlaces(vscode, page);
    // VS Code stores the state of a window at the latest when it closes.
    await reloadWorkbench(page);
    await connectionRow(page, 'Production').waitFor();
    const places = [...shown, ...(await allPlaces(vscode, page))];

    // The search reads the right places: it finds an allowed text in them.
    const withName = placesWith(places, 'Production').join('\n');
    for (const place of [/^page$/m, /globalStorage.*connections.*\.json$/m]) assert.match(withName, place);
    assert.match(placesWith(places, 'signIn.').join('\n'), /^IndexedDB .*metadata-service-tools/m);
    for (const secret of [createdToken, admin.token]) {
      assert.deepEqual(placesWith(places, secret), []);
      assert.deepEqual(placesWith(places, secret.split('.')[2] ?? ''), [], 'the part that makes it valid, by itself');
    }
  });

  test('is still signed in after a reload, and forgets a truncation on request', async () => {
    await treeRow(page, /^Access tokens \d+/).waitFor();
    await chooseFromRow(page, /^dataset\/operation, Finished/, 'Forget Truncation');
    await treeRow(page, /^Truncations/).waitFor({ state: 'detached' });
  });
});
