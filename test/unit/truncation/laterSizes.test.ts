import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { indexNameText } from '../../../src/indices/indexName.ts';
import { Emitter } from '../../../src/platform/events.ts';
import type { ReportedIndexSize } from '../../../src/service/indices/indexSize.ts';
import { LaterSizes, isSizeSettled, withLaterSize } from '../../../src/truncation/laterSizes.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { addConnection, connectionTo, sharedStorage, windowOn } from '../connections/window.ts';
import { DAY, FAILED, FINISHED, LOST, MINUTE, NOW, RECORD, REINDEX, exactly } from './samples.ts';

const BEFORE = 21_000_000;
const BASE_URL = 'https://datahub.example.com';

/** A window with an ended truncation, where the test loads the sizes. */
async function stage(context: TestContext, more: Partial<TruncationRecord> = {}) {
  const shared = await sharedStorage(context);
  const window = windowOn(shared);
  const connection = await addConnection(window, connectionTo(BASE_URL));
  const ended: TruncationRecord = {
    ...RECORD,
    connectionId: connection.id,
    baseUrl: BASE_URL,
    sizeBefore: BEFORE,
    sizePrecision: 'exact',
    ending: FINISHED,
    endedAt: NOW + MINUTE,
    ...more,
  };
  await window.records.claim(ended);
  const sizes = new Map<string, ReportedIndexSize>();
  const list = {
    loadedAt: undefined as number | undefined,
    refreshes: 0,
    refresh: () => {
      list.refreshes++;
      return Promise.resolve();
    },
    reportedSizeOf: (target: { readonly entityType: string; readonly aspect: string }) =>
      sizes.get(indexNameText(target).toLowerCase()) ?? exactly(undefined),
  };
  const loaded = new Emitter<string>();
  const watched = new Emitter<TruncationRecord>();
  const later = new LaterSizes({
    indexLists: { get: () => list, onDidChange: loaded.event },
    records: window.records,
    connection: (id) => window.store.get(id),
    watch: { onDidChange: watched.event },
  });
  context.after(() => later.dispose());
  return {
    shared,
    window,
    later,
    ended,
    watched,
    refreshes: () => list.refreshes,
    load: async (bytes: number, at: number, precision: ReportedIndexSize['precision'] = 'exact'): Promise<void> => {
      sizes.set(indexNameText(ended.plan), { bytes, precision });
      list.loadedAt = at;
      loaded.fire(connection.id);
      await later.idle();
    },
    stored: () => windowOn(shared).records,
  };
}

async function storedRecord({
  stored,
  ended,
}: Awaited<ReturnType<typeof stage>>): Promise<TruncationRecord | undefined> {
  const records = stored();
  await records.load();
  return records.get(ended.connectionId, ended.id);
}

suite('Sizes after the end of a truncation', () => {
  test('are read once the end is seen', async (context) => {
    const { watched, ended, refreshes } = await stage(context);
    const { ending: _, ...running } = ended;
    watched.fire(running);
    assert.equal(refreshes(), 0);
    watched.fire(ended);
    watched.fire(ended);
    assert.equal(refreshes(), 1);
  });

  test('are stored with their time if lower than before, and each time they are lower still', async (context) => {
    const on = await stage(context);
    await on.load(36_000_000, NOW + 2 * MINUTE);
    assert.equal((await storedRecord(on))?.laterSize, undefined);
    await on.load(20_000_000, NOW + 3 * MINUTE);
    assert.deepEqual((await storedRecord(on))?.laterSize, { bytes: 20_000_000, at: NOW + 3 * MINUTE });
    await on.load(20_500_000, NOW + 4 * MINUTE);
    await on.load(13_000_000, NOW + DAY);
    assert.deepEqual((await storedRecord(on))?.laterSize, { bytes: 13_000_000, at: NOW + DAY });
  });

  test('belong to the last truncation of an index, whatever the case of its name', async (context) => {
    const on = await stage(context);
    const { entityType, aspect, ...plan } = on.ended.plan;
    const next = {
      ...on.ended,
      id: crypto.randomUUID(),
      sentAt: NOW + DAY,
      endedAt: NOW + DAY + MINUTE,
      plan: { ...plan, entityType, aspect: aspect.toUpperCase() },
    };
    await on.window.records.claim(next);
    await on.load(1_000_000, NOW + 2 * DAY);
    assert.equal((await storedRecord(on))?.laterSize, undefined);
    assert.deepEqual(on.window.records.get(next.connectionId, next.id)?.laterSize?.bytes, 1_000_000);
  });

  test("belong to an index's last truncation, even if another connection to the server sent it", async (context) => {
    const on = await stage(context);
    const next = { ...on.ended, id: crypto.randomUUID(), connectionId: crypto.randomUUID(), sentAt: NOW + DAY };
    await on.window.records.claim({ ...next, endedAt: NOW + DAY + MINUTE });
    await on.load(1_000_000, NOW + DAY + 2 * MINUTE);
    assert.equal((await storedRecord(on))?.laterSize, undefined);
    const settled = await on.later.settled(on.ended.connectionId);
    assert.equal(settled(on.ended.plan, exactly(BEFORE), NOW + DAY + 2 * MINUTE), false);
  });

  test('are ignored if the connection points to another server now', async (context) => {
    const on = await stage(context, { baseUrl: 'https://other.example.com' });
    await on.load(1_000_000, NOW + DAY);
    assert.equal((await storedRecord(on))?.laterSize, undefined);
  });

  test('keep what another window stored and restore nothing that it forgot', async (context) => {
    const on = await stage(context);
    const other = windowOn(on.shared).records;
    await other.save({ ...on.ended, runTimeMillis: 7 });
    await on.load(20_000_000, NOW + 2 * MINUTE);
    const { runTimeMillis, laterSize } = (await storedRecord(on)) ?? {};
    assert.deepEqual([runTimeMillis, laterSize?.bytes], [7, 20_000_000]);
    await other.reload();
    await other.forget(on.ended);
    await on.load(13_000_000, NOW + DAY);
    assert.equal(await storedRecord(on), undefined);
  });

  test('are added to the history once they are settled', async (context) => {
    const { later, ended } = await stage(context);
    const settled = await later.settled(ended.connectionId);
    assert.equal(settled(ended.plan, exactly(36_000_000), NOW + 2 * MINUTE), false);
    assert.equal(settled(ended.plan, exactly(20_000_000), NOW + 2 * MINUTE), true);
    assert.equal(settled({ entityType: 'chart', aspect: 'usage' }, exactly(1), NOW), true, 'never truncated');
  });
});

