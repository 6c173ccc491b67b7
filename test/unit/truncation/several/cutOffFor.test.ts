/** Several indices by a limit, through the real client: each gets the cut-off that the limit allows it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '../../../../src/service/clock.ts';
import { MOST_FIT_DRY_RUNS } from '../../../../src/truncation/model/fitSearch.ts';
import type { CountedGoal } from '../../../../src/truncation/model/fitSearch.ts';
import { emptyDraft } from '../../../../src/truncation/model/plan.ts';
import { MOST_DRY_RUNS } from '../../../../src/truncation/model/rowsByAge.ts';
import { RowsByAgeStore } from '../../../../src/truncation/rowsByAgeStore.ts';
import type { BulkRun } from '../../../../src/truncation/several/bulkRun.ts';
import { cutOffFor } from '../../../../src/truncation/several/cutOffFor.ts';
import { MOST_AT_ONCE } from '../../../../src/truncation/several/protocol.ts';
import { DAY, dryRunText } from '../model/samples.ts';
import { RunningWindow, scriptedServer } from '../runningWindow.ts';
import type { ScriptedServer } from '../runningWindow.ts';

const ROWS: CountedGoal = { kind: 'deleteRows', rows: 1_000 };
const GIGABYTE: CountedGoal = { kind: 'keepBytes', bytes: 1e9 };
/** Tasks are looked at without waiting between two looks. */
const IMPATIENT = { after: (_: number, run: () => void) => systemClock.after(5, run) };

/** Indices to which each day added as many rows, for as many days. */
type Indices = Record<string, { readonly days: number; readonly rowsADay: number; readonly bytes?: number }>;

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly bulk: BulkRun;
  readonly indices: Indices;
  /** What a server counts of one. */
  readonly count: (aspect: string, endTimeMillis: number) => number;
  readonly dryRun: (goal: CountedGoal) => Promise<void>;
}

async function stage(context: TestContext, indices: Indices): Promise<Stage> {
  const newest = Date.now();
  const count = (aspect: string, endTimeMillis: number): number => {
    const { days, rowsADay } = indices[aspect] ?? assert.fail(aspect);
    const age = Math.max(0, (newest - endTimeMillis) / DAY);
    return Math.max(0, Math.floor((days - age) * rowsADay));
  };
  const server = await scriptedServer(context);
  server.dryRun = ({ aspect, endTimeMillis }) => dryRunText(count(aspect, endTimeMillis), count(aspect, newest));
  const window = await RunningWindow.open(context, server.url, { clock: IMPATIENT });
  const bulk = window.several();
  const store = new RowsByAgeStore(window.memento);
  const dryRun = (goal: CountedGoal): Promise<void> =>
    bulk.dryRun(
      Object.keys(indices).map((aspect) => emptyDraft('dataset', aspect)),
      {
        findCutOff: cutOffFor(goal, {
          connection: () => window.store.get(window.connection.id),
          service: (connection) => window.services.get(connection),
          store,
          sizeOf: ({ aspect }) => indices[aspect]?.bytes,
          clock: window.clock,
          observe: () => undefined,
        }),
      },
    );
  return { server, window, bulk, indices, count, dryRun };
}

const THREE: Indices = {
  operation: { days: 1_000, rowsADay: 30, bytes: 10e9 },
  datasetprofile: { days: 300, rowsADay: 500, bytes: 4e9 },
  usage: { days: 90, rowsADay: 100, bytes: 2e9 },
};

function cutOffs(bulk: BulkRun): (number | undefined)[] {
  return bulk.items.map(({ draft }) => draft.endTimeMillis);
}

/** Fulfilled with the next change after which `condition` holds. */
function until(bulk: BulkRun, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => void (condition() && resolve());
    bulk.onDidChange(check);
    check();
  });
}

