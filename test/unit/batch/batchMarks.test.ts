// Before an item of a batch is sent it is marked in the stored batch, so that other windows know.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { BatchRecord } from '../../../src/batch/batchStore.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import {
  RunningWindow,
  scriptedServer,
  type ScriptedServer,
  type ShownBatch,
  type WindowOptions,
} from '../truncation/runningWindow.ts';

const CUTOFF = Date.now() - 90 * 86_400_000;

type Stage = { readonly server: ScriptedServer; readonly window: RunningWindow; readonly batch: ShownBatch };

async function planned(context: TestContext, options?: WindowOptions): Promise<Stage> {
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url, options);
  const batch = window.newBatchRun();
  await batch.dryRun([{ ...emptyDraft('dataset', 'operation'), endTimeMillis: CUTOFF }]);
  assert.equal(batch.phase, 'planned');
  return { server, window, batch };
}

/** Does something in another window when the rows are counted again. */
function duringRecount({ server, window, batch }: Stage, act: (stored: BatchRecord) => Promise<unknown>): void {
  const { dryRun } = server;
  server.dryRun = async (body) => {
    const [stored] = await window.batchesOnDisk();
    if (batch.phase === 'executing' && stored !== undefined) await act(stored);
    return dryRun(body);
  };
}

suite('An item of a batch is not sent', () => {
  test('if another window dismissed the batch during the recount, and no record is written', async (context) => {
    const stage = await planned(context);
    const { server, window, batch } = stage;
    const claimed = context.mock.method(window.records, 'claim');
    duringRecount(stage, async (stored) => (await window.another(context)).batches.forget(stored));
    await batch.execute();
    assert.deepEqual([server.executions(), claimed.mock.callCount()], [[], 0]);
    assert.equal(batch.items[0]?.status, 'notSent');
  });

  test('if another window dismisses the batch while the record is written, which is deleted', async (context) => {
    const { server, window, batch } = await planned(context);
    const claim = window.records.claim.bind(window.records);
    context.mock.method(window.records, 'claim', async (...record: Parameters<typeof claim>) => {
      const isMine = await claim(...record);
      const [stored] = await window.batchesOnDisk();
      if (stored !== undefined) await (await window.another(context)).batches.forget(stored);
      return isMine;
    });
    await batch.execute();
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    assert.equal(batch.items[0]?.status, 'notSent');
  });

  test('if its mark cannot be stored, and the user can continue with it', async (context) => {
    let isFull = false;
    const { server, window, batch } = await planned(context, {
      folder: (real) => ({
        ...real,
        put: (name, text) =>
          isFull && text.includes('"isSent":true')
            ? Promise.reject(new Error('The disk is full.'))
            : real.put(name, text),
      }),
    });
    isFull = true;
    await batch.execute();
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    assert.match(failingOf(batch)?.sentence ?? '', /Nothing was deleted/);
    isFull = false;
    await batch.dryRunAgain();
    await batch.execute();
    assert.equal(server.executions().length, 1);
  });
});

function failingOf({ items: [item] }: ShownBatch): { readonly sentence: string } | undefined {
  const state = item?.state;
  return state !== undefined && 'failing' in state ? state.failing : undefined;
}
