import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import type { HostService } from '../environment.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { addConnection, connectionAs, leaveNothing } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { openWizard } from './support/openWizard.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { refresh, rowAt } from './support/tree.ts';
import { INDICES, dryRun, endedTruncation, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Jobs';
const WHICH = /Select a format/;
const SCRIPT = 'Shell Script';
const CRON_JOB = 'Kubernetes CronJob';
const INDEX = 'dataset/operation';

const yaml = createRequire(import.meta.url)('js-yaml') as {
  loadAll(text: string): readonly { readonly data?: unknown }[];
};

suite('A scheduled job', () => {
  const person = new Person();
  let connectionId = '';
  suiteSetup(() => person.arrive());
  suiteTeardown(() => person.depart());
  teardown(async () => {
    person.assertNothingOpen();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });

  test('needs a dry run of the cutoff on the page', async () => {
    const service = await connected();
    const wizard = await DrivenWizard.open(await rowAt(NAME, INDICES, 'dataset', 'operation'));
    await wizard.counted();
    await inFront();
    await assertRefused(service, /^The limits of a scheduled job come from a dry run of this cutoff\. Do a dry run,/);
  });

  test('is copied as a script with the limits of the dry run, and sends nothing', async () => {
    const service = await connected();
    const { rows } = await (await reviewed(700)).report();
    assert.ok(rows !== undefined && rows.toDelete > 0);
    const said = await copyAs(service, SCRIPT);
    assert.match(said, /^Copied a shell script\. Each run counts these rows, and deletes them only if EXECUTE is yes:/);
    assert.match(said, /: dataset\/operation older than 700 days\. Read the script first\.$/);
    const script = await vscode.env.clipboard.readText();
    assert.match(script, /^#!\/bin\/sh\n/);
    assert.deepEqual(indicesIn(script), [`dataset operation 700 ${2 * rows.toDelete} ${rows.total - rows.toDelete}`]);
    const [, url = ''] = /^GMS_URL='(.*)'$/m.exec(script) ?? [];
    assert.ok(url.startsWith(service.url), url);
    const operations = await fetch(`${url}/operations?action=getIndexSizes`, { method: 'POST', body: '{}' });
    assert.equal(operations.status, 401, 'there is an endpoint, which asks for a token');
    execFileSync('sh', ['-n'], { input: script });
  });

  test('is copied as a CronJob around the same script, with a note on an index that it would leave alone', async () => {
    const service = await connected();
    await reviewed(90);
    const said = await copyAs(service, CRON_JOB);
    assert.match(
      said,
      /^Copied a Kubernetes CronJob\. .* yes: dataset\/operation older than 90 days\. Read it first\. /,
    );
    assert.match(
      said,
      /dataset\/operation: more than 20% of the rows are that old, so the job leaves this index alone/,
    );
    const [, held] = yaml.loadAll(await vscode.env.clipboard.readText());
    await copyAs(service, SCRIPT);
    assert.deepEqual(held?.data, { 'truncate.sh': await vscode.env.clipboard.readText() });
  });

  test('opens in an editor, to be read and changed', async () => {
    const service = await connected();
    await reviewed(700);
    await copyAs(service, CRON_JOB);
    await person.presses(/^Copied a Kubernetes CronJob\./, 'Open in Editor');
    await until('the editor', () => vscode.window.activeTextEditor?.document.languageId === 'yaml');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), await vscode.env.clipboard.readText());
    // Closing it unsaved would ask.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('is offered by Automate on the page, beside the recipe for the cleanup of the server', async () => {
    const service = await connected();
    const wizard = await reviewed(700);
    await calm(service);
    wizard.says({ type: 'automate' });
    const ways = await person.offered(/^Automate \| Select a way$/, 'Copy as Scheduled Job');
    assert.deepEqual(
      ways.map(({ label }) => label.replace(/^\S+ /, '')),
      ['Copy as datahub-gc Recipe', 'Copy as Scheduled Job'],
    );
    await person.picks(/^Automate/, 'Copy as Scheduled Job');
    await person.picks(WHICH, SCRIPT);
    await person.seesNotification(/^Copied a shell script\./);
    assert.deepEqual(
      indicesIn(await vscode.env.clipboard.readText()).map((line) => line.split(' ').slice(0, 3)),
      [['dataset', 'operation', '700']],
    );
    assert.deepEqual(await requestsWith(service, 'action='), []);
  });

  test('is left uncopied with Escape', async () => {
    await connected();
    await reviewed(700);
    const copied = vscode.commands.executeCommand(COMMANDS.indexCopyJob);
    assert.deepEqual(
      (await person.offered(WHICH, SCRIPT)).map(({ label, detail }) => [label, detail]),
      [
        [SCRIPT, 'For cron or another scheduler'],
        [CRON_JOB, 'Runs the same script every day at 03:30 UTC'],
      ],
    );
    await person.leaves(WHICH);
    await copied;
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
    assert.deepEqual(person.toldSoFar, []);
  });

  test('is copied after the truncation as well, for that server alone', async () => {
    const service = await connected();
    const before = await callService(service, 'rows', 'dataset', 'operation');
    await truncate(person, NAME, INDEX, { days: 365 });
    await openWizard(await endedTruncation(NAME, INDEX), COMMANDS.taskShow);
    await inFront();
    const after = await callService(service, 'rows', 'dataset', 'operation');
    assert.ok(before.count - after.count > before.count / 5, 'more than a job would delete');
    assert.match(await copyAs(service, SCRIPT), /Read the script first\.$/);
    assert.deepEqual(indicesIn(await vscode.env.clipboard.readText()), [
      `dataset operation 365 ${2 * (before.count - after.count)} ${after.count}`,
    ]);
    await leadElsewhere(connectionId, `${service.url}/elsewhere`);
    await refresh(await rowAt(NAME));
    await inFront();
    await vscode.commands.executeCommand(COMMANDS.indexCopyJob);
    await person.seesNotification(/^The limits of a scheduled job come from a dry run of this cutoff\./);
  });

  test('is copied through a read-only connection too', async () => {
    const service = await connected('Read-only');
    await reviewed(700);
    await copyAs(service, SCRIPT);
    assert.equal(indicesIn(await vscode.env.clipboard.readText()).length, 1);
  });

  test('is refused where a dry run announces no delete by query', async () => {
    const service = await connected('Development', hostService('spec'));
    await reviewed(365);
    await assertRefused(service, /^The dry run doesn't show that this server can delete by query, .* Under Strategy,/);
  });

  test('is refused for a cutoff that is no whole number of days ago', async () => {
    const service = await connected();
    await reviewed(90.5);
    await assertRefused(service, /^A scheduled job counts in whole days, .* Set the cutoff in days, or/);
  });

  async function connected(role = 'Development', service = hostService()): Promise<HostService> {
    await callService(service, 'restoreRows');
    connectionId = await addConnection(person, { ...connectionAs(service, 'operator', NAME), role });
    await calm(service);
    await vscode.env.clipboard.writeText('untouched');
    return service;
  }

  /** A wizard in front, with a dry run of rows that are so old. */
  async function reviewed(days: number): Promise<DrivenWizard> {
    const wizard = await dryRun(NAME, INDEX, { days });
    await wizard.report();
    await inFront();
    return wizard;
  }

  async function inFront(): Promise<void> {
    const { tabGroups } = vscode.window;
    await until(
      'the wizard in front',
      () => tabGroups.activeTabGroup.activeTab?.label === `Truncate ${INDEX} (${NAME})`,
    );
  }

  /** @returns the message. */
  async function copyAs(service: HostService, form: string): Promise<string> {
    await calm(service);
    const copied = vscode.commands.executeCommand(COMMANDS.indexCopyJob);
    await person.picks(WHICH, form);
    await copied;
    assert.deepEqual(await requestsWith(service, 'action='), []);
    return person.seesNotification(form === SCRIPT ? /^Copied a shell script\./ : /^Copied a Kubernetes CronJob\./);
  }

  async function assertRefused(service: HostService, reason: RegExp): Promise<void> {
    await calm(service);
    await vscode.commands.executeCommand(COMMANDS.indexCopyJob);
    await person.seesNotification(reason);
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
    assert.deepEqual(await requestsWith(service, 'action='), []);
  }
});

function indicesIn(script: string): readonly string[] {
  const [, lines = ''] = /^INDICES='\n([^']*)\n'$/m.exec(script) ?? [];
  return lines.split('\n');
}
