import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JobView } from '../../../src/pages/overview/protocol.ts';
import { wizardTabs } from './support/drivenWizard.ts';
import { connectedTests } from './support/fixtures.ts';
import type { ListenedPage } from './support/openPage.ts';
import { openOverview, say, shownJob, shownRows } from './support/overviewPage.ts';
import { answerWith, calm } from './support/requests.ts';
import { deletionOf, executionsOf } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Several';
const TARGETS = ['dataset/operation', 'query/queryusagestatistics'] as const;
const SUBJECT = '2 indices';
const STOPPED = /^0 of 2 indices truncated\. Truncation of dataset\/operation on Several: /;

suite('Several indices at once', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('are only notified of a stop before the first request if their page is hidden', async () => {
    const page = await openOverview(NAME);
    for (const isVisible of [true, false]) {
      await planned(page);
      await answerWith(service, '"dryRun":true', 403);
      say(page, { type: 'execute' });
      await person.readsBox(deletionOf(SUBJECT));
      if (!isVisible) {
        await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
        await until('the page to be hidden', () => !page.panel.visible);
      }
      await person.types(deletionOf(SUBJECT), NAME);
      if (isVisible) {
        await until('the end', () => shownJob(page)?.phase === 'ended');
        assert.deepEqual(person.toldSoFar, []);
        await calm(service);
        say(page, { type: 'startOver' });
      }
    }
    await person.seesNotification(STOPPED);
    await person.presses(STOPPED, 'Show');
    await until('the page', () => page.panel.visible);
    assert.deepEqual((await Promise.all(TARGETS.map((one) => executionsOf(service, one)))).flat(), []);
  });
});

suite('Several indices at once on a server without a choice of strategy', () => {
  connectedTests({ name: NAME, profile: 'spec' });

  test('are left out with the reason, and one opens in the wizard', async () => {
    const page = await openOverview(NAME);
    const { items, sum } = await planned(page);
    assert.equal(sum.count, 0);
    for (const { remark, canTruncateAlone, canBeSelected } of items) {
      assert.deepEqual(
        [remark, canTruncateAlone, canBeSelected],
        ['The server would reindex it. Truncate it alone.', true, false],
      );
    }
    say(page, { type: 'truncateAlone', place: 0 });
    await until('the wizard', () => wizardTabs().includes(`Truncate ${TARGETS[0]} (${NAME})`));
  });
});

/** Waits for the dry runs of both. */
async function planned(page: ListenedPage): Promise<JobView> {
  say(page, { type: 'dryRun', ids: await idsOf(page), days: 365 });
  return until('the dry runs', () => shownJob(page)?.phase === 'planned' && shownJob(page));
}

/** Their IDs on the page. */
async function idsOf(page: ListenedPage): Promise<string[]> {
  return until(
    () => `both indices in ${JSON.stringify(shownRows(page))}`,
    () => {
      const rows = shownRows(page);
      const ids = TARGETS.flatMap(
        (target) =>
          rows.find((row) => row.canTruncate && `${row.entityType ?? ''}/${row.aspect ?? ''}`.toLowerCase() === target)
            ?.id ?? [],
      );
      return ids.length === TARGETS.length && ids;
    },
  );
}
