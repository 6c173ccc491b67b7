// 4. Unknown stays unknown: after a lost answer nothing is called done, or not done, before counts or a look-up have
// proven it, and nothing is sent again.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Fault } from '../service/faults.ts';
import { claimsIn } from './claims.ts';
import { Driver } from './driver.ts';
import { HOUR, MINUTE, SECOND } from './durations.ts';
import { OPERATIONS } from './truncations.ts';
import type { Window } from './window.ts';

/** Losses of an answer. */
const LOSSES: Readonly<Record<string, Fault>> = {
  // The server has done it.
  'the connection is cut before its answer': { kind: 'cutAfter' },
  'the connection is cut within its answer': { kind: 'cutBody' },
  'its answer ends in the middle': { kind: 'truncatedBody' },
  'a gateway answers 408': { kind: 'statusAfter', status: 408 },
  'a gateway answers 421': { kind: 'statusAfter', status: 421 },
  'a gateway answers 425': { kind: 'statusAfter', status: 425 },
  'a gateway answers 500': { kind: 'statusAfter', status: 500 },
  'a gateway answers 504': { kind: 'statusAfter', status: 504 },
  // It did nothing, which no window can know.
  'a gateway answers 503 instead': { kind: 'status', status: 503 },
  'a gateway answers 421 instead': { kind: 'status', status: 421 },
  'it is redirected with 302': { kind: 'redirect', location: 'http://127.0.0.1:9/', status: 302 },
  'it is redirected with 307': { kind: 'redirect', location: 'http://127.0.0.1:9/', status: 307 },
  'a page to sign in comes instead': { kind: 'html' },
};

/** Time of the oldest row that the server has of the index, and the number of its rows. */
function rowsOf({ server }: Driver): { readonly count: number; readonly oldest: number } {
  const { count, min } = server.rows(OPERATIONS.entityType, OPERATIONS.aspect);
  return { count, oldest: min ?? Number.POSITIVE_INFINITY };
}

/** @param before Number of rows before the truncation was sent. */
function assertTrueAtServer(text: string, driver: Driver, before: number): void {
  const { count, oldest } = rowsOf(driver);
  const [execution] = driver.executions();
  const claims = claimsIn(text);
  const isRunning = driver.server.tasks().some(({ completed }) => !completed);
  if (claims.includes('done')) {
    assert.ok(oldest > (execution?.plan.endTimeMillis ?? 0), `rows are left, and it says: ${text}`);
  }
  if (claims.includes('stopped')) {
    assert.ok(!isRunning, `it runs, and it says: ${text}`);
  }
  if (claims.includes('nothingDone')) {
    assert.ok(count === before && !isRunning, `the server acted, and it says: ${text}`);
  }
}

/** @param where For the message. */
function assertUnknown(where: string, texts: readonly string[]): void {
  assert.deepEqual(texts.map(claimsIn), [['unknown']], `${where} says: ${texts.join('\n')}`);
}

/** Lets an hour pass, and reads what is said meanwhile. */
async function assertTrueForAnHour(driver: Driver, window: Window, before: number): Promise<void> {
  for (let look = 0; look < 20; look++) {
    await driver.passTime(3 * MINUTE);
    const [text = assert.fail('the truncation is not in the tree'), ...others] = await window.truncations();
    assert.deepEqual(others, []);
    assertTrueAtServer(text, driver, before);
  }
  assert.equal(driver.arrived('"dryRun":false').length, 1);
}

suite('The outcome of a truncation is unknown', () => {
  for (const [what, fault] of Object.entries(LOSSES)) {
    test(`if ${what}`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      const { count } = rowsOf(driver);
      const wizard = await window.askToTruncate();
      driver.server.faults.add({ fault, match: '"dryRun":false' });
      await window.yes();
      await wizard.reaches('running', 'failed');
      assertUnknown('the page', [wizard.outcome]);
      assertUnknown('the tree', await window.truncations());
      await driver.passTime(SECOND);
      const crashed = await driver.crash(window);
      assertUnknown('the tree after a crash', await crashed.truncations());
      const reloaded = await driver.reload(crashed);
      assertUnknown('the tree after a reload', await reloaded.truncations());
      const restored = await reloaded.restoreWizard(wizard.state);
      assertUnknown('the page after a reload', [restored.outcome]);
      await assertTrueForAnHour(driver, reloaded, count);
    });
  }

  test('if the window crashes before the answer', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const { count } = rowsOf(driver);
    await window.ask('truncate');
    driver.delayAnswer('"dryRun":false', HOUR);
    await window.yes();
    await driver.passTime(5 * SECOND);
    const next = await driver.crash(window);
    // It may still be sent by another window.
    assert.deepEqual((await next.truncations()).map(claimsIn), [[]]);
    await driver.passTime(4 * MINUTE);
    assertUnknown('the tree', await next.truncations());
    await assertTrueForAnHour(driver, next, count);
  });

  test('if no answer comes', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const { count } = rowsOf(driver);
    const wizard = await window.askToTruncate();
    driver.delayAnswer('"dryRun":false', HOUR);
    await window.yes();
    await wizard.reaches('running', 'failed');
    assertUnknown('the page', [wizard.outcome]);
    await assertTrueForAnHour(driver, window, count);
  });

  test('of the first of several, and the others are not sent', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncateSeveral');
    driver.server.faults.add({ fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    await window.yes();
    await driver.until('the end', async () => (await window.truncations()).some((text) => claimsIn(text).length > 0));
    assertUnknown('the tree', await window.truncations());
    await driver.passTime(HOUR);
    assert.equal(driver.arrived('"dryRun":false').length, 1);
  });
});

/** Those of tokens are told apart by the same code. */
const OF_TOKENS = Object.entries(LOSSES).filter((_, index) => index % 3 === 0);

suite('The outcome of a change of tokens is unknown until it is looked up', () => {
  for (const [what, fault] of OF_TOKENS) {
    for (const change of ['create', 'revoke'] as const) {
      test(`${change}: if ${what}`, async (context) => {
        const { driver, window } = await Driver.connected(context);
        await window.ask(change);
        const before = driver.server.tokens().length;
        driver.server.faults.add({ fault, match: 'mutation' });
        await window.yes();
        await driver.passTime(HOUR);
        const claims = window.notices.flatMap(claimsIn);
        const isChanged = driver.server.tokens().length !== before;
        // The value of a created token is lost, whether or not it exists.
        const isFound = change === 'revoke' && isChanged;
        assert.deepEqual(claims, [isFound ? 'done' : 'unknown'], window.notices.join('\n'));
        assert.equal(driver.arrived('mutation').length, 1);
      });
    }
  }

  test('and nothing is said about it if it can not be looked up', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('revoke');
    driver.server.faults.add({ fault: { kind: 'cutAfter' }, match: 'graphql', times: 'always' });
    await window.yes();
    await driver.passTime(HOUR);
    assert.deepEqual(window.notices.flatMap(claimsIn), ['unknown'], window.notices.join('\n'));
    assert.equal(driver.arrived('mutation').length, 1);
  });
});
