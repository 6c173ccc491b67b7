// Guards of several indices at once: another window at work, and a cutoff that is too recent.
import assert from 'node:assert/strict';
import type { JobRef } from '../../../src/truncation/job.ts';
import type { PlannedFact } from '../../../src/truncation/jobFacts.ts';
import { JobStore } from '../../../src/truncation/jobStore.ts';
import { sharedFolders } from './support/anotherWindow.ts';
import { connectedSuite } from './support/fixtures.ts';
import { openOverview, say, shownJob, tickOf } from './support/overviewPage.ts';
import { requestsWith } from './support/requests.ts';
import { deletionOf } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Guarded';
const OPERATIONS = { entityType: 'dataset', aspect: 'operation' };
const PROFILES = { entityType: 'dataset', aspect: 'datasetprofile' };
const CHARTS = { entityType: 'chart', aspect: 'chartusagestatistics' };
const QUERIES = { entityType: 'query', aspect: 'queryusagestatistics' };
const DAY = 86_400_000;

type Target = typeof OPERATIONS;
type Item = PlannedFact['items'][number];

suite('Several indices at once are not sent', () => {
  const { service, person, connectionId } = connectedSuite({ name: NAME });

  test('while another window sends one of them: the rest cannot be continued', async () => {
    const now = Date.now();
    const items = [item(OPERATIONS, now - 400 * DAY), item(PROFILES, now - 400 * DAY)];
    const sending = await interrupted(now - 2, ...items);
    await new JobStore(sharedFolders()('jobs')).append(sending, {
      kind: 'sent',
      item: 0,
      at: now,
      sessionId: 'another window',
    });
    const free = await interrupted(now - 1, item(QUERIES, now - 400 * DAY));
    const page = await openOverview(NAME);
    say(page, { type: 'continue', jobId: sending.id });
    say(page, { type: 'continue', jobId: free.id });
    const counting = await until('a dry run', () => shownJob(page)?.phase === 'planned' && shownJob(page));
    assert.deepEqual(
      counting.items.map(({ name }) => name),
      ['query/queryusagestatistics'],
    );
    const counted = (await requestsWith(service, 'truncateTimeseriesAspect')).map(({ body }) => body);
    assert.ok(counted.length > 0 && !counted.some((body) => body.includes('datasetprofile')), counted.join('\n'));
  });

  test('if the cutoff is in the last day, or in the future, unless its own box is ticked', async () => {
    const now = Date.now();
    const left = await interrupted(
      now,
      item(CHARTS, now - 3_600_000),
      item(PROFILES, now + DAY),
      item(QUERIES, now - 400 * DAY),
    );
    const page = await openOverview(NAME);
    say(page, { type: 'continue', jobId: left.id });
    const { items } = await until('the dry runs', () => shownJob(page)?.phase === 'planned' && shownJob(page));
    assert.deepEqual(
      items.map(({ name, isSelected, canBeSelected }) => [name, isSelected, canBeSelected]),
      [
        ['chart/chartusagestatistics', false, true],
        ['dataset/datasetprofile', false, true],
        ['query/queryusagestatistics', true, true],
      ],
    );
    assert.match(items[0]?.cautions[0]?.text ?? '', /less than 24 hours ago/);
    assert.match(items[1]?.cautions[0]?.text ?? '', /in the future/);
    // A tick of an earlier dry run comes too late.
    say(page, { ...tickOf(items, 0), at: (items[0]?.at ?? 0) - 1 });
    say(page, { type: 'execute' });
    // One index is asked about by its own name.
    await person.leaves(deletionOf('query/queryusagestatistics'));
    await until('the plan to be back', () => shownJob(page)?.phase === 'planned');
    say(page, tickOf(items, 0));
    await until('the tick', () => shownJob(page)?.items[0]?.isSelected === true);
    say(page, { type: 'execute' });
    await person.leaves(deletionOf('2 indices'));
    await until('the plan to be back', () => shownJob(page)?.phase === 'planned');
  });

  /** A job of another window that was interrupted. */
  async function interrupted(at: number, ...items: readonly Item[]): Promise<JobRef> {
    const ref = { connectionId: connectionId(), id: crypto.randomUUID() };
    const planned = { kind: 'planned', at, baseUrl: service.url, origin: 'overview', items } as const;
    assert.ok(await new JobStore(sharedFolders()('jobs')).create(ref, planned));
    return ref;
  }

  function item(target: Target, endTimeMillis: number): Item {
    return {
      plan: { ...target, endTimeMillis, batchSize: 10_000, timeoutSeconds: undefined, strategy: 'deleteByQuery' },
    };
  }
});
