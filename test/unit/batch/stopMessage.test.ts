import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { stopMessage } from '../../../src/batch/view.ts';
import { reply } from '../service/wireServer.ts';
import { dryRunText } from '../truncation/samples.ts';
import {
  RunningWindow,
  scriptedServer,
  taskStatus,
  type ScriptedServer,
  type ShownBatch,
} from '../truncation/runningWindow.ts';

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly batch: ShownBatch;
  readonly told: (isPageClosed?: boolean) => string | undefined;
}

/** Two after their dry runs. */
async function stage(context: TestContext): Promise<Stage> {
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url);
  const batch = window.newBatchRun();
  await batch.dryRun(
    ['operation', 'usage'].map((aspect) =>
      Object.assign(emptyDraft('dataset', aspect), { endTimeMillis: Date.UTC(2026, 4, 1) }),
    ),
  );
  const told = (isPageClosed = false): string | undefined =>
    stopMessage({
      batch,
      record: window.batches.of(window.connection.id).find(({ id }) => id === batch.recordId),
      connectionName: 'Staging',
      isPageClosed,
    });
  return { server, window, batch, told };
}

/** Fulfilled with the next change after which the first one runs. */
function firstRuns(batch: ShownBatch): Promise<void> {
  return new Promise((resolve) => {
    batch.onDidChange(() => batch.items[0]?.status === 'running' && resolve());
  });
}

suite('Notification of a stopped batch', () => {
  test('names an index with more rows than were shown, the reason, and how many were sent', async (context) => {
    const { server, batch, told } = await stage(context);
    const counted = server.dryRuns().length;
    const rows = server.dryRun;
    server.dryRun = (body) =>
      body.aspect === 'usage' && server.dryRuns().length > counted ? dryRunText(21, 201) : rows(body);
    await batch.execute();
    assert.match(
      told() ?? '',
      /^The truncation of dataset \/ usage on Staging failed\. Nothing was deleted\. More rows would be deleted now than the dry run showed\. Review the new numbers\. Confirmed .+: truncation sent for 1 of 2 indices\.$/,
    );
  });

  test('says that the server refused to count again', async (context) => {
    const { server, batch, told } = await stage(context);
    server.refusesDryRuns = true;
    await batch.execute();
    assert.match(
      told() ?? '',
      /^The truncation of dataset \/ operation on Staging failed\. .*Confirmed .*: truncation sent for 0 of 2 indices\.$/,
    );
  });

  test('says that the connection changed during a truncation', async (context) => {
    const { server, window, batch, told } = await stage(context);
    server.taskStatus = () => taskStatus(7, false);
    const executing = batch.execute();
    await firstRuns(batch);
    await window.signIn();
    await executing;
    assert.match(
      told() ?? '',
      /dataset \/ usage on Staging failed\. Nothing was deleted: the sign-in has changed since the dry run\./,
    );
  });

  test('says that the page was closed, unless the user had stopped the batch before', async (context) => {
    for (const stops of [false, true]) {
      const { server, batch, told } = await stage(context);
      server.taskStatus = () => taskStatus(7, false);
      const executing = batch.execute();
      await firstRuns(batch);
      if (stops) {
        batch.stop();
      }
      batch.dispose();
      await executing;
      assert.equal(
        told(true)?.startsWith('The truncation of dataset / usage on Staging failed. '),
        stops ? undefined : true,
      );
    }
  });

  test('says that the batch could not be stored', async (context) => {
    const { batch, window, told } = await stage(context);
    window.answerForBatch = async () => {
      await window.batches.forgetConnection(window.connection.id);
      window.batches.add = () => Promise.reject(new Error('No space is left.'));
      return true;
    };
    await batch.execute();
    assert.match(told() ?? '', /^Nothing was deleted: the truncation couldn't be recorded/);
  });

  test('is absent if everything was sent, a sent truncation failed, or the user declined', async (context) => {
    const all = await stage(context);
    await all.batch.execute();
    assert.equal(all.told(), undefined);
    const failed = await stage(context);
    failed.server.execute = (response) => reply(response, 200, { value: 'Not today.' });
    await failed.batch.execute();
    assert.equal(failed.told(), undefined);
    const declined = await stage(context);
    declined.window.answerForBatch = () => false;
    await declined.batch.execute();
    assert.equal(declined.told(), undefined);
  });
});
