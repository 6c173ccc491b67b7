import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PlanDraft } from '../../../src/truncation/plan.ts';
import type {
  CutoffFitView,
  DryRunReportView,
  AgeHistogramView,
  WizardPageView,
} from '../../../src/pages/truncation/protocol.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, leaveNothing, saveConnection } from './support/connections.ts';
import { connectedSuite } from './support/fixtures.ts';
import { openWizard } from './support/openWizard.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { rowAt } from './support/tree.ts';
import { INDICES, endedTruncation, executionsOf, sentTo, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'By age';
const TARGET = 'dataset/operation';

type Page = Awaited<ReturnType<typeof openWizard>>['page'];

suite('Rows by age in the wizard', () => {
  const { service, person } = connectedSuite({ name: NAME });

  const wizard = (): Promise<Page> => openedWizard(NAME);

  test('are counted on request only, then remembered, and a fitted cutoff needs a review like any other', async () => {
    const page = await wizard();
    assert.deepEqual(await sentTo(service, TARGET), []);
    page.says({ type: 'showRowsByAge' });
    const { samples, total } = await curve(page);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok(samples.length <= 12);
    assert.equal((await sentTo(service, TARGET)).length, samples.length);

    page.says({ type: 'fit', goal: { kind: 'deleteRows', rows: 500 } });
    const fit = await until('a fit', () => {
      const { fit: found } = view(page) as { fit?: CutoffFitView };
      return found?.state === 'solved' && found;
    });
    assert.match(fit.sentence, /^Cutoff filled in: \d+ rows would be deleted, and about/);
    const { draft } = (page.told('draft') ?? assert.fail('nothing was filled in')) as unknown as {
      draft: { endTimeMillis: number };
    };
    assert.deepEqual([view(page).phase, view(page).primary?.intent], ['editing', 'dryRun']);
    page.says({ type: 'execute' });
    page.says({ type: 'dryRun' });
    const report = await until('a report', () => view(page).report);
    assert.ok(report.rowsToDelete !== undefined && report.rowsToDelete <= 500 && report.rowsToDelete > 0);
    assert.equal((await sentTo(service, TARGET)).at(-1)?.endTimeMillis, draft.endTimeMillis);
    assert.deepEqual(await executionsOf(service, TARGET), []);

    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await calm(service);
    const again = await wizard();
    again.says({ type: 'showRowsByAge' });
    assert.equal((await curve(again)).total, total);
    assert.deepEqual(await sentTo(service, TARGET), []);
  });

  test('are no longer valid once rows were deleted', async () => {
    await truncate(person, NAME, TARGET);
    await endedTruncation(NAME, TARGET);
    await calm(service);
    const anew = await wizard();
    anew.says({ type: 'showRowsByAge' });
    const { total } = await curve(anew);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok((await sentTo(service, TARGET)).length > 2);
  });
});

/** Behaviour common to all servers, and announcements of maintenance. */
suite('Rows by age, by kind of server', () => {
  const person = new Person();
  suiteSetup(() => person.arrive());
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  for (const profile of ['spec', '0.14', '1.7', 'next'] as const) {
    test(`${profile}: a correct curve, a fit within its limit, and announced maintenance in the review`, async () => {
      const service = hostService(profile);
      await callService(service, 'restoreRows');
      await saveConnection(connectionAs(service, 'operator', profile));
      await calm(service);
      await callService(service, 'setMaintenance', 'Upgrade at 10 PM');
      try {
        const page = await openedWizard(profile);
        page.says({ type: 'showRowsByAge' });
        const { samples, total } = await curve(page);
        const { count } = await callService(service, 'rows', 'dataset', 'operation');
        assert.deepEqual([total, samples.at(-1)?.rows], [count, count]);
        assert.ok(samples.length > 2 && samples.length <= 12);

        page.says({ type: 'fit', goal: { kind: 'deleteRows', rows: 500 } });
        const { endTimeMillis } = await until('a fit', () => (page.told('draft') as { draft?: PlanDraft })?.draft);
        await reviewed(page);
        // By then the server has answered about its maintenance.
        await until('an answer', async () => (await requestsWith(service, '/maintenance/')).length === 1);
        const report = await reviewed(page);
        assert.equal((await sentTo(service, TARGET)).at(-1)?.endTimeMillis, endTimeMillis);
        assert.ok(report.rowsToDelete !== undefined && report.rowsToDelete > 0 && report.rowsToDelete <= 500);
        const isAnnounced = profile === 'next';
        await until('the note', () => (view(page).serverNotes?.length ?? 0) === Number(isAnnounced));
        assert.deepEqual(
          view(page).serverNotes,
          isAnnounced ? ['The server is in maintenance mode: Upgrade at 10 PM'] : [],
        );
      } finally {
        await callService(service, 'setMaintenance', null);
      }
    });
  }
});

/** Opens the wizard of the same index on any connection. */
async function openedWizard(connection: string): Promise<Page> {
  const { page } = await openWizard(await rowAt(connection, INDICES, 'dataset', 'operation'));
  await until('the page', () => page.told('open'));
  return page;
}

function view(page: Page): Partial<WizardPageView> {
  return page.view() ?? {};
}

function curve(page: Page): Promise<AgeHistogramView> {
  return until('the whole curve', () => {
    const { rowsByAge } = view(page);
    return rowsByAge?.state === 'complete' && rowsByAge;
  });
}

/**
 * Runs a new dry run.
 * @returns its report
 */
async function reviewed(page: Page): Promise<DryRunReportView> {
  const before = view(page).report?.at;
  page.says({ type: 'dryRun' });
  return until('a report', () => {
    const { phase, report } = view(page);
    return phase === 'reviewed' && report?.at !== before && report;
  });
}