const END = NOW + 10 * MINUTE;
const ENDED: TruncationRecord = {
  ...RECORD,
  sizeBefore: BEFORE,
  sizePrecision: 'exact',
  ending: FINISHED,
  endedAt: END,
};
const MAYBE_WRONG = { bytes: 1, precision: 'approximate' } as const;

suite('Size of an index after a truncation', () => {
  test('is settled once it is lower than before or a day has passed', () => {
    assert.equal(isSizeSettled(ENDED, exactly(36_000_000), END + MINUTE), false, 'the deletion made it larger');
    assert.equal(isSizeSettled(ENDED, exactly(BEFORE), END + MINUTE), false);
    assert.equal(isSizeSettled(ENDED, exactly(BEFORE - 1), END + MINUTE), true);
    assert.equal(isSizeSettled(ENDED, exactly(36_000_000), END + DAY - 1), false);
    assert.equal(isSizeSettled(ENDED, exactly(36_000_000), END + DAY), true);
  });

  test('is settled a day after the end that the server reported', () => {
    const seenLate = { ...ENDED, runTimeMillis: MINUTE, endedAt: NOW + 5 * DAY };
    assert.equal(isSizeSettled(seenLate, exactly(BEFORE), NOW + MINUTE + DAY), true);
  });

  test('is not settled while the truncation runs, even if it is lower', () => {
    const { ending: _, endedAt: __, ...running } = ENDED;
    assert.equal(isSizeSettled(running, exactly(1), NOW + MINUTE), false);
    assert.equal(isSizeSettled(running, exactly(1), NOW + DAY), true, 'one whose answer was lost never ends');
  });

  test('is not compared unless both sizes are exact', () => {
    assert.equal(isSizeSettled(ENDED, MAYBE_WRONG, END), false);
    assert.equal(isSizeSettled({ ...ENDED, sizePrecision: 'approximate' }, exactly(1), END), false);
    assert.equal(isSizeSettled({ ...ENDED, sizePrecision: undefined }, exactly(1), END), false);
    assert.equal(isSizeSettled({ ...ENDED, sizeBefore: undefined }, exactly(1), END), false);
    assert.equal(isSizeSettled(ENDED, exactly(undefined), END), false);
  });

  test('is settled if the clock was set back', () =>
    assert.equal(isSizeSettled(ENDED, exactly(BEFORE), END - 5 * DAY), true));

  test('is stored with its time if it is lower than any before', () => {
    const once = withLaterSize(ENDED, exactly(20_000_000), END + MINUTE);
    assert.deepEqual(once, { ...ENDED, laterSize: { bytes: 20_000_000, at: END + MINUTE } });
    assert.ok(once !== undefined);
    assert.equal(withLaterSize(once, exactly(20_000_000), END + DAY), undefined);
    assert.equal(withLaterSize(once, exactly(20_500_000), END + DAY), undefined);
    const twice = withLaterSize(once, exactly(13_000_000), END + DAY);
    assert.deepEqual(twice?.laterSize, { bytes: 13_000_000, at: END + DAY });
  });

  test('is not stored if it says nothing about the deletion', () => {
    const look = (change: Partial<TruncationRecord>, size = exactly(1), at = END + 1): unknown =>
      withLaterSize({ ...ENDED, ...change }, size, at);
    assert.ok(look({}));
    assert.equal(look({}, exactly(BEFORE)), undefined);
    assert.equal(look({}, exactly(36_000_000)), undefined);
    assert.equal(look({}, MAYBE_WRONG), undefined);
    assert.equal(look({}, exactly(1), END), undefined, 'it was read before the end');
    assert.equal(look({ sizePrecision: 'approximate' }), undefined);
    assert.equal(look({ sizePrecision: undefined }), undefined);
    assert.equal(look({ ending: FAILED }), undefined);
    assert.equal(look({ ending: LOST }), undefined);
    assert.equal(look({ ending: undefined }), undefined);
    assert.equal(look({ report: REINDEX }), undefined, 'the old index keeps its space, and is not listed');
  });
});
