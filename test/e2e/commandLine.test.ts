// A token comes from the command line's file and another goes to a terminal. Then everything that VS Code wrote and
// showed is searched for both.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Collection, placesWithPieces } from './harness/canary.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal } from './harness/dialogs.ts';
import { saveForm } from './steps/connections.ts';
import { inOrder } from './harness/inOrder.ts';
import { quickPickRow, runCommand } from './harness/quickInput.ts';
import { watchEverything } from './harness/seen.ts';
import { openStage } from './harness/stage.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { chooseFromRow, expandRow, treeRow } from './harness/tree.ts';
import { lookAway } from './harness/windows.ts';
import { openViewContainer } from './harness/workbench.ts';
import { tokenIsAccepted } from './steps/service.ts';

// Outside of what is searched, since the file has the token.
const homeFolder = await mkdtemp(join(tmpdir(), 'home-'));
after(() => rm(homeFolder, { recursive: true, force: true }));
const { service, page, vscode, person } = await openStage({ vscode: { homeFolder } });
const seen = await watchEverything(person);
const collection = new Collection();
const file = join(homeFolder, '.datahubenv');
const FILE_TEXT = `gms:\n  server: ${service.url}\n  token: ${service.adminToken}\n`;
const PRINTED = join(homeFolder, 'printed');
const tokens = [service.adminToken];

suite('the tokens of the command line', () => {
  inOrder();

  test('a connection is imported from its file, which stays as it is', async () => {
    await writeFile(file, FILE_TEXT);
    await openViewContainer(page, 'DataHub');
    await runCommand(page, 'DataHub: Add Connection...');
    await quickPickRow(page, 'Import from ~/.datahubenv').click();
    await answerModal(page, /Import/);
    await quickPickRow(page, 'Access token: from ~/.datahubenv').waitFor();
    await saveForm(page);
    await expandRow(page, /^Access tokens/);
    await search();
    assert.equal(await readFile(file, 'utf8'), FILE_TEXT);
  });

  test('a program in a terminal gets a new token, which works until the terminal closes', async () => {
    await chooseFromRow(page, /^Access tokens/, 'Open Terminal with Access Token...');
    await answerModal(page, 'New Token for One Hour');
    const terminal = page.locator('.terminal-wrapper.active');
    await terminal.click();
    await page.keyboard.type(`printenv DATAHUB_GMS_TOKEN > ${PRINTED}\n`);
    const token = await eventually(async () => {
      const text = (await readFile(PRINTED, 'utf8')).trim();
      assert.match(text, /^eyJ/);
      return text;
    });
    tokens.push(token);
    assert.ok(await tokenIsAccepted(service.url, token));
    await treeRow(page, /^vscode term/).waitFor();
    await search();
    await page.keyboard.type('exit\n');
    await eventually(async () => assert.ok(!(await tokenIsAccepted(service.url, token))));
    await treeRow(page, /^vscode term/).waitFor({ state: 'detached' });
    await search();
  });

  test('are in nothing that VS Code keeps or shows', async () => {
    const shown = (await seen.texts()).map((text, index) => ({
      where: `shown ${index}`,
      content: Buffer.from(text).toString('latin1'),
    }));
    const all = [...collection.places, ...shown];
    const found = placesWith(all, 'vscode term').join('\n');
    assert.match(found, /^page$/m);
    assert.match(found, /^shown \d+$/m);
    assert.deepEqual(placesWithPieces(all, tokens), []);
  });
});

/** Records all current places. A window that loses the focus writes its state. */
async function search(): Promise<void> {
  await lookAway(page);
  collection.add(await allPlaces(vscode, page));
}
