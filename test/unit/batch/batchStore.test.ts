import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Folder } from '../../../src/platform/folder.ts';
import { BatchStore, type BatchRecord, parseBatchRecord, plansLeft } from '../../../src/batch/batchStore.ts';
import { sharedStorage } from '../connections/window.ts';
import { NOW, PLAN, RECORD } from '../truncation/samples.ts';

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(8) + '-0000-4000-8000-000000000000') as [
  string,
  string,
  string,
];
const OTHER = { ...PLAN, aspect: 'operation' };

const BATCH = {
  id: FIRST,
  connectionId: RECORD.connectionId,
  baseUrl: 'https://datahub.example.com',
  confirmedAt: NOW,
  items: [
    { recordId: '99999999-0000-4000-8000-000000000001', plan: PLAN, isSent: false },
    { recordId: '99999999-0000-4000-8000-000000000002', plan: OTHER, isSent: false },
  ],
} as const satisfies BatchRecord;
const [ITEM] = BATCH.items;

/** Opens a window's store over what all windows share. It reads no records. */
async function shared(context: TestContext): Promise<(change?: (folder: Folder) => Folder) => BatchStore> {
  const { folders } = await sharedStorage(context);
  return (change = (folder) => folder) => new BatchStore(change(folders('batches')), { get: () => undefined });
}

/** Batches that a new window finds, with the aspects of their items that were not sent. */
async function found(open: () => BatchStore): Promise<ReadonlyMap<string, readonly string[]>> {
  const batches = open();
  await batches.reload();
  return new Map(
    batches.of(BATCH.connectionId).map((batch) => [batch.id, plansLeft(batch).map(({ aspect }) => aspect)]),
  );
}

suite('A batch that is continued', () => {
  test('moves its items into the new batch', async (context) => {
    const open = await shared(context);
    const batches = open();
    await batches.add(BATCH);
    assert.equal(await batches.moveItems(BATCH, { ...BATCH, id: SECOND }), true);
    assert.deepEqual([...(await found(open)).keys()], [SECOND]);
  });

  test('leaves items that are not continued as an interrupted batch of their own', async (context) => {
    const open = await shared(context);
    const batches = open();
    await batches.add(BATCH);
    assert.equal(await batches.moveItems(BATCH, { ...BATCH, id: SECOND, items: [ITEM] }), true);
    const { [SECOND]: continued, ...others } = Object.fromEntries(await found(open));
    assert.deepEqual([continued, Object.values(others)], [[PLAN.aspect], [[OTHER.aspect]]]);
    assert.ok(!(FIRST in others), 'so that the window that had the former batch open sends none of it');
  });

  test('is continued by one of two windows', async (context) => {
    const open = await shared(context);
    const [one, other] = [open(), open()];
    await one.add(BATCH);
    const moved = await Promise.all([
      one.moveItems(BATCH, { ...BATCH, id: SECOND }),
      other.moveItems(BATCH, { ...BATCH, id: THIRD }),
    ]);
    assert.deepEqual(moved.toSorted(), [false, true]);
    assert.deepEqual([...(await found(open)).keys()], [moved[0] ? SECOND : THIRD]);
    assert.equal(await other.moveItems(BATCH, { ...BATCH, id: THIRD }), false);
  });

  test('loses no item in a crash, and can be continued afterwards', async (context) => {
    const open = await shared(context);
    await open().add(BATCH);
    const crashing = open((folder) => ({ ...folder, remove: () => Promise.reject(new Error('gone')) }));
    const continued = { ...BATCH, id: SECOND, items: [ITEM] };
    await assert.rejects(crashing.moveItems(BATCH, continued), /gone/);
    const left = await found(open);
    assert.deepEqual(left.get(FIRST), [PLAN.aspect, OTHER.aspect]);
    assert.deepEqual(left.get(SECOND), [PLAN.aspect]);
    assert.equal(await open().moveItems(continued, { ...continued, id: THIRD }), true);
  });

  test("can't be continued once an item was sent, or another window has dismissed it", async (context) => {
    const open = await shared(context);
    const [batches, other] = [open(), open()];
    await batches.add(BATCH);
    await other.markSent(BATCH, ITEM.recordId);
    assert.equal(await batches.moveItems(BATCH, { ...BATCH, id: SECOND }), false);
    assert.equal(await other.forget(BATCH), true);
    assert.equal(await batches.moveItems(BATCH, { ...BATCH, id: SECOND, items: BATCH.items.slice(1) }), false);
    assert.deepEqual(await found(open), new Map());
  });
});

suite('An item of a batch', () => {
  const { recordId } = ITEM;

  test('counts as sent once it is marked, and as not sent under another ID once it is returned', async (context) => {
    const batches = (await shared(context))();
    await batches.add(BATCH);
    const left = (): unknown => batches.of(BATCH.connectionId).map(plansLeft);
    assert.equal(await batches.holdsItem(BATCH, recordId), true);
    assert.deepEqual(left(), [[PLAN, OTHER]]);
    assert.equal(await batches.markSent(BATCH, recordId), true);
    // This store reads no records, so the mark alone shows it.
    assert.deepEqual(left(), [[OTHER]]);
    await batches.markNotSent(BATCH, recordId);
    assert.deepEqual(left(), [[PLAN, OTHER]]);
    assert.equal(await batches.holdsItem(BATCH, recordId), false);
  });

  test('may not be sent once another window has dismissed or continued the batch', async (context) => {
    const open = await shared(context);
    const [batches, other] = [open(), open()];
    await batches.add(BATCH);
    await other.moveItems(BATCH, { ...BATCH, id: SECOND });
    await batches.add({ ...BATCH, id: THIRD });
    assert.equal(await other.forget({ ...BATCH, id: THIRD }), true);
    for (const id of [FIRST, THIRD]) {
      assert.equal(await batches.holdsItem({ ...BATCH, id }, recordId), false);
      assert.equal(await batches.markSent({ ...BATCH, id }, recordId), false);
      assert.equal(await batches.forget({ ...BATCH, id }), false, 'as told to one window');
    }
  });
});

const PARTLY_SENT: BatchRecord = {
  ...BATCH,
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
