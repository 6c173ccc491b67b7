import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { durableFolder, type DurableFolder } from '../../../src/platform/durableFolder.ts';
import { systemClock } from '../../../src/time.ts';
import { BatchStore, type BatchRecord, parseBatchRecord, plansLeft } from '../../../src/batch/batchStore.ts';
import { Memory } from '../memory.ts';
import { NOW, PLAN, RECORD } from '../truncation/samples.ts';

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(8) + '-0000-4000-8000-000000000000') as [
  string,
  string,
  string,
];

const BATCH: BatchRecord = {
  id: FIRST,
  connectionId: 'c',
  confirmedAt: Date.now(),
  items: [
    {
      recordId: '99999999-0000-4000-8000-000000000000',
      isSent: false,
      plan: {
        entityType: 'dataset',
        aspect: 'operation',
        endTimeMillis: 1,
        batchSize: 10_000,
        timeoutSeconds: undefined,
        strategy: 'deleteByQuery',
      },
    },
  ],
};

/** Opens a window's store over what all windows share. */
async function shared(
  context: TestContext,
): Promise<(change?: (folder: DurableFolder) => DurableFolder) => BatchStore> {
  const path = await mkdtemp(join(tmpdir(), 'metadata-service-batch-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  const memory = new Memory();
  const clock = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(0, run) };
  return (change = (folder) => folder) =>
    new BatchStore(memory, change(durableFolder(path)), clock, { get: () => undefined });
}

suite('A batch that is continued', () => {
  test('moves its items into the new batch', async (context) => {
    const open = await shared(context);
    const batches = open();
    await batches.save(BATCH);
    assert.equal(await batches.moveItems(BATCH, { ...BATCH, id: SECOND, continues: FIRST }), true);
    assert.deepEqual(
      batches.of('c').map(({ id }) => id),
      [SECOND],
    );
  });

  test('can be continued again if a window crashed before it moved the items', async (context) => {
    const open = await shared(context);
    const crashing = open((folder) => ({
      ...folder,
      write: (name, text) =>
        name.includes(FIRST) && text.includes('"items":[]')
          ? Promise.reject(new Error('gone'))
          : folder.write(name, text),
    }));
    await crashing.save(BATCH);
    const continued = { ...BATCH, id: SECOND, continues: FIRST };
    await assert.rejects(crashing.moveItems(BATCH, continued), /gone/);
    const later = open();
    await later.reload();
    assert.deepEqual(
      later
        .of('c')
        .map(({ id }) => id)
        .toSorted(),
      [FIRST, SECOND],
    );
    assert.equal(await later.moveItems(continued, { ...BATCH, id: THIRD, continues: SECOND }), true);
  });

  test('gives way to another window that continues the same items', async (context) => {
    const open = await shared(context);
    const [one, other] = [open(), open()];
    await one.save(BATCH);
    await one.save({ ...BATCH, id: SECOND, continues: FIRST });
    assert.equal(await other.moveItems(BATCH, { ...BATCH, id: THIRD, continues: FIRST }), false);
  });
});

suite('An item of a batch', () => {
  const [item] = BATCH.items;
  const recordId = item?.recordId ?? '';

  test('counts as sent once it is marked, and as not sent under another ID once it is returned', async (context) => {
    const batches = (await shared(context))();
    await batches.save(BATCH);
    assert.equal(await batches.holdsItem(BATCH, recordId), true);
    assert.deepEqual(batches.of('c').map(plansLeft), [[item?.plan]]);
    assert.equal(await batches.markSent(BATCH, recordId), true);
    // This store reads no records, so the mark alone shows it.
    assert.deepEqual(batches.of('c').map(plansLeft), [[]]);
    await batches.markNotSent(BATCH, recordId);
    assert.deepEqual(batches.of('c').map(plansLeft), [[item?.plan]]);
    assert.equal(await batches.holdsItem(BATCH, recordId), false);
  });

  test('may not be sent once another window has dismissed the batch', async (context) => {
    const open = await shared(context);
    const [batches, other] = [open(), open()];
    await batches.save(BATCH);
    await other.dismiss(BATCH);
    assert.equal(await batches.holdsItem(BATCH, recordId), false);
    assert.equal(await batches.markSent(BATCH, recordId), false);
  });
});

const OTHER = { ...PLAN, aspect: 'operation' };
const PARTLY_SENT: BatchRecord = {
  id: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001',
  connectionId: RECORD.connectionId,
  confirmedAt: NOW,
  items: [
    { recordId: RECORD.id, plan: PLAN, isSent: true },
    { recordId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a002', plan: OTHER, isSent: false },
  ],
};

suite('A batch record', () => {
  test('is restored unchanged', () => {
    assert.deepEqual(parseBatchRecord(JSON.parse(JSON.stringify(PARTLY_SENT))), PARTLY_SENT);
  });

  test('lists items that were not sent', () => {
    assert.deepEqual(plansLeft(PARTLY_SENT), [OTHER]);
  });

  for (const [what, damaged] of [
    ['nothing', undefined],
    ['a string', 'several'],
    ['another kind of record', RECORD],
    ['an item without its sent flag', { ...PARTLY_SENT, items: [{ ...PARTLY_SENT.items[0], isSent: undefined }] }],
    ['an item without a plan', { ...PARTLY_SENT, items: [{ ...PARTLY_SENT.items[0], plan: {} }] }],
    ['an invalid ID', { ...PARTLY_SENT, id: '..' }],
  ] as const) {
    test(`is undefined if ${what} was stored`, () => assert.equal(parseBatchRecord(damaged), undefined));
  }
});
