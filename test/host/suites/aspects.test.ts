import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { OverviewTableRow, OverviewPageView } from '../../../src/pages/overview/protocol.ts';
import type { JobIntent, JobView } from '../../../src/pages/overview/jobProtocol.ts';
import type { WizardPageMessage, DryRunReportView, WizardPageView } from '../../../src/pages/truncation/protocol.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { connectedSuite } from './support/fixtures.ts';
import { openPage, type ListenedPage } from './support/openPage.ts';
import { openWizard } from './support/openWizard.ts';
import { rowAt, tooltipOf } from './support/tree.ts';
import { INDICES, executionsOf } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Aspects';
const CHECKPOINTS = 'datajob/datahubingestioncheckpoint';
const STATE_QUESTION = /^Delete the state of pipelines that last ran before .*\?$/;
const DELETE_QUESTION = /^Delete [\d,]+ rows from datajob\/datahubingestioncheckpoint\?$/;
const MILLIS_PER_DAY = 86_400_000;

suite('The purpose of an index', () => {
  const { service, person } = connectedSuite({ name: NAME });

  test('is in the tooltip of its row', async () => {
    const tooltip = await tooltipOf(await rowAt(NAME, INDICES, 'dataset', 'datasetprofile'));
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value.replaceAll('&nbsp;', ' '), /Old profiles disappear from the Stats tab/);
  });

  test('is in the review, with what a dataset loses and that there is no other copy', async () => {
    const { report } = await reviewed('dataset', 'datasetprofile');
    assert.match(report.aspectLines.join('\n'), /Stats tab.*\n.*left without a profile.*\n.*no second copy/);
  });

  test('adds a question for state: without a yes nothing more is asked or sent', async () => {
    const { says, view } = await reviewed('datajob', 'datahubingestioncheckpoint');
    says({ type: 'execute' });
    const { detail } = await person.answers(STATE_QUESTION);
    assert.match(detail, /^Pipelines that last ran before .* start over\.$/m);
    await until('the review', () => view().phase === 'reviewed');
    person.assertNothingOpen();

    says({ type: 'execute' });
    await person.answers(STATE_QUESTION, 'Continue');
    await person.types(new RegExp(`Type ${CHECKPOINTS} to confirm`), CHECKPOINTS);
    const question = await person.answers(DELETE_QUESTION, /^Delete [\d,]+ Rows$/);
    assert.match(question.detail, /no second copy is known/);
    await inQuickTime(() => until('the end', () => view().phase === 'finished'));
    assert.equal((await executionsOf(service, CHECKPOINTS)).length, 1);
  });

  test('adds no question for anything else', async () => {
    const { says, view } = await reviewed('dataset', 'operation');
    says({ type: 'execute' });
    await person.leaves(/Type dataset\/operation to confirm/);
    await until('the review', () => view().phase === 'reviewed');
    assert.deepEqual(await executionsOf(service, 'dataset/operation'), []);
  });

  test('prevents state from being truncated together with others, whatever a page requests', async () => {
    const page = await openPage(COMMANDS.indexOverview, await rowAt(NAME));
    assert.ok(page !== undefined);
    const shownJob = (): JobView | undefined => (page.view() as OverviewPageView | undefined)?.job;
    const say = (intent: JobIntent): void => page.says({ type: 'job', intent });
    const checkpoints = await rowOf(page, 'datahubingestioncheckpoint');
    const operations = await rowOf(page, 'operation');
    assert.match(checkpoints.onlyAlone ?? '', /truncated alone/);
    assert.equal(operations.onlyAlone, undefined);
    say({
      type: 'dryRun',
      ids: [checkpoints.id, operations.id],
      days: 365,
    });
    const { items } = await until('the dry runs', () => shownJob()?.phase === 'planned' && shownJob());
    assert.deepEqual(
      items.map(({ name, isSelected, canBeSelected }) => [name.toLowerCase(), isSelected, canBeSelected]),
      [
        [CHECKPOINTS, false, false],
        ['dataset/operation', true, true],
      ],
    );
    assert.match(items[0]?.remark ?? '', /state of ingestion pipelines/);
    say({ type: 'select', place: 0, isSelected: true });
    say({ type: 'execute' });
    await person.types(/Type Aspects to confirm/, NAME);
    const { detail } = await person.answers(/^Delete rows from 1 index on Aspects\?$/, /^Delete [\d,]+ Rows$/);
    assert.match(detail, /no second copy is known/);
    assert.ok(!detail.toLowerCase().includes(CHECKPOINTS), detail);
    await inQuickTime(() => until('the end', () => shownJob()?.phase === 'ended'));
    assert.deepEqual(await executionsOf(service, CHECKPOINTS), []);
    assert.equal((await executionsOf(service, 'dataset/operation')).length, 1);
  });

  /** Opens a wizard and completes its dry run. */
  async function reviewed(
    entityType: string,
    aspect: string,
  ): Promise<{
    readonly report: DryRunReportView;
    readonly says: (message: WizardPageMessage) => void;
    readonly view: () => WizardPageView;
  }> {
    const { page } = await openWizard(await rowAt(NAME, INDICES, entityType, aspect));
    await until('the page', () => page.told('open'));
    const says = (message: WizardPageMessage): void => page.says(message);
    const view = (): WizardPageView => page.view() as unknown as WizardPageView;
    // A later proposal of the page would discard the review.
    await until('the proposed cutoff', () => view().primary.enabled);
    const endTimeMillis = Date.now() - 365 * MILLIS_PER_DAY;
    says({ type: 'edit', draft: { ...emptyDraft(entityType, aspect), endTimeMillis } });
    says({ type: 'dryRun' });
    const report = await until('the report', () => view().phase === 'reviewed' && view().report);
    return { report, says, view };
  }
});

async function rowOf(page: ListenedPage, aspect: string): Promise<OverviewTableRow> {
  return until(`the row of ${aspect}`, () => {
    const rows = (page.messages.findLast(({ rows: some }) => some !== undefined)?.['rows'] ?? []) as OverviewTableRow[];
    return rows.find((row) => row.aspect?.toLowerCase() === aspect && row.entityType?.startsWith('data'));
  });
}
