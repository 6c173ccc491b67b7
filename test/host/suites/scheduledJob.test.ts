import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService } from '../context.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { openWizard } from './support/drivenWizard.ts';
import { connectedTests } from './support/fixtures.ts';
import { calm, requestsWith } from './support/requests.ts';
import { refresh, rowAt } from './support/tree.ts';
import { dryRun, endedTruncation, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Jobs';
const INDEX = 'dataset/operation';

suite('A scheduled job', () => {
  const { service, person, connectionId } = connectedTests({ name: NAME });
  setup(() => vscode.env.clipboard.writeText('untouched'));

  test('is copied by Automate on the page as a script with the limits of the dry run, and sends nothing', async () => {
    const wizard = await dryRun(NAME, INDEX, { days: 700 });
    const { rows } = await wizard.report();
    assert.ok(rows !== undefined && rows.toDelete > 0);
    await calm(service);
    wizard.says({ type: 'automate' });
    const ways = await person.offered(/^Automate \| Select how to automate$/, 'Copy as Scheduled Job');
    assert.deepEqual(
      ways.map(({ label }) => label.replace(/^\S+ /, '')),
      ['Copy as datahub-gc Recipe', 'Copy as Scheduled Job'],
    );
    await person.picks(/^Automate/, 'Copy as Scheduled Job');
    const said = await person.seesNotification(/^Copied a shell script for "/);
    assert.match(
      said,
      / \(dataset\/operation older than .*\)\. Each run counts the rows, and deletes them only with EXECUTE=yes\./,
    );
    const script = await vscode.env.clipboard.readText();
    assert.deepEqual(await requestsWith(service, 'action='), []);
    assert.match(script, /^#!\/bin\/sh\n/);
    assert.deepEqual(indicesIn(script), [`dataset operation 700 ${2 * rows.toDelete} ${rows.total - rows.toDelete}`]);
    const [, url = ''] = /^GMS_URL='(.*)'$/m.exec(script) ?? [];
    assert.ok(url.startsWith(service.url), url);
    const operations = await fetch(`${url}/operations?action=getIndexSizes`, { method: 'POST', body: '{}' });
    assert.equal(operations.status, 401, 'there is an endpoint, which asks for a token');
    execFileSync('sh', ['-n'], { input: script });
  });

  test('is copied after the truncation as well, for that server alone', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
    await truncate(person, NAME, INDEX, { days: 365 });
    const page = await openWizard(await endedTruncation(NAME, INDEX), COMMANDS.taskShow);
    await until('the page', () => page.view());
    const after = await callService(service, 'rows', 'dataset', 'operation');
    page.says({ type: 'automate' });
    await person.picks(/^Automate/, 'Copy as Scheduled Job');
    assert.match(await person.seesNotification(/^Copied a shell script for "/), /Read the script first\.$/);
    assert.deepEqual(indicesIn(await vscode.env.clipboard.readText()), [
      `dataset operation 365 ${2 * (before.count - after.count)} ${after.count}`,
    ]);
    await leadElsewhere(connectionId(), `${service.url}/elsewhere`);
    await refresh(await rowAt(NAME));
    page.says({ type: 'automate' });
    await person.seesNotification(/Run a dry run first\.$/);
  });
});

function indicesIn(script: string): readonly string[] {
  const [, lines = ''] = /^INDICES='\n([^']*)\n'$/m.exec(script) ?? [];
  return lines.split('\n');
}
