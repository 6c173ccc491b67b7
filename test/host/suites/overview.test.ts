import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { openPage, type ListenedPage } from './support/openPage.ts';
import { openOverview, shownOverview, shownRows } from './support/overviewPage.ts';
import { rowAt } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Looked over';

suite('The overview of the indices', () => {
  const service = hostService();
  const unlisted = hostService('postgres');
  const person = personAt(service, unlisted);

  test('loads again on request; a failure says what helps, and keeps the loaded rows', async () => {
    await saveConnection(connectionAs(service, 'operator', NAME));
    const page = await openOverview(NAME);
    await untilListed(page);
    assert.equal(page.panel.title, `Time Series Indices: ${NAME}`);
    assert.equal(await openPage(COMMANDS.indexOverview, await rowAt(NAME, INDICES)), undefined, 'there is one already');
    await callService(service, 'addFault', { fault: { kind: 'status', status: 403 }, match: 'getIndexSizes' });
    page.says({ type: 'refresh' });
    const failed = await until('the failure', () => shownOverview(page)?.failure && shownOverview(page));
    assert.equal(failed.failure?.action, 'refresh');
    assert.match(failed.failure.sentence, /aren't allowed/);
    assert.ok(failed.loadedAt !== undefined && failed.hint === undefined && shownRows(page).length > 0);
    page.says({ type: 'copyDetails' });
    await until('the details', async () => /HTTP status: 403/.test(await vscode.env.clipboard.readText()));
    page.says({ type: 'refresh' });
    await until('the sizes', () => shownOverview(page)?.failure === undefined);
  });

  test('shows the total of a server that does not list its indices, and leads to adding them by name', async () => {
    await saveConnection(connectionAs(unlisted, 'operator', NAME));
    const page = await openOverview(NAME);
    await untilListed(page);
    assert.deepEqual(shownOverview(page)?.hint, {
      text: 'This server only reports a total. Add indices by name.',
      canAdd: true,
    });
    assert.deepEqual(
      shownRows(page).map(({ canTruncate }) => canTruncate),
      [false],
    );
    page.says({ type: 'addIndex' });
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'operation');
    const added = await until('the index', () => shownRows(page).find(({ aspect }) => aspect === 'operation'));
    assert.equal(added.note?.text, 'added by name');
    assert.equal(added.canTruncate, true);
  });
});

async function untilListed(page: ListenedPage): Promise<void> {
  await until('the sizes', () => shownOverview(page)?.loadedAt !== undefined && shownRows(page).length > 0);
}
