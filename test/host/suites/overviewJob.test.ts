import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JobView } from '../../../src/pages/overview/protocol.ts';
import { callService } from '../context.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { connectedSuite } from './support/fixtures.ts';
import { openOverview, say, shownJob, shownRows, tickOf } from './support/overviewPage.ts';
import type { ListenedPage } from './support/openPage.ts';
import { calm, requestsWith } from './support/requests.ts';
import { READERS_PATIENCE_MS, deletionOf, executionsOf } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Several';
const TARGETS = ['dataset/operation', 'query/queryusagestatistics'] as const;
const SUBJECT = '2 indices';
const STOPPED = /^Truncation of dataset \/ operation on Several: /;

suite('Several indices at once', () => {
  const { service, person } = connectedSuite({ name: NAME });

  test('are counted, confirmed once by the name of the connection, and truncated in sequence', async () => {
    const page = await openOverview(NAME);
    const { items } = await planned(page);
    assert.deepEqual(
      items.map(({ name, isSelected }) => [name, isSelected]),
      TARGETS.map((target) => [target, true]),
    );
    assert.deepEqual((await Promise.all(TARGETS.map((one) => executionsOf(service, one)))).flat(), []);

    say(page, { type: 'execute' });
    const { title, prompt } = await person.readsBox(deletionOf(SUBJECT));
    assert.match(title, /^Delete [\d,]+ of [\d,]+ rows of 2 indices from Several \(127\.0\.0\.1:\d+\)$/);
    assert.match(
      prompt,
      /^Rows dated up to .* \(365 days ago\), as .*\. [\d,]+ stay\. Can't be undone\. Type "Several"\.$/,
    );
    assert.equal(await person.triesToType(deletionOf(SUBJECT), 'several'), `Doesn't match. ${prompt}`);
    await person.types(deletionOf(SUBJECT), NAME);

    const ended = await inQuickTime(() =>
      until('the end of both', () => shownJob(page)?.phase === 'ended' && shownJob(page), READERS_PATIENCE_MS),
    );
    assert.match(ended.outcome?.headline ?? '', /^[\d,]+ rows deleted · .*2 indices$/, JSON.stringify(ended.items));
    const [first = [], second = []] = await Promise.all(TARGETS.map((one) => executionsOf(service, one)));
    assert.deepEqual([first.length, second.length], [1, 1]);
  });

  test('are copied as a scheduled job that repeats the plan', async () => {
    const page = await openOverview(NAME);
    const { items } = await planned(page);
    await calm(service);
    say(page, { type: 'automate' });
    await person.picks(/Select a way/, 'Copy as Scheduled Job');
    await person.picks(/Select a format/, 'Shell Script');
    const said = await person.seesNotification(/^Copied a shell script\./);
    assert.match(
      said,
      /: dataset\/operation, query\/queryusagestatistics older than 365 days\. Read the script first\./,
    );
    const [, indices = ''] = /^INDICES='\n([^']*)\n'$/m.exec(await vscode.env.clipboard.readText()) ?? [];
    const limits = items.map(({ rows: { toDelete, total } = { toDelete: 0, total: 0 } }) => [
      365,
      2 * toDelete,
      total - toDelete,
    ]);
    assert.deepEqual(
      indices.split('\n'),
      TARGETS.map((target, at) => [...target.split('/'), ...(limits[at] ?? [])].join(' ')),
    );
    assert.deepEqual(await requestsWith(service, 'operations'), []);
  });

  test('are copied as a scheduled job, with a note on those that it leaves alone for now', async () => {
    const page = await openOverview(NAME);
    const { items } = await planned(page, 30);
    // Much younger than the last cutoff.
    items.forEach((_, place) => say(page, tickOf(items, place)));
    await until('the ticks', () => shownJob(page)?.sum.count === items.length);
    say(page, { type: 'automate' });
    await person.picks(/Select a way/, 'Copy as Scheduled Job');
    await person.picks(/Select a format/, 'Kubernetes CronJob');
    assert.match(
      await person.seesNotification(/^Copied a Kubernetes CronJob\./),
      /dataset\/operation, query\/queryusagestatistics: more than 20% of the rows .* leaves these indices alone until/,
    );
  });

  test('are only notified of a stop before the first request if their page is hidden', async () => {
    const page = await openOverview(NAME);
    for (const isVisible of [true, false]) {
      await planned(page);
      await callService(service, 'addFault', {
        fault: { kind: 'status', status: 403 },
        match: '"dryRun":true',
        times: 'always',
      });
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

  test('end with the first if the user stops while a slow server counts the second again', async () => {
    const page = await openOverview(NAME);
    await planned(page);
    say(page, { type: 'execute' });
    await person.readsBox(deletionOf(SUBJECT));
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: 3_600_000 },
      match: 'queryusagestatistics',
      times: 'always',
    });
    await person.types(deletionOf(SUBJECT), NAME);
    const statuses = (): (string | undefined)[] => shownJob(page)?.items.map(({ status }) => status?.text) ?? [];
    await inQuickTime(() => until('the count of the second', () => statuses()[1] === 'counting…', READERS_PATIENCE_MS));
    say(page, { type: 'stop' });
    await callService(service, 'clearFaults');
    const { outcome } = await until(
      'the end',
      () => shownJob(page)?.phase === 'ended' && shownJob(page),
      READERS_PATIENCE_MS,
    );
    assert.deepEqual([statuses(), outcome?.headline], [['finished', 'not sent'], '1 of 2 indices truncated.']);
    const [first = [], second = []] = await Promise.all(TARGETS.map((one) => executionsOf(service, one)));
    assert.deepEqual([first.length, second.length], [1, 0]);
    assert.match(outcome?.deleted ?? '', /^[\d,]+ rows? deleted$/, 'the total is of what was deleted');
  });
});

