// 7. Finished: a truncation is called that only once five counts in a row, after the end of its task, have found no
// row to delete and every row to keep.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanDraft } from '../../src/truncation/plan.ts';
import type { ServiceOptions } from '../service/options.ts';
import { claimsIn } from './claims.ts';
import { Driver, type Connected } from './driver.ts';
import { HOUR, MINUTE, SECOND } from './durations.ts';
import type { Wizard } from './pages.ts';
import { countedRows, isOf, OPERATIONS, type CountedRows, type SentTruncation } from './truncations.ts';
import type { Window } from './window.ts';

const { entityType, aspect } = OPERATIONS;
const FEWEST_COUNTS = 5;

/** Counts of an index before or after its truncation. */
interface Counts {
  /** Of the rows that were to go. */
  readonly old: readonly CountedRows[];
  /** Of all rows up to the moment before it was sent. */
  readonly all: readonly CountedRows[];
}

/** @param from Number of the first request, and of the one after the last. */
function countsBetween(driver: Driver, { plan }: SentTruncation, from: number, to: number): Counts {
  const dryRuns = driver
    .truncations()
    .filter((one) => isOf(plan)(one) && one.plan.dryRun && one.sentAs >= from && one.sentAs < to);
  const isOld = (one: SentTruncation): boolean => one.plan.endTimeMillis === plan.endTimeMillis;
  const rowsOf = (some: readonly SentTruncation[]): readonly CountedRows[] =>
    some.flatMap((one) => countedRows(one) ?? []);
  return { old: rowsOf(dryRuns.filter(isOld)), all: rowsOf(dryRuns.filter((one) => !isOld(one))) };
}

/** Number of the request whose answer had the end of the task. */
function taskEndOf(driver: Driver, { sentAs }: SentTruncation): number {
  const at = driver.machine.requests.findIndex(
    ({ answer = '' }, place) => place > sentAs && /"completed":\s*true/.test(answer),
  );
  return at === -1 ? sentAs : at;
}

/** Holds at the moment when it is first called finished. */
function assertProven(driver: Driver, execution: SentTruncation): void {
  const before = countsBetween(driver, execution, 0, execution.sentAs);
  const toKeep = (before.all.at(-1)?.toDelete ?? 0) - (before.old.at(-1)?.toDelete ?? 0);
  const { old, all } = countsBetween(driver, execution, taskEndOf(driver, execution), Number.POSITIVE_INFINITY);
  const last = { old: old.slice(-FEWEST_COUNTS), all: all.slice(-FEWEST_COUNTS) };
  assert.equal(last.old.length, FEWEST_COUNTS, `${old.length} counts of rows to delete`);
  assert.equal(last.all.length, FEWEST_COUNTS, `${all.length} counts of rows to keep`);
  assert.ok(toKeep > 0, 'there was nothing to keep, so nothing is proven');
  assert.deepEqual(new Set(last.old.map(({ toDelete }) => toDelete)), new Set([0]));
  assert.ok(
    last.all.every(({ toDelete }) => toDelete >= toKeep),
    `${last.all.map(({ toDelete }) => toDelete).join(', ')} of ${toKeep} rows to keep`,
  );
}

/** Whether it is called finished, and not that rows are left or weren't counted. */
function isFinished(text: string): boolean {
  const claims = claimsIn(text);
  return claims.includes('done') && !claims.includes('rowsLeft') && !claims.includes('notChecked');
}

async function finishedRows(window: Window): Promise<number> {
  return (await window.truncations()).filter(isFinished).length;
}

/** A truncation that was agreed to. */
interface Agreed extends Connected {
  readonly wizard: Wizard;
}

/** Whether the tree or the page calls it finished. */
async function isCalledFinished({ window, wizard }: Agreed): Promise<boolean> {
  return isFinished(wizard.outcome) || (await finishedRows(window)) > 0;
}

async function assertProvenWhenFinished(agreed: Agreed): Promise<void> {
  const { driver } = agreed;
  await driver.until('the end', () => isCalledFinished(agreed), HOUR);
  const [execution = assert.fail('nothing was sent'), ...others] = driver.executions();
  assert.deepEqual(others, []);
  assertProven(driver, execution);
}

async function assertNotFinished(agreed: Agreed): Promise<void> {
  assert.ok(!(await isCalledFinished(agreed)), `it says: ${agreed.wizard.outcome}`);
}

