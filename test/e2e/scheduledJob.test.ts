// A user copies the reviewed truncation as a script, and runs it like a scheduler does: it counts first, then deletes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { filledIn } from '../job/settings.ts';
import { answerNotification, clipboardText, notification } from './harness/dialogs.ts';
import { eventually } from './harness/conditions.ts';
import { inOrder } from './harness/inOrder.ts';
import { pick } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromMenu, expandRow } from './harness/tree.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { chooseDays, dryRun, openWizard } from './steps/wizard.ts';

const DAY_MS = 86_400_000;
const NO_SHELL = process.platform === 'win32' && 'Windows has no POSIX shell of its own';

const { service, database, page } = await openStage({ service: { rows: 0, tokens: 0 }, person: { timeZone: 'UTC' } });
const now = Date.now();
database.insert('dataset', 'operation', now - 500 * DAY_MS, 300);
database.insert('dataset', 'operation', now - 5 * DAY_MS, 4_000);

const folder = await mkdtemp(join(tmpdir(), 'scheduled-job-'));
after(() => rm(folder, { recursive: true }));
const file = join(folder, 'truncate.sh');

suite('a user schedules a truncation', () => {
  inOrder();

  test('copies it once a dry run was reviewed, and opens it in an editor', async () => {
    await addConnection(page, {
      address: service.frontUrl,
      actor: 'admin',
      token: service.adminToken,
      name: 'Staging',
    });
    await expandRow(page, /^Time series indices/);
    const wizard = await openWizard(page, /^dataset, operation,/);
    await chooseDays(wizard, 90);
    assert.equal((await dryRun(wizard)).rowsToDelete, 300);
    await page.locator('.editor-actions').getByRole('button', { name: 'More Actions...' }).click();
    await page.locator('.context-view').getByRole('menuitem', { name: 'Automate...', exact: true }).hover();
    await chooseFromMenu(page, 'Copy as Scheduled Job');
    await pick(page, 'Shell Script');
    const copied = 'Copied a shell script.';
    await notification(page, copied)
      .getByText('dataset/operation older than 90 days. Read the script first.')
      .waitFor();
    await answerNotification(page, copied, 'Open in Editor', page.getByText('#!/bin/sh', { exact: true }));
    await eventually(async () => assert.match(await clipboardText(page), /^dataset operation 90 600 4000$/m));
    await writeFile(file, filledIn(await clipboardText(page), { pause: 0.05 }));
    assert.equal(executeRequests(service).length, 0);
  });

  test('runs it: only counts, then deletes exactly the old rows', { skip: NO_SHELL }, async () => {
    assert.equal(await runScript({}), 'dataset/operation: 300 of 4300 rows before, 300 of 4300 after: dry run only\n');
    assert.equal(executeRequests(service).length, 0);
    const output = await runScript({ EXECUTE: 'yes' });
    assert.match(output, /^dataset\/operation: 300 of 4300 rows before, 0 of 4000 after: done\n$/m);
    assert.equal(executeRequests(service).length, 1);
    assert.equal(database.rows('dataset', 'operation').length, 4_000);
  });
});

/** @throws Error unless it exits with 0 */
async function runScript(environment: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', [file], {
    env: { PATH: env['PATH'], HOME: folder, DATAHUB_GMS_TOKEN: service.adminToken, ...environment },
  });
  return stdout;
}
