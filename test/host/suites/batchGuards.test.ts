// Guards of a batch: another window at work, and a cutoff that is too recent.
import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/manifest.ts';
import { BatchStore, type BatchRecord } from '../../../src/batch/batchStore.ts';
import type { OverviewPageView } from '../../../src/overview/protocol.ts';
import type { BatchIntent, BatchView } from '../../../src/batch/protocol.ts';
import { TruncationStore } from '../../../src/truncation/truncationStore.ts';
import { sharedFolders } from './support/anotherWindow.ts';
import { connectedSuite } from './support/fixtures.ts';
import { openPage, type ListenedPage } from './support/openPage.ts';
import { requestsWith } from './support/requests.ts';
import { rowAt } from './support/tree.ts';
import { until } from './support/until.ts';

const NAME = 'Guarded';
const OPERATIONS = { entityType: 'dataset', aspect: 'operation' };
const PROFILES = { entityType: 'dataset', aspect: 'datasetprofile' };
const CHARTS = { entityType: 'chart', aspect: 'chartusagestatistics' };
const QUERIES = { entityType: 'query', aspect: 'queryusagestatistics' };
const DAY = 86_400_000;

type Target = typeof OPERATIONS;
type Plan = BatchRecord['items'][number]['plan'];

suite('Several indices at once are not sent', () => {
  const { service, person, connectionId } = connectedSuite({ name: NAME });

  test('while another window sends one of them: the rest cannot be continued', async () => {
    const now = Date.now();
    const sending = await interrupted(
      now - 2,
      item(OPERATIONS, now - 400 * DAY, true),
      item(PROFILES, now - 400 * DAY),
    );
    const [sent = assert.fail()] = sending.items;
    await new TruncationStore(sharedFolders()('truncations')).claim({
      id: sent.recordId,
      connectionId: connectionId(),
      plan: sent.plan,
      report: { serverText: '', rows: undefined, strategy: 'deleteByQuery', isReport: true },
      reviewedAt: now,
      sentAt: now,
    });
    const free = await interrupted(now - 1, item(QUERIES, now - 400 * DAY));
    const page = await overview();
    say(page, { type: 'continue', recordId: sending.id });
    say(page, { type: 'continue', recordId: free.id });
    const { items } = await until('a dry run', () => shownBatch(page)?.phase === 'planned' && shownBatch(page));
    assert.deepEqual(
      items.map(({ name }) => name),
      ['query/queryusagestatistics'],
    );
    const counted = (await requestsWith(service, 'truncateTimeseriesAspect')).map(({ body }) => body);
    assert.ok(counted.length > 0 && !counted.some((body) => body.includes('datasetprofile')), counted.join('\n'));
  });

  test('if the cutoff is in the last day, or in the future: only such an index is left out', async () => {
    const now = Date.now();
    const left = await interrupted(
      now,
      item(CHARTS, now - 3_600_000),
      item(PROFILES, now + DAY),
      item(QUERIES, now - 400 * DAY),
    );
    const page = await overview();
    say(page, { type: 'continue', recordId: left.id });
    const { items } = await until('the dry runs', () => shownBatch(page)?.phase === 'planned' && shownBatch(page));
    assert.deepEqual(
      items.map(({ name, isSelected, canBeSelected }) => [name, isSelected, canBeSelected]),
      [
        ['chart/chartusagestatistics', false, false],
        ['dataset/datasetprofile', false, false],
        ['query/queryusagestatistics', true, true],
      ],
    );
    assert.match(items[0]?.remark ?? '', /less than 24 hours ago/);
    assert.match(items[1]?.remark ?? '', /in the future/);
    say(page, { type: 'select', place: 0, isSelected: true });
    say(page, { type: 'execute' });
    await person.types(/Type Guarded to confirm/, NAME);
    const { detail } = await person.answers(/^Delete rows from 1 index on Guarded\?$/);
    assert.ok(!detail.includes('chart/chartusagestatistics'), detail);
    await until('the plan to be back', () => shownBatch(page)?.phase === 'planned');
  });

  /** A record of another window that was interrupted. */
  async function interrupted(confirmedAt: number, ...items: BatchRecord['items']): Promise<BatchRecord> {
    const record: BatchRecord = {
      id: crypto.randomUUID(),
      connectionId: connectionId(),
      baseUrl: service.url,
      confirmedAt,
      items,
    };
    await new BatchStore(sharedFolders()('batches'), { get: () => undefined }).add(record);
    return record;
  }

  function item(target: Target, endTimeMillis: number, isSent = false): BatchRecord['items'][number] {
    const plan: Plan = {
      ...target,
      endTimeMillis,
      batchSize: 10_000,
      timeoutSeconds: undefined,
      strategy: 'deleteByQuery',
    };
    return { recordId: crypto.randomUUID(), plan, isSent };
  }

  async function overview(): Promise<ListenedPage> {
    const page = await openPage(COMMANDS.indexOverview, await rowAt(NAME));
    assert.ok(page !== undefined, 'a page was opened');
    await until('the page', () => page.told('open'));
    return page;
  }
});

function shownBatch(page: ListenedPage): BatchView | undefined {
  return (page.view() as OverviewPageView | undefined)?.batch;
}

function say(page: ListenedPage, intent: BatchIntent): void {
  page.says({ type: 'batch', intent });
}
