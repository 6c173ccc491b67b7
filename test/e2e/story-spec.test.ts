// The main job on a server that only does what the description says: no `me`, no configuration, no introspection,
// three fields of a token, and no task status.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually } from './harness/conditions.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { expandRow, refreshTree, treeIsQuiet, treeRow } from './harness/tree.ts';
import { openViewContainer } from './harness/workbench.ts';
import { connectionRow, describeConnection, saveForm } from './steps/connections.ts';
import { assertRows, cutoffOf, dryRunRequests, executeRequests, requestCount } from './steps/service.ts';
import { createAndCopyToken, revokeToken } from './steps/tokens.ts';
import {
  chooseDays,
  cutoffKind,
  confirmDeletion,
  deleteButton,
  dryRun,
  fact,
  openWizard,
  rowsByAgeCounted,
  shownTaskId,
} from './steps/wizard.ts';

const { service, database, page } = await openStage({
  service: { profile: 'spec' },
});
const { admin } = service.users;

suite('a user does the main job on a server that follows the description to the letter', () => {
  inOrder();

  test('adds a connection to a server that says little about itself', async () => {
    await openViewContainer(page, 'DataHub');
    const verdict = await describeConnection(page, {
      address: `${service.url}/api/graphql`,
      token: admin.token,
      name: 'Literal',
    });
    assert.ok(verdict.includes('This connection will sign in as admin'), verdict);
    await saveForm(page);
    await connectionRow(page, 'Literal').waitFor();
  });

  test("sees tokens by their IDs, and the indices, whose sizes aren't known", async () => {
    const own = service.tokens().filter(({ ownerUrn }) => ownerUrn === admin.urn);
    await treeRow(page, `Access tokens ${own.length}`).waitFor();
    await expandRow(page, 'Access tokens');
    await treeRow(page, `${own[0]?.id.slice(0, 12)}…`).waitFor();
    await expandRow(page, 'Time series indices');
    await treeRow(page, /^dataset, datasetUsageStatistics/).waitFor();
  });

  test('creates two tokens, whose names and expiry are known from then on, and revokes one', async () => {
    await createAndCopyToken(page, { name: 'for good', duration: 'No expiry' });
    await createAndCopyToken(page, { name: 'for a day', duration: '1 day' });
    const listed = requestCount(service, 'listAccessTokens');
    await refreshTree(page, () => requestCount(service, 'listAccessTokens') > listed);
    await treeIsQuiet(page);
    await treeRow(page, /^for a day, expires in (1 day|23 hours)/).waitFor();
    await treeRow(page, /^for good, never expires/).waitFor();
    assert.match(await revokeToken(page, /^for a day/), /Revoke the access token "for a day" on ".+"\?/);
    await treeRow(page, /^for a day/).waitFor({ state: 'detached' });
    await eventually(() => assert.ok(!service.tokens().some(({ name }) => name === 'for a day')));
  });

  test('truncates an index and follows the task by counting again', async () => {
    const before = database.rows('datajob', 'datahubingestionrunsummary');
    const wizard = await openWizard(page, /^dataJob, datahubIngestionRunSummary/);
    // Its sizes aren't known, so they can't be a limit.
    await rowsByAgeCounted(wizard);
    const kinds = await cutoffKind(wizard).getByRole('option').allInnerTexts();
    assert.deepEqual(kinds, ['days', 'date and time', 'of the oldest rows']);
    await chooseDays(wizard, 180);
    await wizard.getByText('Advanced').click();
    await wizard.getByLabel('Batch size').fill('50');
    const report = await dryRun(wizard);
    const cutoff = cutoffOf(dryRunRequests(service).at(-1));
    const kept = before.filter(({ timestampMillis }) => timestampMillis >= cutoff);
    assert.deepEqual([report.rowsToDelete, report.rowsTotal], [before.length - kept.length, before.length]);
    assertRows(database.rows('datajob', 'datahubingestionrunsummary'), before, 'a dry run deletes nothing');

    service.pacing.held = true;
    // This server has no choice of a strategy.
    await wizard
      .getByRole('checkbox', {
        name: /^A reindex points searches at a new index before it copies the rows to keep into it/,
      })
      .check();
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'datajob/datahubingestionrunsummary');
    await treeRow(page, /^Truncations 1 running/).waitFor();
    const sentAtCount = dryRunRequests(service).length;
    service.pacing.batchDelayMillis = 50;
    service.pacing.held = false;
    // In quick time, a server that is slow for a second has done nothing for a quarter of an hour.
    await eventually(() => assert.equal(database.rows('datajob', 'datahubingestionrunsummary').length, kept.length));
    await inQuickTime(() =>
      wizard
        .getByText(`${report.rowsToDelete.toLocaleString('en')} rows deleted`)
        .first()
        .waitFor(),
    );

    await shownTaskId(wizard);
    assert.equal(await fact(wizard, 'Batch size').innerText(), '50');
    // Each count is two dry runs: of the rows that should be deleted, and of those that should stay.
    assert.ok(dryRunRequests(service).length >= sentAtCount + 10, 'it is over when five counts in a row are right');
    assertRows(database.rows('datajob', 'datahubingestionrunsummary'), kept, 'what is newer than the cutoff is left');
    assert.equal(executeRequests(service).length, 1);
    assert.equal(await shownTaskId(wizard), service.tasks()[0]?.id);
  });

  test('only got responses that the description shows, and requested the task once, in vain', () => {
    const known = /^POST (\/api\/graphql|\/(api\/)?gms\/operations\?action=(getIndexSizes|truncateTimeseriesAspect))$/;
    const answered = service.requests
      .filter(({ status }) => status === 200)
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(
      answered.filter((line) => !known.test(line)),
      [],
    );
    assert.equal(service.requests.filter(({ path }) => path.includes('getEsTaskStatus')).length, 1);
    const graphql = service.requests.filter(({ path }) => path === '/api/graphql');
    const actors = graphql.map(({ headers }) => headers['x-service-actor']);
    const connecting = graphql.slice(0, actors.indexOf(admin.urn));
    assert.ok(
      connecting.every(({ body }) => body.includes('__typename }') || body.includes('query me')),
      'before the user is known, only the server and the owner of the token are asked for',
    );
    assert.deepEqual(
      [...new Set(actors.slice(connecting.length))],
      [admin.urn],
      'every call of the connection names the actor',
    );
  });
});
