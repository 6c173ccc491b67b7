// 7. Finished: a truncation is called that only once five counts in a row, after the end of its task, have found no
// row to delete and every row to keep.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceOptions } from '../service/options.ts';
import { claimsIn } from './claims.ts';
import { Driver } from './driver.ts';
import { HOUR, MINUTE, SECOND } from './durations.ts';
import type { Wizard } from './pages.ts';
import { countedRows, isOf, OPERATIONS, type CountedRows, type SentTruncation } from './truncations.ts';
import type { Window } from './window.ts';

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

/** Whether the tree or the page calls it finished, and not that rows are left or weren't counted. */
async function isCalledFinished(window: Window, wizard: Wizard): Promise<boolean> {
  return isFinished(wizard.outcome) || (await finishedRows(window)) > 0;
}

async function finishedRows(window: Window): Promise<number> {
  return (await window.truncations()).filter(({ text }) => isFinished(text)).length;
}

function isFinished(text: string): boolean {
  const claims = claimsIn(text);
  return claims.includes('done') && !claims.includes('rowsLeft') && !claims.includes('notChecked');
}

async function assertProvenWhenFinished(driver: Driver, window: Window, wizard: Wizard): Promise<void> {
  await driver.until('the end', () => isCalledFinished(window, wizard), HOUR);
  const [execution = assert.fail('nothing was sent'), ...others] = driver.executions();
  assert.deepEqual(others, []);
  assertProven(driver, execution);
}

/** Lets an hour pass in which it is never called finished. */
async function assertNeverFinished(driver: Driver, window: Window, wizard: Wizard): Promise<void> {
  for (let look = 0; look < 30; look++) {
    await driver.passTime(2 * MINUTE);
    assert.ok(!(await isCalledFinished(window, wizard)), `it says: ${wizard.outcome}`);
  }
}

interface Asked {
  readonly driver: Driver;
  readonly window: Window;
  readonly wizard: Wizard;
}

/** Comes to the last question about a truncation. */
async function asked(
  context: Parameters<typeof Driver.start>[0],
  options: ServiceOptions = {},
  change: Parameters<Wizard['dryRun']>[1] = {},
): Promise<Asked> {
  const { driver, window } = await Driver.connected(context, {}, options);
  const wizard = await window.openWizard();
  await wizard.dryRun(365, change);
  await wizard.acceptCautions();
  await wizard.ask();
  return { driver, window, wizard };
}

async function sent(driver: Driver): Promise<void> {
  await driver.until('the request', () => driver.executions().length > 0);
}

suite('Finished is proven by five counts', () => {
  test('for one index', async (context) => {
    const { driver, window, wizard } = await asked(context);
    await window.yes();
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('if the answer was lost', async (context) => {
    const { driver, window, wizard } = await asked(context);
    driver.server.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    await window.yes();
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('for each of several, and the next one is sent only then', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncateSeveral');
    await window.yes();
    const proven = new Set<SentTruncation['sentAs']>();
    while (proven.size < 2) {
      await driver.until('another end', async () => (await finishedRows(window)) > proven.size);
      const execution = driver.executions()[proven.size] ?? assert.fail('one more was called finished than sent');
      assertProven(driver, execution);
      proven.add(execution.sentAs);
      assert.ok(driver.executions().length <= proven.size + 1);
    }
  });

  test('once searches show the deletion', async (context) => {
    const { driver, window, wizard } = await asked(context, { refreshIntervalMillis: 30 * SECOND });
    await window.yes();
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('of which none comes from a copy that is behind', async (context) => {
    const { driver, window, wizard } = await asked(context, { refreshIntervalMillis: 45 * SECOND, replicas: 2 });
    await window.yes();
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('once a shard is back whose rows searches omitted', async (context) => {
    const { driver, window, wizard } = await asked(context);
    await window.yes();
    await sent(driver);
    driver.server.assignShards(OPERATIONS.entityType, OPERATIONS.aspect, false);
    await assertNeverFinished(driver, window, wizard);
    driver.server.assignShards(OPERATIONS.entityType, OPERATIONS.aspect, true);
    await wizard.pressCheck();
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('of which a shard that was gone for a moment spoils none', async (context) => {
    const { driver, window, wizard } = await asked(context);
    await window.yes();
    await sent(driver);
    for (let moment = 0; moment < 4; moment++) {
      await driver.passTime(6 * SECOND);
      driver.server.assignShards(OPERATIONS.entityType, OPERATIONS.aspect, moment % 2 === 1);
    }
    await assertProvenWhenFinished(driver, window, wizard);
  });

  test('once a reindex has copied all, and searches find it', async (context) => {
    const options = { reindexTunesIndex: false };
    const { driver, window, wizard } = await asked(context, options, { strategy: 'reindex' });
    await window.yes();
    await assertProvenWhenFinished(driver, window, wizard);
  });
});

suite('It is never called finished', () => {
  test('while a reindex leaves its new index unrefreshed', async (context) => {
    const { driver, window, wizard } = await asked(context, { reindexTunesIndex: true }, { strategy: 'reindex' });
    await window.yes();
    await assertNeverFinished(driver, window, wizard);
  });

  test('if its task fails half way', async (context) => {
    const { driver, window, wizard } = await asked(context, {}, { batchSize: '10' });
    driver.server.pacing.failAfterBatches = 2;
    await window.yes();
    await assertNeverFinished(driver, window, wizard);
    const { min } = driver.server.rows(OPERATIONS.entityType, OPERATIONS.aspect);
    assert.ok((min ?? 0) < (driver.executions()[0]?.plan.endTimeMillis ?? 0));
  });

  test('if the server is restarted within its task', async (context) => {
    const { driver, window, wizard } = await asked(context, {}, { batchSize: '10' });
    driver.server.pacing.held = true;
    await window.yes();
    await sent(driver);
    driver.server.restart();
    await assertNeverFinished(driver, window, wizard);
  });

  test('while its task runs', async (context) => {
    const { driver, window, wizard } = await asked(context);
    driver.server.pacing.held = true;
    await window.yes();
    await assertNeverFinished(driver, window, wizard);
  });

  test('while the rows can not be counted', async (context) => {
    const { driver, window, wizard } = await asked(context);
    await window.yes();
    await sent(driver);
    driver.server.faults.add({ fault: { kind: 'status', status: 500 }, match: '"dryRun":true', times: 'always' });
    await assertNeverFinished(driver, window, wizard);
  });

  test('while old rows are written again and again', async (context) => {
    const { driver, window, wizard } = await asked(context);
    await window.yes();
    await sent(driver);
    for (let moment = 0; moment < 70; moment++) {
      await driver.passTime(7 * SECOND);
      await driver.addOldRows();
      assert.ok(!(await isCalledFinished(window, wizard)), `it says: ${wizard.outcome}`);
    }
  });
});
