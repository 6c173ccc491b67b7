import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { OverviewTableRow, JobIntent } from '../../../src/pages/overview/protocol.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { connectedSuite } from './support/fixtures.ts';
import type { DrivenWizard } from './support/drivenWizard.ts';
import { openPage, type ListenedPage } from './support/openPage.ts';
import { shownJob, shownRows, tickOf } from './support/overviewPage.ts';
import { rowAt, tooltipOf } from './support/tree.ts';
import { INDICES, dryRun, executionsOf, pressDelete, deletionOf, typesToDelete } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Aspects';
const CHECKPOINTS = 'datajob/datahubingestioncheckpoint';

suite('The purpose of an index', () => {
  const { service, person } = connectedSuite({ name: NAME });

  test('is in the tooltip of its row', async () => {
    const tooltip = await tooltipOf(await rowAt(NAME, INDICES, 'dataset', 'datasetprofile'));
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value.replaceAll('&nbsp;', ' '), /Old profiles disappear from the Stats tab/);
  });

  test('is in the review, with what a dataset loses and that there is no other copy', async () => {
    const wizard = await dryRun(NAME, 'dataset/datasetprofile');
    const { consequences, details } = await wizard.report();
    assert.match(consequences ?? '', /Stats tab.*left without a profile.*can't be recovered\.$/);
    assert.match(
      details.find(({ name }) => name === 'Snapshots')?.value ?? '',
      /^A snapshot is the only second copy\./,
    );
  });

  test('adds a box for state: unless it is ticked, nothing is asked or sent', async () => {
    const wizard = await dryRun(NAME, CHECKPOINTS);
    await wizard.report();
    assert.deepEqual(
      wizard.view.cautions.map(({ kind }) => kind),
      ['holdsState'],
    );
    assert.match(wizard.view.cautions[0]?.text ?? '', /^Pipelines that last ran before .* start over/);
    await assertNothingAsked(wizard);

    await pressDelete(wizard, 'holdsState');
    const { prompt } = await typesToDelete(person, CHECKPOINTS);
    assert.match(prompt, /Can't be undone\./);
    await inQuickTime(() => until('the end', () => wizard.view.phase === 'finished'));
    assert.equal((await executionsOf(service, CHECKPOINTS)).length, 1);
  });

  test('adds no box for anything else', async () => {
    const wizard = await dryRun(NAME, 'dataset/operation');
    await pressDelete(wizard);
    assert.deepEqual(wizard.view.cautions, []);
    await person.leaves(deletionOf('dataset/operation'));
    assert.equal((await wizard.settled()).phase, 'reviewed');
    assert.deepEqual(await executionsOf(service, 'dataset/operation'), []);
  });

  test('prevents state from being truncated together with others, whatever a page requests', async () => {
    const page = await openPage(COMMANDS.indexOverview, await rowAt(NAME));
    assert.ok(page !== undefined);
    const say = (intent: JobIntent): void => page.says(intent);
    const checkpoints = await rowOf(page, 'datahubingestioncheckpoint');
    const operations = await rowOf(page, 'operation');
    assert.match(checkpoints.onlyAlone ?? '', /truncated alone/);
    assert.equal(operations.onlyAlone, undefined);
    say({
      type: 'dryRun',
      ids: [checkpoints.id, operations.id],
      days: 365,
    });
    const { items } = await until('the dry runs', () => shownJob(page)?.phase === 'planned' && shownJob(page));
    assert.deepEqual(
      items.map(({ name, isSelected, canBeSelected }) => [name.toLowerCase(), isSelected, canBeSelected]),
      [
        [CHECKPOINTS, false, false],
        ['dataset/operation', true, true],
      ],
    );
    assert.match(items[0]?.remark ?? '', /state of ingestion pipelines/);
    say(tickOf(items, 0));
    say({ type: 'execute' });
    await typesToDelete(person, 'dataset/operation');
    await inQuickTime(() => until('the end', () => shownJob(page)?.phase === 'ended'));
    assert.deepEqual(await executionsOf(service, CHECKPOINTS), []);
    assert.equal((await executionsOf(service, 'dataset/operation')).length, 1);
  });

  /** Presses the button although a box isn't ticked. */
  async function assertNothingAsked(wizard: DrivenWizard): Promise<void> {
    assert.equal(wizard.view.primary.enabled, false);
    wizard.says({ type: 'execute' });
    assert.equal((await wizard.settled()).phase, 'reviewed');
    person.assertNothingOpen();
  }
});

async function rowOf(page: ListenedPage, aspect: string): Promise<OverviewTableRow> {
  return until(`the row of ${aspect}`, () =>
    shownRows(page).find((row) => row.aspect?.toLowerCase() === aspect && row.entityType?.startsWith('data')),
  );
}
