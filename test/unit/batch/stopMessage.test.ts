import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { BulkRun } from '../../../src/batch/bulkRun.ts';
import { stopMessage } from '../../../src/batch/stopMessage.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { reply } from '../service/wireServer.ts';
import { saveSignedIn } from '../../../src/connections/signIn.ts';
import { dryRunText } from '../truncation/samples.ts';
import { RunningWindow, scriptedServer, taskStatus } from '../truncation/runningWindow.ts';
import type { ScriptedServer } from '../truncation/runningWindow.ts';

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly bulk: BulkRun;
  readonly told: (isPageClosed?: boolean) => string | undefined;
}

/** Two after their dry runs. */
async function stage(context: TestContext): Promise<Stage> {
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url);
  const bulk = window.several();
  await bulk.dryRun(
    ['operation', 'usage'].map((aspect) =>
      Object.assign(emptyDraft('dataset', aspect), { endTimeMillis: Date.UTC(2026, 4, 1) }),
    ),
  );
  const told = (isPageClosed = false): string | undefined =>
    stopMessage({
      bulk,
      record: window.bulks.of(window.connection.id).find(({ id }) => id === bulk.recordId),
      connectionName: 'Staging',
      isPageClosed,
    });
  return { server, window, bulk, told };
}

/** Fulfilled with the next change after which the first one runs. */
function firstRuns(bulk: BulkRun): Promise<void> {
  return new Promise((resolve) => {
    bulk.onDidChange(() => bulk.items[0]?.status === 'running' && resolve());
  });
}

suite('What stopped the rest of several, for who does not see their page', () => {
  test('is one with more rows than were shown: which, why, and how many were sent', async (context) => {
    const { server, bulk, told } = await stage(context);
    const counted = server.dryRuns().length;
    const rows = server.dryRun;
    server.dryRun = (body) =>
      body.aspect === 'usage' && server.dryRuns().length > counted ? dryRunText(21, 201) : rows(body);
    await bulk.execute();
    assert.match(
      told() ?? '',
      /^The truncation of dataset \/ usage on Staging failed\. Nothing was deleted\. The row count grew since the dry run\. Review the new numbers\. 1 of 2 indices, confirmed .+, were sent\.$/,
    );
  });

  test('is a server that refuses to count again', async (context) => {
    const { server, bulk, told } = await stage(context);
    server.refusesDryRuns = true;
    await bulk.execute();
    assert.match(
      told() ?? '',
      /^The truncation of dataset \/ operation on Staging failed\. .*0 of 2 indices, .*were sent\.$/,
    );
  });

  test('is a connection that has changed while one was running', async (context) => {
    const { server, window, bulk, told } = await stage(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = bulk.execute();
    await firstRuns(bulk);
    await saveSignedIn(window, window.connection, CREDENTIAL);
    await executing;
    assert.match(told() ?? '', /dataset \/ usage on Staging failed\. The connection has changed since the dry run\./);
  });

  test('is the page itself, where it was closed, unless the person had stopped the rest before', async (context) => {
    for (const stops of [false, true]) {
      const { server, bulk, told } = await stage(context);
      server.taskStatus = () => taskStatus(7, false);
      const executing = bulk.execute();
      await firstRuns(bulk);
      if (stops) {
        bulk.stop();
      }
      bulk.dispose();
      await executing;
      assert.equal(
        told(true)?.startsWith('The truncation of dataset / usage on Staging failed. '),
        stops ? undefined : true,
      );
    }
  });

  test('is that they could not be written down', async (context) => {
    const { bulk, window, told } = await stage(context);
    window.answerTogether = async () => {
      await window.bulks.forgetConnection(window.connection.id);
      window.bulks.save = () => Promise.reject(new Error('No space is left.'));
      return true;
    };
    await bulk.execute();
    assert.match(told() ?? '', /^Nothing was deleted: the truncation couldn't be recorded/);
  });

  test('is nothing that is to be told where all were sent, one that was sent failed, or the person said no', async (context) => {
    const all = await stage(context);
    await all.bulk.execute();
    assert.equal(all.told(), undefined);
    const failed = await stage(context);
    failed.server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await failed.bulk.execute();
    assert.equal(failed.told(), undefined);
    const declined = await stage(context);
    declined.window.answerTogether = () => false;
    await declined.bulk.execute();
    assert.equal(declined.told(), undefined);
  });
});
