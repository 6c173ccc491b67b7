// What a reindex leaves behind, on a server that lists the old index under the same names as the one in use. One story, and so one
// test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerModal, modal } from './harness/dialogs.ts';
import {
  cancelQuickInput,
  pick,
  quickInput,
  quickInputAsking,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { story } from './harness/story.ts';
import { expandRow, pressRowIcon, rowMenu, treeIsQuiet, treeRow } from './harness/tree.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { typeTarget } from './steps/wizard.ts';

const { service, page } = await openStage({ service: { namesReplaced: true, oldIndexMillis: 3_600_000 } });
const TARGET = 'chart/chartusagestatistics';
const CURRENT = /^chart, chartusagestatistics, [\d.]+ .B(?: · |$)(?!old|may)/;
const OLD_COPY = /^chart, chartusagestatistics, old copy · .*$/;
/** What an earlier reindex left behind that nothing is known of. */
const MAY_HOLD_ROWS = /^dataset, datasetusagestatistics, may hold hidden rows: don't remove · .*$/;

const { step, tell } = story();
test('a person finds their way among indices after a reindex', tell);

step('is warned of an old index that nothing is known of, which stands last', async () => {
  await addConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.adminToken,
    name: 'Reindexed',
  });
  await expandRow(page, /^Time series indices/);
  await treeRow(page, MAY_HOLD_ROWS).waitFor();
  const names = await below('dataset');
  assert.match(names.at(-1) ?? '', MAY_HOLD_ROWS);
  assert.equal(names.filter((name) => name.startsWith('dataset, datasetusagestatistics')).length, 2);
});

step('truncates an index by a reindex in the fewest steps', async () => {
  await runCommand(page, 'Metadata Service (DataHub): Truncate Index (Quick)...');
  await pick(page, TARGET);
  await pick(page, 'Older than 180 days');
  await quickInputAsking(page, 'Nothing has been deleted yet').waitFor();
  await quickPickRow(page, /^\s*Reindex$/).waitFor();
  await pick(page, /Delete [\d,]+ Rows…/);
  await typeTarget(page, TARGET);
  await modal(page).waitFor();
  await answerModal(page, /^Delete [\d,]+ Rows$/);
  await treeRow(page, /^chart\/chartusagestatistics, Finished: [\d,]+ rows deleted/).waitFor();
  assert.equal(executeRequests(service).length, 1);
});

step('sees two indices of the same name, and which of them is an old copy', async () => {
  await pressRowIcon(page, /^Time series indices/, 'Refresh', treeRow(page, OLD_COPY));
  await treeIsQuiet(page);
  const [current = '', old = '', ...others] = await below('chart');
  assert.deepEqual(others, []);
  assert.match(current, CURRENT);
  assert.match(old, OLD_COPY);
});

step('is offered Truncate on the one in use only', async () => {
  await treeRow(page, CURRENT).first().hover();
  await treeRow(page, CURRENT).first().getByRole('button', { name: 'Truncate Index' }).waitFor();
  assert.ok((await menuOf(CURRENT)).some((entry) => entry.startsWith('Truncate Index')));
  for (const old of [OLD_COPY, MAY_HOLD_ROWS]) {
    await treeRow(page, old).first().hover();
    assert.equal(await treeRow(page, old).first().getByRole('button').count(), 0);
    const entries = await menuOf(old);
    assert.deepEqual(entries, ['Copy Index Name']);
  }
  await runCommand(page, 'Metadata Service (DataHub): Truncate Index (Quick)...');
  await quickPickRow(page, TARGET).waitFor();
  const labels = await quickInput(page).locator('.quick-input-list-label .label-name').allInnerTexts();
  assert.equal(labels.filter((label) => label.trim() === TARGET).length, 1);
  await cancelQuickInput(page);
});

/** What a screen reader says of the indices of an entity type, in order. */
async function below(entityType: string): Promise<string[]> {
  const rows = treeRow(page, new RegExp(`^${entityType}, `));
  const names = await rows.evaluateAll((elements) =>
    elements.map((element) => element.getAttribute('aria-label') ?? ''),
  );
  return names;
}

async function menuOf(row: RegExp): Promise<string[]> {
  const entries = await rowMenu(page, row);
  await page.keyboard.press('Escape');
  await page.locator('.context-view .monaco-menu').waitFor({ state: 'hidden' });
  return entries;
}
