import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { FitView, RowsByAgeView, WizardView } from '../../../src/truncation/wizard/protocol.ts';
import { callService, hostService } from '../context.ts';
import { addConnection, connectionAs, leaveNothing } from './support/connections.ts';
import { openWizard } from './support/openWizard.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { rowAt } from './support/tree.ts';
import { INDICES, TRUNCATIONS, executionsOf, sentTo, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'By age';
const TARGET = 'dataset/operation';
const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };

type Page = Awaited<ReturnType<typeof openWizard>>['page'];

suite('Rows by age in the wizard', () => {
  const service = hostService('next');
  const person = new Person();
  const { showSaveDialog } = window;
  let folder = '';

  suiteSetup(async () => {
    person.arrive();
    folder = await mkdtemp(join(tmpdir(), 'metadata-service-receipt-'));
    await addConnection(person, connectionAs(service, 'operator', NAME));
  });
  setup(() => calm(service));
  teardown(async () => {
    window.showSaveDialog = showSaveDialog;
    person.assertNothingOpen();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(async () => {
    await calm(service);
    await callService(service, 'restoreRows');
    await leaveNothing(person);
    person.depart();
    await rm(folder, { recursive: true });
  });

  const view = (page: Page): Partial<WizardView> => page.view() ?? {};
  const wizard = async (): Promise<Page> => {
    const { page } = await openWizard(await rowAt(NAME, INDICES, 'dataset', 'operation'));
    await until('the page', () => page.told('open'));
    return page;
  };
  const curve = (page: Page): Promise<RowsByAgeView> =>
    until('the whole curve', () => {
      const { rowsByAge } = view(page);
      return rowsByAge?.state === 'complete' && rowsByAge;
    });

  test('are counted on request only, then remembered, and a fit fills in a cut-off that has to be reviewed like any other', async () => {
    const page = await wizard();
    assert.deepEqual(await sentTo(service, TARGET), []);
    page.says({ type: 'showRowsByAge' });
    const { samples, total, dryRuns, bytesTotal } = await curve(page);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok(dryRuns <= 12 && samples.length === dryRuns && bytesTotal !== undefined);
    assert.equal((await sentTo(service, TARGET)).length, dryRuns);

    page.says({ type: 'fit', goal: { kind: 'deleteRows', rows: 500 } });
    const fit = await until('a fit', () => {
      const { fit: found } = view(page) as { fit?: FitView };
      return found?.state === 'solved' && found;
    });
    assert.match(fit.sentence, /^Filled in: deletes \d+ rows and keeps about/);
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

  test('are no longer true once rows were deleted, and the receipt of that can be saved', async () => {
    await truncate(person, NAME, TARGET);
    const row = await rowAt(NAME, TRUNCATIONS, TARGET);
    const { page } = await openWizard(row, COMMANDS.taskShow);
    await until('the page', () => page.told('open'));
    let proposed = '';
    window.showSaveDialog = (options) => {
      proposed = basename(options?.defaultUri?.fsPath ?? '');
      return Promise.resolve(vscode.Uri.file(join(folder, proposed)));
    };
    page.says({ type: 'saveReceipt', format: 'json' });
    const saved = await until('the file', () => readFile(join(folder, proposed), 'utf8').catch(() => undefined));
    assert.match(proposed, /^truncation-dataset-operation-\d{4}-\d\d-\d\d\.json$/);
    const receipt = JSON.parse(saved) as Record<string, unknown>;
    const [execution] = await executionsOf(service, TARGET);
    assert.equal(receipt['cutOff'], new Date(execution?.endTimeMillis ?? 0).toISOString());
    assert.equal(receipt['actor'], service.users['operator']?.urn);
    page.says({ type: 'copyReceipt', format: 'markdown' });
    await until('the copy', async () =>
      (await vscode.env.clipboard.readText()).startsWith('# Truncation of dataset/operation\n'),
    );

    await until('the end', async () => (await callService(service, 'tasks')).every(({ completed }) => completed));
    await calm(service);
    const anew = await wizard();
    anew.says({ type: 'showRowsByAge' });
    const { total } = await curve(anew);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok((await sentTo(service, TARGET)).length > 2);
  });
});
