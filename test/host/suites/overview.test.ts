import assert from 'node:assert/strict';
import { hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { openOverview, shownOverview, shownRows } from './support/overviewPage.ts';
import { until } from './support/until.ts';

const NAME = 'Looked over';

suite('The overview of the indices', () => {
  const unlisted = hostService('postgres');
  const person = personAt(unlisted);

  test('shows the total of a server that does not list its indices, and leads to adding them by name', async () => {
    await saveConnection(connectionAs(unlisted, 'operator', NAME));
    const page = await openOverview(NAME);
    await until('the total', () => shownOverview(page)?.loadedAt !== undefined && shownRows(page).length > 0);
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