/** Lets an hour pass in which it is never called finished. */
async function assertNeverFinished(agreed: Agreed): Promise<void> {
  for (let look = 0; look < 30; look++) {
    await agreed.driver.passTime(2 * MINUTE);
    await assertNotFinished(agreed);
  }
}

/** A server, a plan, and what happens before and after the request. */
interface Case {
  readonly options?: ServiceOptions;
  readonly plan?: Partial<PlanDraft>;
  readonly before?: (driver: Driver) => unknown;
  readonly after?: (agreed: Agreed) => Promise<void> | void;
}

/** Registers a test for each case, which ends with the check. */
function cases(all: Readonly<Record<string, Case>>, check: (agreed: Agreed) => Promise<void>): void {
  for (const [what, { options, plan, before, after }] of Object.entries(all)) {
    test(what, async (context) => {
      const { driver, window } = await Driver.connected(context, {}, options);
      const wizard = await window.askToTruncate(plan);
      before?.(driver);
      await window.yes();
      const agreed = { driver, window, wizard };
      if (after !== undefined) {
        await driver.execution();
        await after(agreed);
      }
      await check(agreed);
    });
  }
}

suite('Finished is proven by five counts', () => {
  cases(
    {
      'for one index': {},
      'if the answer was lost': {
        before: ({ server }) => server.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' }),
      },
      'once searches show the deletion': { options: { refreshIntervalMillis: 30 * SECOND } },
      'of which none comes from a copy that is behind': {
        options: { refreshIntervalMillis: 45 * SECOND, replicas: 2 },
      },
      'once a shard is back whose rows searches omitted': {
        after: async (agreed) => {
          const { driver, wizard } = agreed;
          driver.server.assignShards(entityType, aspect, false);
          await assertNeverFinished(agreed);
          driver.server.assignShards(entityType, aspect, true);
          await wizard.send({ type: 'checkTask' });
        },
      },
      'of which a shard that was gone for a moment spoils none': {
        after: async ({ driver }) => {
          for (let moment = 0; moment < 4; moment++) {
            await driver.passTime(6 * SECOND);
            driver.server.assignShards(entityType, aspect, moment % 2 === 1);
          }
        },
      },
      'once a reindex has copied all, and searches find it': {
        options: { reindexTunesIndex: false },
        plan: { strategy: 'reindex' },
      },
    },
    assertProvenWhenFinished,
  );

  test('for each of several, and the next one is sent only then', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.do('truncateSeveral');
    for (const index of [0, 1]) {
      await driver.until('another end', async () => {
        const sent = driver.executions().length;
        const isEnd = (await finishedRows(window)) > index;
        assert.ok(isEnd || sent <= index + 1, 'the next one was sent before');
        return isEnd;
      });
      assertProven(driver, driver.executions()[index] ?? assert.fail('one more was called finished than sent'));
    }
  });
});

suite('It is never called finished', () => {
  cases(
    {
      'while a reindex leaves its new index unrefreshed': {
        options: { reindexTunesIndex: true },
        plan: { strategy: 'reindex' },
      },
      'if the server is restarted within its task': {
        plan: { batchSize: '10' },
        before: ({ server }) => (server.pacing.held = true),
        after: ({ driver }) => driver.server.restart(),
      },
      'while its task runs': { before: ({ server }) => (server.pacing.held = true) },
      'while the rows can not be counted': {
        after: ({ driver: { server } }) =>
          server.faults.add({ fault: { kind: 'status', status: 500 }, match: '"dryRun":true', times: 'always' }),
      },
      'while old rows are written again and again': {
        after: async (agreed) => {
          for (let moment = 0; moment < 70; moment++) {
            await agreed.driver.passTime(7 * SECOND);
            await agreed.driver.addOldRow();
            await assertNotFinished(agreed);
          }
        },
      },
    },
    assertNeverFinished,
  );

  test('if its task fails half way', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.askToTruncate({ batchSize: '10' });
    driver.server.pacing.failAfterBatches = 2;
    await window.yes();
    await assertNeverFinished({ driver, window, wizard });
    const { min } = driver.server.rows(entityType, aspect);
    assert.ok((min ?? 0) < (driver.executions()[0]?.plan.endTimeMillis ?? 0));
  });
});