// Later releases don't date their responses.
suite('Several indices at once on a server that dates its responses', () => {
  const { service } = connectedSuite({ name: NAME, profile: '0.14' });

  test("are not sent unless ticked if responses are dated long before this machine's clock", async () => {
    const page = await openOverview(NAME);
    await callService(service, 'addFault', {
      fault: { kind: 'clock', offsetMillis: -60 * 86_400_000 },
      match: '"dryRun":true',
      times: 'always',
    });
    const { items, sum } = await planned(page);
    for (const { cautions, canBeSelected, isSelected } of items) {
      assert.match(cautions[0]?.text ?? '', /response is dated .*, but this machine's clock says /);
      assert.deepEqual([canBeSelected, isSelected], [true, false]);
    }
    assert.equal(sum.count, 0);
    await calm(service);
  });
});

suite('Several indices at once on a server without a choice of strategy', () => {
  connectedSuite({ name: NAME, profile: 'spec' });

  test('are left out with the reason, and one opens in the wizard', async () => {
    const page = await openOverview(NAME);
    say(page, { type: 'dryRun', ids: await idsOf(page), days: 365 });
    const { items, sum } = await until('the dry runs', () => shownJob(page)?.phase === 'planned' && shownJob(page));
    assert.equal(sum.count, 0);
    for (const { remark, canTruncateAlone, canBeSelected } of items) {
      assert.deepEqual(
        [remark, canTruncateAlone, canBeSelected],
        ['The server would reindex it. Truncate it alone.', true, false],
      );
    }
    say(page, { type: 'truncateAlone', place: 0 });
    const isWizard = ({ label }: vscode.Tab): boolean => label === `Truncate ${TARGETS[0]} (${NAME})`;
    await until('the wizard', () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isWizard)));
  });
});

/** Waits for the dry runs of both. */
async function planned(page: ListenedPage, days = 365): Promise<JobView> {
  say(page, { type: 'dryRun', ids: await idsOf(page), days });
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