suite('Several indices by a limit', () => {
  test('get each the cut-off that deletes as many rows as it may, and a dry run of exactly that', async (context) => {
    const { server, bulk, count, dryRun } = await stage(context, THREE);
    await dryRun(ROWS);
    assert.equal(bulk.plan.length, 3);
    assert.equal(new Set(cutOffs(bulk)).size, 3);
    for (const { draft, review, isTight } of bulk.items) {
      const { aspect, endTimeMillis = assert.fail() } = draft;
      const rows = review?.report.rows?.toDelete ?? assert.fail();
      assert.ok(rows > 0 && rows <= 1_000 && isTight, `${aspect}: ${rows}`);
      assert.ok(count(aspect, endTimeMillis + DAY) > 1_000);
      const ofThis = server.dryRuns().filter((body) => body.aspect === aspect);
      assert.deepEqual([review?.plan.endTimeMillis, ofThis.at(-1)?.endTimeMillis], [endTimeMillis, endTimeMillis]);
      assert.ok(ofThis.length <= MOST_DRY_RUNS + MOST_FIT_DRY_RUNS + 1, `${aspect}: ${ofThis.length} dry runs`);
    }
    assert.deepEqual(server.executions(), []);
  });

  test('are counted two at a time over all, and as many indices at a time', async (context) => {
    const { server, bulk, count, dryRun } = await stage(
      context,
      Object.fromEntries(
        Array.from({ length: MOST_AT_ONCE }, (_, index) => [`aspect${index}`, { days: 50 + index, rowsADay: 100 }]),
      ),
    );
    const underWay: string[] = [];
    const seen: string[][] = [];
    server.dryRun = async ({ aspect, endTimeMillis }) => {
      underWay.push(aspect);
      seen.push([...underWay]);
      await new Promise(setImmediate);
      underWay.splice(underWay.indexOf(aspect), 1);
      return dryRunText(count(aspect, endTimeMillis), count(aspect, Date.now()));
    };
    await dryRun(ROWS);
    assert.equal(bulk.plan.length, MOST_AT_ONCE);
    assert.equal(Math.max(...seen.map(({ length }) => length)), 2);
    assert.ok(seen.every((aspects) => new Set(aspects).size === aspects.length));
  });

  test('keep each as many bytes as it may; one that is smaller already, or of unknown size, is left out uncounted', async (context) => {
    const { server, bulk, dryRun } = await stage(context, {
      ...THREE,
      small: { days: 300, rowsADay: 1, bytes: 1e9 },
      unknown: { days: 300, rowsADay: 1 },
    });
    await dryRun(GIGABYTE);
    assert.deepEqual(
      bulk.plan.map(({ draft }) => draft.aspect),
      ['operation', 'datasetprofile', 'usage'],
    );
    for (const { draft, review } of bulk.plan) {
      const { toDelete = 0, total = 0 } = review?.report.rows ?? {};
      const bytes = THREE[draft.aspect]?.bytes ?? 0;
      const kept = (1 - toDelete / total) * bytes;
      assert.ok(kept <= 1e9 && kept > 1e9 - (3 * bytes) / (THREE[draft.aspect]?.days ?? 1), `${draft.aspect}: ${kept}`);
    }
    assert.deepEqual(
      bulk.items.slice(3).map(({ leftOut }) => leftOut?.sentence),
      ["The index isn't larger than that.", "The size of the index isn't known."],
    );
    assert.ok(server.dryRuns().every(({ aspect }) => aspect in THREE));
  });

  test('leave out those for which there is no cut-off, each with its reason', async (context) => {
    const { bulk, dryRun } = await stage(context, {
      few: { days: 100, rowsADay: 5 },
      heap: { days: 1_000, rowsADay: 5_000 },
      empty: { days: 0, rowsADay: 1 },
    });
    await dryRun(ROWS);
    assert.deepEqual(bulk.plan, []);
    assert.deepEqual(
      bulk.items.map(({ leftOut }) => leftOut?.sentence),
      [
        'No more rows than your limit are older than a day.',
        'The oldest day alone has more rows than that.',
        'There are no rows to delete.',
      ],
    );
  });

  test('leave out those that the server refuses to count, with its reason', async (context) => {
    const { server, bulk, dryRun } = await stage(context, THREE);
    server.refusesDryRuns = true;
    await dryRun(ROWS);
    assert.deepEqual(bulk.plan, []);
    for (const { leftOut } of bulk.items) {
      assert.match(leftOut?.sentence ?? '', /refused/);
    }
  });

  test('can be cancelled while a cut-off is looked for: what was counted stays, and nothing more is asked', async (context) => {
    const { server, bulk, count, dryRun } = await stage(context, { ...THREE, fourth: { days: 9, rowsADay: 1 } });
    const held = Promise.withResolvers<string>();
    server.dryRun = ({ aspect, endTimeMillis }) =>
      aspect === 'operation' ? dryRunText(count(aspect, endTimeMillis), count(aspect, Date.now())) : held.promise;
    const counting = dryRun(ROWS);
    await until(
      bulk,
      () => bulk.items[0]?.state?.phase === 'reviewed' && bulk.items.slice(1, 3).every(({ isLooking }) => isLooking),
    );
    bulk.cancel();
    await counting;
    const asked = server.dryRuns().length;
    held.resolve(dryRunText(1, 2));
    assert.deepEqual([bulk.phase, bulk.plan.map(({ draft }) => draft.aspect)], ['planned', ['operation']]);
    assert.deepEqual(cutOffs(bulk).slice(1), [undefined, undefined, undefined]);
    assert.ok(server.dryRuns().every(({ aspect }) => aspect !== 'fourth'));
    assert.equal(server.dryRuns().length, asked);
  });

  test('are looked at again with each dry run: rows that came count', async (context) => {
    const { bulk, indices, count, dryRun } = await stage(context, { usage: { days: 90, rowsADay: 100 } });
    await dryRun(ROWS);
    const [before = assert.fail()] = cutOffs(bulk);
    indices['usage'] = { days: 100, rowsADay: 100 };
    await bulk.dryRunAgain();
    const [after = assert.fail()] = cutOffs(bulk);
    assert.ok(count('usage', before) > 1_000 && count('usage', after) <= 1_000);
    assert.equal(bulk.items[0]?.review?.report.rows?.toDelete, count('usage', after));
  });

  for (const [goal, added, why] of [
    [ROWS, { days: 100, rowsADay: 100, bytes: 2e9 }, 'more rows would be deleted than the limit allows'],
    [GIGABYTE, { days: 60, rowsADay: 300, bytes: 2e9 }, 'more bytes would stay than the limit allows'],
  ] as const) {
    test(`are left out where rows came after the cut-off was found, and ${why}`, async (context) => {
      const { bulk, indices, dryRun } = await stage(context, { usage: { days: 90, rowsADay: 100, bytes: 2e9 } });
      bulk.onDidChange(() => {
        if (bulk.items[0]?.draft.endTimeMillis !== undefined && bulk.items[0].run === undefined) {
          indices['usage'] = added;
        }
      });
      await dryRun(goal);
      assert.equal(bulk.items[0]?.state?.phase, 'reviewed');
      assert.match(bulk.items[0]?.leftOut?.sentence ?? '', /^No longer within your limit/);
      assert.deepEqual(bulk.plan, []);
      await bulk.dryRunAgain();
      assert.equal(bulk.plan.length, 1, 'a cut-off is found for what there is now');
    });
  }

  test('find nothing once the connection is that of another person', async (context) => {
    const { server, window, bulk, count, dryRun } = await stage(context, { usage: { days: 90, rowsADay: 100 } });
    server.dryRun = async ({ aspect, endTimeMillis }) => {
      await window.store.save({ ...window.connection, actorUrn: 'urn:li:corpuser:other' });
      return dryRunText(count(aspect, endTimeMillis), count(aspect, Date.now()));
    };
    await dryRun(ROWS);
    assert.deepEqual([bulk.phase, bulk.plan, cutOffs(bulk)], ['planned', [], [undefined]]);
  });

  test('are asked about once with the cut-off of each, and deleted from with those', async (context) => {
    const { server, window, bulk, dryRun } = await stage(context, THREE);
    await dryRun(ROWS);
    const planned = bulk.plan.map(({ draft: { aspect, endTimeMillis } }) => [aspect, endTimeMillis]);
    await bulk.execute();
    assert.deepEqual(
      window.askedTogether.map(({ reviews }) => reviews.map(({ plan }) => [plan.aspect, plan.endTimeMillis])),
      [planned],
    );
    assert.deepEqual(
      server.executions().map(({ aspect, endTimeMillis }) => [aspect, endTimeMillis]),
      planned,
    );
    assert.equal(bulk.phase, 'ended');
  });
});
